package io.osmhub.deploy.cli;

import io.osmhub.deploy.fleet.PrintOptions;
import io.osmhub.deploy.fleet.PrintOptions.OutputFormat;
import java.util.List;
import java.util.function.Supplier;
import picocli.CommandLine.Mixin;

/** A read-only verb that prints objects in the requested format. */
abstract class PrintCommand extends ReadCommand {
    @Mixin
    final PrintOptions print = new PrintOptions();

    boolean colors() {
        return print.colors(terminal.isScreen());
    }

    /**
     * Prints one object in the requested format.
     *
     * @param name for {@code -o name}
     * @param lines for the text format
     */
    void printObject(Object body, String name, Supplier<List<String>> lines) {
        if (print.format() == OutputFormat.name) {
            printLine(name);
        } else if (!printStructured(print, body)) {
            lines.get().forEach(this::printLine);
        }
    }
}
