package io.osmhub.deploy.cli;

import io.osmhub.deploy.fleet.FleetFailure;
import io.osmhub.deploy.fleet.ObjectPrinter;
import io.osmhub.deploy.fleet.PrintOptions;
import io.osmhub.deploy.fleet.PrintOptions.OutputFormat;
import java.util.List;
import picocli.CommandLine.Mixin;

/** A read-only verb that prints objects in the requested format. */
abstract class PrintCommand extends ReadCommand {
    @Mixin
    final PrintOptions print = new PrintOptions();

    PrintCommand(Terminal terminal) {
        super(terminal);
    }

    boolean colors() {
        return print.colors(terminal.isScreen());
    }

    /**
     * Prints one object in the requested format.
     *
     * @param name for {@code -o name}
     * @param lines for the text format
     */
    void printObject(Object body, String name, LinesSupplier lines) throws FleetFailure {
        if (print.format() == OutputFormat.name) {
            printLine(name);
        } else if (!printStructured(print, body)) {
            lines.get().forEach(this::printLine);
        }
    }

    /** Prints one of many objects in a format for programs; returns false for names and tables. */
    boolean printStreamed(Object body) {
        try {
            switch (print.format()) {
                case json -> printLine(ObjectPrinter.jsonLine(body));
                case yaml -> printLine("---\n" + ObjectPrinter.yaml(body));
                case jsonpath, custom_columns -> printStructured(print, body);
                case name, table, wide -> {
                    return false;
                }
            }
        } catch (FleetFailure e) {
            // For example, an index that this object does not have.
            printError(e.text());
        }
        return true;
    }

    /** Lines, possibly requested from the fleet. */
    @FunctionalInterface
    interface LinesSupplier {
        List<String> get() throws FleetFailure;
    }
}
