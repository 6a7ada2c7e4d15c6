package io.osmhub.deploy.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.core.plan.OwnershipAnnotations;
import io.osmhub.core.workercluster.WorkerClusterStatus.State;
import io.osmhub.deploy.fleet.CommandFailure;
import io.osmhub.deploy.fleet.CommandFailure.CommandFailureKind;
import io.osmhub.deploy.fleet.FailureMessages;
import io.osmhub.deploy.fleet.FleetEndpoint;
import io.osmhub.deploy.fleet.ManagementClient;
import io.osmhub.deploy.fleet.RegistrationClient;
import io.osmhub.tenancy.management.ObjectMetadata;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ApiRequest;
import io.osmhub.workersync.apiserver.Resource;
import java.time.Instant;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Changes a worker cluster after a confirmation, and waits until the hub has completed the change. */
abstract class AwaitedChangeCommand extends RegistrationCommand.ManagedClusterCommand {
    @Option(names = "--yes", description = "Skip the confirmation.")
    private boolean yes;

    @Option(names = "--no-wait", description = "Do not wait for the hub; for a hub that is not running.")
    private boolean noWait;

    /** The worker cluster to change; {@code title} names it and its management cluster in messages. */
    record AwaitedTarget(RegistrationClient client, String namespace, String name, String uid, String title) {}

    /** The confirmation prompt. */
    abstract String confirmationQuestion(AwaitedTarget target);

    /** Requests the change. */
    abstract void requestChange(AwaitedTarget target);

    /** Whether the hub has completed the change. */
    abstract boolean isDone(AwaitedTarget target);

    /** Printed when the hub does not complete the change in time. */
    abstract String timeoutMessage(AwaitedTarget target);

    /**
     * Finishes the change and reports it.
     *
     * @param done false if the hub was not waited for
     */
    abstract void complete(AwaitedTarget target, boolean done);

    @Override
    int run(RegistrationClient client, FleetEndpoint remote) {
        String namespace = options.namespace(remote);
        String uid = client.workerCluster(namespace, name).metadata().uid();
        AwaitedTarget target = new AwaitedTarget(client, namespace, name, uid, workerCluster(client, namespace, name));
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

    /** {@code hub cluster remove}: removes a worker cluster from the hub. */
    @Command(
            name = "remove",
            aliases = {"rm", "delete"},
            mixinStandardHelpOptions = true,
            description = {
                "Remove a worker cluster: the hub deletes its objects there and stops serving it.",
                "Running machines are unaffected; new ones do not start until another controller serves them."
            })
    static final class Remove extends AwaitedChangeCommand {
        @Option(names = "--retain", description = "Keep the secrets in the worker cluster for another controller.")
        private boolean retain;

        @Override
        String confirmationQuestion(AwaitedTarget target) {
            return "Remove " + target.title()
                    + (retain ? ", keeping its secrets" : " and all objects that the hub wrote there") + "?";
        }

        @Override
        void requestChange(AwaitedTarget target) {
            target.client().remove(target.namespace(), target.name(), retain);
        }

        @Override
        boolean isDone(AwaitedTarget target) {
            try {
                // KKP mode registers a cluster again at once.
                return !target.client()
                        .workerCluster(target.namespace(), target.name())
                        .metadata()
                        .uid()
                        .equals(target.uid());
            } catch (CommandFailure e) {
                if (e.kind() == CommandFailureKind.NOT_FOUND) {
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
            printLine(target.title() + (done ? " removed" : " is being removed"));
        }
    }

    /** {@code hub cluster release}: hands a worker cluster back to OSM, which would publish the hub's placeholders otherwise. */
    @Command(
            name = "release",
            mixinStandardHelpOptions = true,
            description = {
                "Pause a worker cluster and delete the OperatingSystemConfigs that the hub wrote for it, before returning to Operating System Manager (OSM).",
                "OSM then creates its own instead of publishing the hub's placeholders. Secrets and tokens are kept.",
                "Requires the management cluster and permission to delete OperatingSystemConfigs: the hub's API only"
                        + " changes registrations."
            })
    static final class Release extends AwaitedChangeCommand {
        @Override
        int run(RegistrationClient client, FleetEndpoint remote) {
            if (!(client instanceof ManagementClient)) {
                throw CommandFailure.unusable(
                        "the API does not delete OperatingSystemConfigs; omit --server and give the management cluster's"
                                + " kubeconfig with --kubeconfig");
            }
            return super.run(client, remote);
        }

        @Override
        String confirmationQuestion(AwaitedTarget target) {
            return "Pause " + target.title() + " and delete its OperatingSystemConfigs?";
        }

        @Override
        void requestChange(AwaitedTarget target) {
            ObjectNode patch = JsonNodeFactory.instance.objectNode();
            patch.putObject("spec").put("paused", true);
            target.client().patch(target.namespace(), target.name(), patch);
        }

        @Override
        boolean isDone(AwaitedTarget target) {
            return target.client()
                            .workerCluster(target.namespace(), target.name())
                            .status()
                            .state()
                    == State.PAUSED;
        }

        @Override
        String timeoutMessage(AwaitedTarget target) {
            return target.title() + " is set to paused, but no hub has confirmed it; nothing was deleted. If no hub is"
                    + " running, use --no-wait";
        }

        @Override
        void complete(AwaitedTarget target, boolean done) {
            int deleted = deleteConfigs((ManagementClient) target.client(), target.namespace());
            printLine(target.title() + " paused, " + deleted + " OperatingSystemConfigs deleted");
        }

        /** A config without the hub's label belongs to OSM and contains credentials: keep it. */
        private static int deleteConfigs(ManagementClient management, String namespace) {
            int deleted = 0;
            for (JsonNode object : management.list(Resource.OPERATING_SYSTEM_CONFIGS, namespace)) {
                ObjectMetadata head = ObjectMetadata.of(object);
                if (head.annotations().containsKey(OwnershipAnnotations.OWNER)) {
                    try {
                        management
                                .management()
                                .send(ApiRequest.delete(
                                        Resource.OPERATING_SYSTEM_CONFIGS, namespace, head.name(), head.uid(), null));
                        deleted++;
                    } catch (ApiFailure e) {
                        throw FailureMessages.of(e, management.describe());
                    }
                }
            }
            return deleted;
        }
    }
}
