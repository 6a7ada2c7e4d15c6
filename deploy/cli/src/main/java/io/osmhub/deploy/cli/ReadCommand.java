package io.osmhub.deploy.cli;

import io.osmhub.core.template.SpellingSuggestion;
import io.osmhub.deploy.fleet.FleetEndpoint;
import io.osmhub.deploy.fleet.FleetFailure;
import io.osmhub.deploy.fleet.FleetFailure.FleetFailureKind;
import io.osmhub.deploy.fleet.HubClient;
import io.osmhub.deploy.fleet.ObjectPrinter;
import io.osmhub.deploy.fleet.PrintOptions;
import io.osmhub.deploy.fleet.PrintOptions.OutputFormat;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** A read-only verb: a client of the hub's API. */
abstract class ReadCommand extends FleetCommand<HubClient> {
    @Option(names = "--kubeconfig", paramLabel = "FILE", description = "Kubeconfig of the management cluster.")
    private @Nullable Path kubeconfig;

    @Mixin
    final PrintOptions print = new PrintOptions();

    ReadCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    final @Nullable Path managementKubeconfig() {
        return kubeconfig;
    }

    @Override
    final HubClient open(FleetEndpoint remote) throws FleetFailure {
        return remote.openHub();
    }

    @Override
    @Nullable Duration limit() throws FleetFailure {
        return options.timeout();
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

    /** Existing names, requested only when one is not found. */
    @FunctionalInterface
    interface NamesSupplier {
        List<String> get() throws FleetFailure;
    }

    /** Requests one object. */
    @FunctionalInterface
    interface ObjectRequest<T> {
        T ask() throws FleetFailure;
    }

    /** Returns the object; if not found, the failure suggests the closest name. */
    static <T> T getOrSuggest(ObjectRequest<T> ask, String wanted, NamesSupplier names) throws FleetFailure {
        try {
            return ask.ask();
        } catch (FleetFailure e) {
            if (e.kind() != FleetFailureKind.NOT_FOUND || e.text().contains("did you mean")) {
                throw e;
            }
            String near = SpellingSuggestion.findClosest(wanted, names.get()).orElse("");
            throw near.isEmpty() ? e : FleetFailure.notFound(e.text() + "; did you mean " + near + "?");
        }
    }
}
