package io.osmhub.deploy.cli;

import io.osmhub.deploy.fleet.FleetFailure;
import io.osmhub.deploy.fleet.FleetSource;
import io.osmhub.deploy.fleet.Remote;
import java.nio.file.Path;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Changes a worker cluster after a confirmation, and waits until the hub has done its part. */
abstract class AwaitedChangeCommand extends FleetCommand {
    @Parameters(index = "0", paramLabel = "NAME", description = "Name of the WorkerCluster.")
    private String name = "";

    @Option(names = "--yes", description = "Do not ask.")
    private boolean yes;

    @Option(names = "--no-wait", description = "Do not wait for the hub, which may not be running.")
    private boolean noWait;

    @Option(names = "--kubeconfig", paramLabel = "FILE", description = "Kubeconfig of the management cluster.")
    private @Nullable Path kubeconfig;

    AwaitedChangeCommand(Terminal terminal) {
        super(terminal);
    }

    /** The worker cluster that is changed; {@code title} names it and its management cluster in messages. */
    record Target(FleetSource fleet, String namespace, String name, String title) {}

    /** What the user confirms. */
    abstract String question(Target target);

    /** Asks for the change. */
    abstract void request(Target target) throws FleetFailure;

    /** Whether the hub has done its part. */
    abstract boolean isDone(Target target) throws FleetFailure;

    /** What is printed when the hub has not done its part in time. */
    abstract String overdue(Target target);

    /**
     * Does the rest and reports it.
     *
     * @param done false when the hub was not waited for
     */
    abstract void complete(Target target, boolean done) throws FleetFailure;

    @Override
    final @Nullable Path managementKubeconfig() {
        return kubeconfig;
    }

    @Override
    int run(FleetSource fleet, Remote remote) throws FleetFailure {
        String namespace = options.namespace(remote);
        Target target = new Target(fleet, namespace, name, workerCluster(fleet, namespace, name));
        fleet.workerCluster(namespace, name);
        terminal.confirm(question(target), yes);
        request(target);
        Instant end = Instant.now().plus(options.timeout());
        while (!noWait && !isDone(target)) {
            if (!Instant.now().isBefore(end)) {
                hint(overdue(target));
                return ExitCode.FOUND_SOMETHING;
            }
            awaitNextPoll();
        }
        complete(target, !noWait);
        return ExitCode.OK;
    }
}
