package io.osmhub.deploy.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import io.osmhub.core.plan.OwnershipAnnotations;
import io.osmhub.core.workercluster.WorkerClusterStatus.State;
import io.osmhub.deploy.fleet.CommandFailure;
import io.osmhub.deploy.fleet.CommandFailure.CommandFailureKind;
import io.osmhub.deploy.fleet.FleetEndpoint;
import io.osmhub.deploy.fleet.ManagementClient;
import io.osmhub.deploy.fleet.Polling;
import io.osmhub.deploy.fleet.RegistrationClient;
import io.osmhub.tenancy.management.ObjectMetadata;
import io.osmhub.workersync.apiserver.Resource;
import java.util.function.BooleanSupplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Changes a worker cluster after a confirmation, and waits until the hub has completed the change. */
abstract class ConfirmedChange extends RegistrationCommand {
    @Option(names = "--yes", description = "Skip the confirmation.")
    private boolean yes;

    @Option(names = "--no-wait", description = "Do not wait for the hub; for a hub that is not running.")
    boolean noWait;

    final void confirm(String question) {
        terminal.confirm(question, yes);
    }

    /** Waits until the hub is done, if requested; prints the message and returns false if that takes too long. */
    final boolean await(BooleanSupplier done, String otherwise) {
        if (noWait || Polling.await(options.timeout(), done)) {
            return true;
        }
        printHint(otherwise);
        return false;
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
    static final class Remove extends ConfirmedChange {
        @Option(names = "--retain", description = "Keep the secrets in the worker cluster for another controller.")
        private boolean retain;

        @Override
        int run(RegistrationTarget target) {
            String uid = target.read().metadata().uid();
            confirm("Remove " + target
                    + (retain ? ", keeping its secrets" : " and all objects that the hub wrote there") + "?");
            target.client().remove(target.namespace(), target.name(), retain);
            if (!await(
                    () -> isRemoved(target, uid),
                    target + " is still being removed; the hub stops cleaning up after spec.cleanupTimeout")) {
                return ExitCode.FOUND_SOMETHING;
            }
            printLine(target + (noWait ? " is being removed" : " removed"));
            return ExitCode.OK;
        }

        private static boolean isRemoved(RegistrationTarget target, String uid) {
            try {
                // KKP mode registers a cluster again at once.
                return !target.read().metadata().uid().equals(uid);
            } catch (CommandFailure e) {
                if (e.kind() == CommandFailureKind.NOT_FOUND) {
                    return true;
                }
                throw e;
            }
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
    static final class Release extends ConfirmedChange {
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
        int run(RegistrationTarget target) {
            target.read();
            confirm("Pause " + target + " and delete its OperatingSystemConfigs?");
            target.set("paused", BooleanNode.TRUE);
            if (!await(
                    () -> target.read().status().state() == State.PAUSED,
                    target + " is set to paused, but no hub has confirmed it; nothing was deleted. If no hub is"
                            + " running, use --no-wait")) {
                return ExitCode.FOUND_SOMETHING;
            }
            printLine(target + " paused, " + deleteConfigs((ManagementClient) target.client(), target.namespace())
                    + " OperatingSystemConfigs deleted");
            return ExitCode.OK;
        }

        /** A config without the hub's label belongs to OSM and contains credentials: keep it. */
        private static int deleteConfigs(ManagementClient management, String namespace) {
            int deleted = 0;
            for (JsonNode object : management.list(Resource.OPERATING_SYSTEM_CONFIGS, namespace)) {
                ObjectMetadata head = ObjectMetadata.of(object);
                if (head.annotations().containsKey(OwnershipAnnotations.OWNER)) {
                    management.delete(Resource.OPERATING_SYSTEM_CONFIGS, head);
                    deleted++;
                }
            }
            return deleted;
        }
    }
}
