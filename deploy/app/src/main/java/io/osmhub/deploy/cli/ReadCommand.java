package io.osmhub.deploy.cli;

import io.osmhub.core.problem.Suggestion;
import io.osmhub.deploy.fleet.FleetFailure;
import io.osmhub.deploy.fleet.FleetFailure.Kind;
import io.osmhub.deploy.fleet.PrintOptions;
import io.osmhub.deploy.fleet.Printed;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** A verb that only looks at the fleet. */
abstract class ReadCommand extends FleetCommand {
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
    @Nullable Duration limit() throws FleetFailure {
        return options.timeout();
    }

    boolean colors() {
        return print.colors(terminal.isScreen());
    }

    /**
     * One object as it is asked for.
     *
     * @param name for {@code -o name}
     * @param lines for people
     */
    void show(Object body, String name, Lines lines) throws FleetFailure {
        switch (print.format()) {
            case json -> say(Printed.json(body));
            case yaml -> say(Printed.yaml(body));
            case name -> say(name);
            case table, wide -> lines.get().forEach(this::say);
        }
    }

    /** Lines that may have to be asked for. */
    @FunctionalInterface
    interface Lines {
        List<String> get() throws FleetFailure;
    }

    /** Names that are there, asked for only when one is not. */
    @FunctionalInterface
    interface Names {
        List<String> get() throws FleetFailure;
    }

    /** What is asked for one object. */
    @FunctionalInterface
    interface Ask<T> {
        T ask() throws FleetFailure;
    }

    /** One object; when it is not there, the name that was probably meant is said. */
    static <T> T found(Ask<T> ask, String wanted, Names names) throws FleetFailure {
        try {
            return ask.ask();
        } catch (FleetFailure e) {
            if (e.kind() != Kind.NOT_FOUND || e.text().contains("did you mean")) {
                throw e;
            }
            String near = Suggestion.closest(wanted, names.get()).orElse("");
            throw near.isEmpty() ? e : new FleetFailure(Kind.NOT_FOUND, e.text() + "; did you mean " + near + "?");
        }
    }
}
