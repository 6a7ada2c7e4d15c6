package io.osmhub.deploy.cli;

import io.osmhub.core.template.SpellingSuggestion;
import io.osmhub.deploy.fleet.FleetEndpoint;
import io.osmhub.deploy.fleet.FleetFailure;
import io.osmhub.deploy.fleet.FleetFailure.FleetFailureKind;
import io.osmhub.deploy.fleet.HubClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** A read-only verb: a client of the hub's API. */
abstract class ReadCommand extends FleetCommand<HubClient> {
    @Option(names = "--kubeconfig", paramLabel = "FILE", description = "Kubeconfig of the management cluster.")
    private @Nullable Path kubeconfig;

    ReadCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    final @Nullable Path managementKubeconfig() {
        return kubeconfig;
    }

    @Override
    final HubClient open(FleetEndpoint remote) throws FleetFailure {
        return remote.openHub().withHints(this::printHint);
    }

    @Override
    @Nullable Duration limit() throws FleetFailure {
        return options.timeout();
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
