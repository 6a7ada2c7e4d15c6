package io.osmhub.deploy.cli;

import io.osmhub.deploy.fleet.FleetFailure;
import io.osmhub.deploy.fleet.FleetFailure.Kind;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code hub cluster remove}: takes the hub out of a worker cluster. */
@Command(
        name = "remove",
        aliases = {"rm", "delete"},
        mixinStandardHelpOptions = true,
        description = {
            "Remove a worker cluster: the hub deletes what it wrote there, and lets go of it.",
            "Machines that run go on; new ones do not start until somebody else publishes for them."
        })
final class ClusterRemoveCommand extends AwaitedChangeCommand {
    @Option(names = "--retain", description = "Leave the secrets in the worker cluster, to hand it over.")
    private boolean retain;

    ClusterRemoveCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    String question(Target target) {
        return "Remove " + target.title() + (retain ? ", leaving its secrets" : " with all that the hub wrote there")
                + "?";
    }

    @Override
    void request(Target target) throws FleetFailure {
        target.fleet().registrations().remove(target.namespace(), target.name(), retain);
    }

    @Override
    boolean isDone(Target target) throws FleetFailure {
        try {
            target.fleet().workerCluster(target.namespace(), target.name());
            return false;
        } catch (FleetFailure e) {
            if (e.kind() == Kind.NOT_FOUND) {
                return true;
            }
            throw e;
        }
    }

    @Override
    String overdue(Target target) {
        return target.title() + " is still being removed; the hub lets go after spec.cleanupTimeout";
    }

    @Override
    void complete(Target target, boolean done) {
        say(target.title() + (done ? " removed." : " is being removed by the hub."));
    }
}
