package io.osmhub.api.rest;

import io.osmhub.api.access.Access;
import io.osmhub.api.access.Visible;
import io.osmhub.api.http.Call;
import io.osmhub.api.http.Operation;
import io.osmhub.api.http.Reply;
import io.osmhub.api.inventory.ConfigurationQuery;
import io.osmhub.api.inventory.Inventory;
import io.osmhub.api.inventory.MachineDeploymentQuery;
import io.osmhub.api.inventory.ProblemQuery;
import io.osmhub.api.inventory.ProfileQuery;
import io.osmhub.api.inventory.Sight;
import io.osmhub.api.inventory.WorkerClusterQuery;
import io.osmhub.api.problem.ApiProblem;
import io.osmhub.api.registration.WorkerClusterVersion;
import io.osmhub.api.schema.WorkerCluster;
import io.osmhub.core.osc.OperatingSystemConfigStatus.NewNodes;
import io.osmhub.core.problem.Actor;
import io.osmhub.core.problem.Category;
import io.osmhub.core.problem.Severity;
import io.osmhub.core.resource.Condition;
import io.osmhub.core.workercluster.WorkerClusterStatus.State;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.apiserver.Verb;
import java.util.List;

/** The operations that read the inventory. What a caller may not see is answered like what is not there. */
public final class ReadOperations {
    private final Inventory inventory;
    private final Access access;

    public ReadOperations(Inventory inventory, Access access) {
        this.inventory = inventory;
        this.access = access;
    }

    public List<Operation> operations() {
        return List.of(
                Operation.of("getSummary", this::summary),
                Operation.of("listWorkerClusters", this::workerClusters),
                Operation.of("getWorkerCluster", this::workerCluster),
                Operation.of("listOsps", this::profiles),
                Operation.of("listOscs", this::configurations),
                Operation.of("listMachineDeployments", this::machineDeployments),
                Operation.of("listProblems", this::problems),
                Operation.of("search", this::search));
    }

    private Sight sight(Call call) throws ApiProblem {
        return new Sight(
                access.visible(call.caller(), Resource.WORKER_CLUSTERS),
                access.visible(call.caller(), Resource.OPERATING_SYSTEM_PROFILES),
                access.visible(call.caller(), Resource.OPERATING_SYSTEM_CONFIGS));
    }

    private Reply summary(Call call) throws ApiProblem {
        return Reply.ok(inventory.summary(sight(call)));
    }

    private Reply workerClusters(Call call) throws ApiProblem {
        Parameters parameters = new Parameters(call);
        WorkerClusterQuery query = new WorkerClusterQuery(
                parameters.page(),
                parameters.constants("state", State.class),
                parameters.constants("newNodes", NewNodes.class),
                parameters.reason(),
                parameters.text("kubernetesVersion"),
                parameters.text("profile"));
        return Reply.ok(inventory.workerClusters(query, sight(call)));
    }

    private Reply workerCluster(Call call) throws ApiProblem {
        String namespace = call.path("namespace");
        String name = call.path("name");
        boolean seen = access.may(call.caller(), Verb.GET, Resource.WORKER_CLUSTERS, namespace, name);
        Visible here = new Only(seen, namespace);
        WorkerCluster found = inventory
                .workerCluster(namespace, name, new Sight(here, here, here))
                .orElseThrow(() -> ApiProblem.notFound("WorkerCluster " + name + " in namespace " + namespace));
        return Reply.ok(found).with("ETag", WorkerClusterVersion.etag(found));
    }

    private Reply profiles(Call call) throws ApiProblem {
        Parameters parameters = new Parameters(call);
        ProfileQuery query = new ProfileQuery(
                parameters.page(),
                parameters.text("osName"),
                parameters.constant("valid", Condition.Status.class),
                parameters.text("usedIn"));
        return Reply.ok(inventory.profiles(query, sight(call)));
    }

    private Reply configurations(Call call) throws ApiProblem {
        Parameters parameters = new Parameters(call);
        ConfigurationQuery query = new ConfigurationQuery(
                parameters.page(),
                parameters.text("profile"),
                parameters.constant("ready", Condition.Status.class),
                parameters.text("osName"),
                parameters.text("cloudProvider"));
        return Reply.ok(inventory.configurations(query, sight(call)));
    }

    private Reply machineDeployments(Call call) throws ApiProblem {
        Parameters parameters = new Parameters(call);
        MachineDeploymentQuery query = new MachineDeploymentQuery(
                parameters.page(),
                parameters.constants("newNodes", NewNodes.class),
                parameters.reason(),
                parameters.text("profile"),
                parameters.text("cloudProvider"));
        return Reply.ok(inventory.machineDeployments(query, sight(call)));
    }

    private Reply problems(Call call) throws ApiProblem {
        Parameters parameters = new Parameters(call);
        ProblemQuery query = new ProblemQuery(
                parameters.page(),
                "Resolved".equals(parameters.text("state")),
                parameters.constant("severity", Severity.class),
                parameters.constant("actor", Actor.class),
                parameters.constant("category", Category.class),
                parameters.reason());
        return Reply.ok(inventory.problems(query, sight(call)));
    }

    private Reply search(Call call) throws ApiProblem {
        Parameters parameters = new Parameters(call);
        return Reply.ok(inventory.search(call.query("q").orElse(""), parameters.limit(), sight(call)));
    }

    /** One namespace, or nothing. */
    private record Only(boolean seen, String namespace) implements Visible {
        @Override
        public boolean all() {
            return false;
        }

        @Override
        public boolean sees(String other) {
            return seen && namespace.equals(other);
        }
    }
}
