package io.osmhub.deploy.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.core.plan.Marks;
import io.osmhub.core.workercluster.WorkerClusterStatus.State;
import io.osmhub.deploy.fleet.DirectFleet;
import io.osmhub.deploy.fleet.Failing;
import io.osmhub.deploy.fleet.FleetFailure;
import io.osmhub.deploy.fleet.FleetFailure.Kind;
import io.osmhub.deploy.fleet.FleetSource;
import io.osmhub.deploy.fleet.Remote;
import io.osmhub.tenancy.wire.ObjectHead;
import io.osmhub.tenancy.wire.WireJson;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ApiRequest;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.apiserver.Resource;
import java.io.IOException;
import java.util.Map;
import picocli.CommandLine.Command;

/** {@code hub cluster release}: prepares a worker cluster for operating-system-manager, which would publish placeholders otherwise. */
@Command(
        name = "release",
        mixinStandardHelpOptions = true,
        description = {
            "Pause a worker cluster and delete the OperatingSystemConfigs that the hub wrote for it.",
            "Operating System Manager then creates its own: it would publish the placeholders of the hub's. Secrets and tokens stay.",
            "Works straight from the management cluster only, with your right to delete OperatingSystemConfigs: the hub's API"
                    + " changes registrations and deletes no configuration, for any caller."
        })
final class ClusterReleaseCommand extends AwaitedChangeCommand {
    ClusterReleaseCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    int run(FleetSource fleet, Remote remote) throws FleetFailure {
        if (!(fleet instanceof DirectFleet)) {
            throw new FleetFailure(
                    Kind.UNUSABLE,
                    "the API deletes no OperatingSystemConfigs; leave out --server, and name the management cluster's"
                            + " kubeconfig with --kubeconfig");
        }
        return super.run(fleet, remote);
    }

    @Override
    String question(Target target) {
        return "Pause " + target.title() + " and delete its OperatingSystemConfigs?";
    }

    @Override
    void request(Target target) throws FleetFailure {
        ObjectNode patch = JsonNodeFactory.instance.objectNode();
        patch.putObject("spec").put("paused", true);
        target.fleet().registrations().patch(target.namespace(), target.name(), patch);
    }

    @Override
    boolean isDone(Target target) throws FleetFailure {
        return target.fleet()
                        .workerCluster(target.namespace(), target.name())
                        .status()
                        .state()
                == State.PAUSED;
    }

    @Override
    String overdue(Target target) {
        return target.title() + " is set to paused, but no hub has confirmed it; nothing was deleted. If no hub is"
                + " running, use --no-wait";
    }

    @Override
    void complete(Target target, boolean done) throws FleetFailure {
        try {
            int deleted = deleteConfigs(((DirectFleet) target.fleet()).management(), target.namespace());
            say(target.title() + " paused, " + deleted + " OperatingSystemConfigs deleted.");
        } catch (ApiFailure e) {
            throw Failing.of(e, target.fleet().describe());
        }
    }

    /** One without a mark is the peer's own, with its credentials. */
    private static int deleteConfigs(KubeApi management, String namespace) throws ApiFailure {
        int deleted = 0;
        for (JsonNode object : list(management, namespace)) {
            ObjectHead head = ObjectHead.of(object);
            if (head.annotations().containsKey(Marks.OWNER)) {
                management.send(
                        ApiRequest.delete(Resource.OPERATING_SYSTEM_CONFIGS, namespace, head.name(), head.uid(), null));
                deleted++;
            }
        }
        return deleted;
    }

    private static JsonNode list(KubeApi management, String namespace) throws ApiFailure {
        try {
            return WireJson.read(
                            management.send(ApiRequest.list(Resource.OPERATING_SYSTEM_CONFIGS, namespace, Map.of())))
                    .path("items");
        } catch (IOException e) {
            throw ApiFailure.noAnswer(ApiFailure.Cause.UNREADABLE, "unexpected response: not JSON");
        }
    }
}
