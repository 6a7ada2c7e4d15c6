package io.osmhub.deploy.cli;

import io.osmhub.deploy.fleet.FleetFailure;
import io.osmhub.deploy.fleet.FleetFailure.FleetFailureKind;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code hub cluster remove}: removes a worker cluster from the hub. */
@Command(
        name = "remove",
        aliases = {"rm", "delete"},
        mixinStandardHelpOptions = true,
        description = {
            "Remove a worker cluster: the hub deletes its objects there and stops serving it.",
            "Running machines are unaffected; new ones do not start until another controller serves them."
        })
final class ClusterRemoveCommand extends AwaitedChangeCommand {
    @Option(names = "--retain", description = "Keep the secrets in the worker cluster for another controller.")
    private boolean retain;

    ClusterRemoveCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    String confirmationQuestion(AwaitedTarget target) {
        return "Remove " + target.title()
                + (retain ? ", keeping its secrets" : " and all objects that the hub wrote there") + "?";
    }

    @Override
    void requestChange(AwaitedTarget target) throws FleetFailure {
        target.client().remove(target.namespace(), target.name(), retain);
    }

    @Override
    boolean isDone(AwaitedTarget target) throws FleetFailure {
        try {
            target.client().workerCluster(target.namespace(), target.name());
            return false;
        } catch (FleetFailure e) {
            if (e.kind() == FleetFailureKind.NOT_FOUND) {
                return true;
            }
            throw e;
        }
    }

    @Override
    String timeoutMessage(AwaitedTarget target) {
        return target.title() + " is still being removed; the hub stops cleaning up after spec.cleanupTimeout";
    }

    @Override
    void complete(AwaitedTarget target, boolean done) {
        printLine(target.title() + (done ? " removed." : " is being removed."));
    }
}
