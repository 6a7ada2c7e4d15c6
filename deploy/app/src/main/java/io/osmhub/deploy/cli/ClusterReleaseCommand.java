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
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code hub cluster release}: prepares a worker cluster for operating-system-manager, which would publish placeholders otherwise. */
@Command(
        name = "release",
        mixinStandardHelpOptions = true,
        description = {
            "Pause a worker cluster and delete the OperatingSystemConfigs that the hub wrote for it.",
            "Operating System Manager then creates its own: it would publish the placeholders of the hub's. Secrets and tokens stay."
        })
final class ClusterReleaseCommand extends FleetCommand {
    @Parameters(index = "0", paramLabel = "NAME", description = "Name of the WorkerCluster.")
    private String name = "";

    @Option(names = "--no-wait", description = "Do not wait until the hub has paused; for a hub that is not running.")
    private boolean noWait;

    @Option(names = "--yes", description = "Do not ask.")
    private boolean yes;

    @Option(names = "--kubeconfig", paramLabel = "FILE", description = "Kubeconfig of the management cluster.")
    private @Nullable Path kubeconfig;

    ClusterReleaseCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    @Nullable Path managementKubeconfig() {
        return kubeconfig;
    }

    @Override
    int run(FleetSource fleet, Remote remote) throws FleetFailure {
        if (!(fleet instanceof DirectFleet direct)) {
            throw new FleetFailure(
                    Kind.UNUSABLE,
                    "the API deletes no OperatingSystemConfigs; leave out --server, and name the management cluster's"
                            + " kubeconfig with --kubeconfig");
        }
        String namespace = options.namespace(remote);
        String what = workerCluster(fleet, namespace, name);
        fleet.workerCluster(namespace, name);
        terminal.confirm("Pause " + what + " and delete its OperatingSystemConfigs?", yes);
        ObjectNode patch = JsonNodeFactory.instance.objectNode();
        patch.putObject("spec").put("paused", true);
        fleet.registrations().patch(namespace, name, patch);
        Instant end = Instant.now().plus(options.timeout());
        while (!noWait && fleet.workerCluster(namespace, name).status().state() != State.PAUSED) {
            if (!Instant.now().isBefore(end)) {
                hint(what + " is set to paused, but no hub has confirmed it; nothing was deleted. If no hub is running,"
                        + " use --no-wait");
                return ExitCode.FOUND_SOMETHING;
            }
            awaitNextPoll();
        }
        try {
            int deleted = deleteConfigs(direct.management(), namespace);
            say(what + " paused, " + deleted + " OperatingSystemConfigs deleted.");
        } catch (ApiFailure e) {
            throw Failing.of(e, fleet.describe());
        }
        return ExitCode.OK;
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
            throw ApiFailure.noAnswer(ApiFailure.Cause.UNREADABLE, "the answer is not JSON");
        }
    }
}
