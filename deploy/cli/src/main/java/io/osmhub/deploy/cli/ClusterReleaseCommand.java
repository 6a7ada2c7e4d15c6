package io.osmhub.deploy.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.core.plan.OwnershipAnnotations;
import io.osmhub.core.workercluster.WorkerClusterStatus.State;
import io.osmhub.deploy.fleet.FailureMessages;
import io.osmhub.deploy.fleet.FleetEndpoint;
import io.osmhub.deploy.fleet.FleetFailure;
import io.osmhub.deploy.fleet.FleetFailure.FleetFailureKind;
import io.osmhub.deploy.fleet.ManagementClient;
import io.osmhub.deploy.fleet.RegistrationClient;
import io.osmhub.tenancy.wire.ObjectMetadata;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ApiRequest;
import io.osmhub.workersync.apiserver.Resource;
import picocli.CommandLine.Command;

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
final class ClusterReleaseCommand extends AwaitedChangeCommand {
    ClusterReleaseCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    int run(RegistrationClient client, FleetEndpoint remote) throws FleetFailure {
        if (!(client instanceof ManagementClient)) {
            throw new FleetFailure(
                    FleetFailureKind.UNUSABLE,
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
    void requestChange(AwaitedTarget target) throws FleetFailure {
        ObjectNode patch = JsonNodeFactory.instance.objectNode();
        patch.putObject("spec").put("paused", true);
        target.client().patch(target.namespace(), target.name(), patch);
    }

    @Override
    boolean isDone(AwaitedTarget target) throws FleetFailure {
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
    void complete(AwaitedTarget target, boolean done) throws FleetFailure {
        int deleted = deleteConfigs((ManagementClient) target.client(), target.namespace());
        printLine(target.title() + " paused, " + deleted + " OperatingSystemConfigs deleted.");
    }

    /** A config without the hub's label belongs to OSM and contains credentials: keep it. */
    private static int deleteConfigs(ManagementClient management, String namespace) throws FleetFailure {
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
