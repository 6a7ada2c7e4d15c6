package io.osmhub.deploy.cli;

import io.osmhub.deploy.fleet.FleetFailure;
import io.osmhub.deploy.fleet.FleetFailure.Kind;
import io.osmhub.deploy.fleet.FleetSource;
import io.osmhub.deploy.fleet.Remote;
import java.nio.file.Path;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code hub cluster remove}: takes the hub out of a worker cluster. */
@Command(
        name = "remove",
        aliases = {"rm", "delete"},
        mixinStandardHelpOptions = true,
        description = {
            "Remove a worker cluster: the hub deletes what it wrote there, and lets go of it.",
            "Machines that run go on; new ones do not start until somebody else publishes for them."
        })
final class ClusterRemoveCommand extends FleetCommand {
    @Parameters(index = "0", paramLabel = "NAME", description = "Name of the WorkerCluster.")
    private String name = "";

    @Option(names = "--retain", description = "Leave the secrets in the worker cluster, to hand it over.")
    private boolean retain;

    @Option(names = "--yes", description = "Do not ask.")
    private boolean yes;

    @Option(names = "--no-wait", description = "Do not wait until the hub has let go.")
    private boolean noWait;

    @Option(names = "--kubeconfig", paramLabel = "FILE", description = "Kubeconfig of the management cluster.")
    private @Nullable Path kubeconfig;

    ClusterRemoveCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    @Nullable Path managementKubeconfig() {
        return kubeconfig;
    }

    @Override
    int run(FleetSource fleet, Remote remote) throws FleetFailure {
        String namespace = options.namespace(remote);
        String what = workerCluster(fleet, namespace, name);
        fleet.workerCluster(namespace, name);
        terminal.confirm(
                "Remove " + what + (retain ? ", leaving its secrets" : " with all that the hub wrote there") + "?",
                yes);
        fleet.registrations().remove(namespace, name, retain);
        if (noWait) {
            say(what + " is being removed by the hub.");
            return ExitCode.OK;
        }
        Instant end = Instant.now().plus(options.timeout());
        while (isThere(fleet, namespace)) {
            if (!Instant.now().isBefore(end)) {
                hint(what + " is still being removed; the hub lets go after spec.cleanupTimeout");
                return ExitCode.FOUND_SOMETHING;
            }
            awaitNextPoll();
        }
        say(what + " removed.");
        return ExitCode.OK;
    }

    private boolean isThere(FleetSource fleet, String namespace) throws FleetFailure {
        try {
            fleet.workerCluster(namespace, name);
            return true;
        } catch (FleetFailure e) {
            if (e.kind() == Kind.NOT_FOUND) {
                return false;
            }
            throw e;
        }
    }
}
