package io.osmhub.deploy.cli;

import io.osmhub.deploy.fleet.FleetEndpoint;
import io.osmhub.deploy.fleet.FleetFailure;
import io.osmhub.deploy.fleet.RegistrationClient;
import java.nio.file.Path;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Changes a worker cluster after a confirmation, and waits until the hub has completed the change. */
abstract class AwaitedChangeCommand extends RegistrationCommand {
    @Option(names = "--yes", description = "Skip the confirmation.")
    private boolean yes;

    @Option(names = "--no-wait", description = "Do not wait for the hub; for a hub that is not running.")
    private boolean noWait;

    @Option(names = "--kubeconfig", paramLabel = "FILE", description = "Kubeconfig of the management cluster.")
    private @Nullable Path kubeconfig;

    AwaitedChangeCommand(Terminal terminal) {
        super(terminal);
    }

    /** The worker cluster to change; {@code title} names it and its management cluster in messages. */
    record AwaitedTarget(RegistrationClient client, String namespace, String name, String title) {}

    /** The confirmation prompt. */
    abstract String confirmationQuestion(AwaitedTarget target);

    /** Requests the change. */
    abstract void requestChange(AwaitedTarget target) throws FleetFailure;

    /** Whether the hub has completed the change. */
    abstract boolean isDone(AwaitedTarget target) throws FleetFailure;

    /** Printed when the hub does not complete the change in time. */
    abstract String timeoutMessage(AwaitedTarget target);

    /**
     * Finishes the change and reports it.
     *
     * @param done false if the hub was not waited for
     */
    abstract void complete(AwaitedTarget target, boolean done) throws FleetFailure;

    @Override
    final @Nullable Path managementKubeconfig() {
        return kubeconfig;
    }

    @Override
    int run(RegistrationClient client, FleetEndpoint remote) throws FleetFailure {
        String namespace = options.namespace(remote);
        AwaitedTarget target = new AwaitedTarget(client, namespace, name, workerCluster(client, namespace, name));
        client.workerCluster(namespace, name);
        terminal.confirm(confirmationQuestion(target), yes);
        requestChange(target);
        Instant end = Instant.now().plus(options.timeout());
        while (!noWait && !isDone(target)) {
            if (!Instant.now().isBefore(end)) {
                printHint(timeoutMessage(target));
                return ExitCode.FOUND_SOMETHING;
            }
            awaitNextPoll();
        }
        complete(target, !noWait);
        return ExitCode.OK;
    }
}
