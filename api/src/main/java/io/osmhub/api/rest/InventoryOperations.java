package io.osmhub.api.rest;

import io.osmhub.api.access.CallerAuthorizer;
import io.osmhub.api.access.VisibleTenants;
import io.osmhub.api.http.Call;
import io.osmhub.api.http.Operation;
import io.osmhub.api.http.Reply;
import io.osmhub.api.inventory.ConfigurationQuery;
import io.osmhub.api.inventory.Inventory;
import io.osmhub.api.inventory.MachineDeploymentQuery;
import io.osmhub.api.inventory.ProblemQuery;
import io.osmhub.api.inventory.ProfileQuery;
import io.osmhub.api.inventory.Visibility;
import io.osmhub.api.inventory.WorkerClusterQuery;
import io.osmhub.api.problem.ApiProblem;
import io.osmhub.api.registration.WorkerClusterEtag;
import io.osmhub.api.schema.WorkerClusterEntry;
import io.osmhub.core.osc.OperatingSystemConfigStatus.NewNodes;
import io.osmhub.core.problem.Actor;
import io.osmhub.core.problem.Category;
import io.osmhub.core.problem.Severity;
import io.osmhub.core.resource.Condition;
import io.osmhub.core.workercluster.WorkerClusterStatus.State;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.apiserver.Verb;
import java.util.List;

/** The operations that read the inventory. Objects hidden from the caller are reported as not found. */
public final class InventoryOperations {
    private final Inventory inventory;
    private final CallerAuthorizer access;

    public InventoryOperations(Inventory inventory, CallerAuthorizer access) {
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

    private Visibility findVisibility(Call call) throws ApiProblem {
        return new Visibility(
                access.findVisibleTenants(call.caller(), Resource.WORKER_CLUSTERS),
                access.findVisibleTenants(call.caller(), Resource.OPERATING_SYSTEM_PROFILES),
                access.findVisibleTenants(call.caller(), Resource.OPERATING_SYSTEM_CONFIGS));
    }

    private Reply summary(Call call) throws ApiProblem {
        return Reply.ok(inventory.summary(findVisibility(call)));
    }

    private Reply workerClusters(Call call) throws ApiProblem {
        QueryParameters parameters = new QueryParameters(call);
        WorkerClusterQuery query = new WorkerClusterQuery(
                parameters.page(),
                parameters.constants("state", State.class),
                parameters.constants("newNodes", NewNodes.class),
                parameters.reason(),
                parameters.text("kubernetesVersion"),
                parameters.text("profile"));
        return Reply.ok(inventory.workerClusters(query, findVisibility(call)));
    }

    private Reply workerCluster(Call call) throws ApiProblem {
        String namespace = call.path("namespace");
        String name = call.path("name");
        boolean seen = access.isAllowed(call.caller(), Verb.GET, Resource.WORKER_CLUSTERS, namespace, name);
        VisibleTenants here = new SingleNamespace(seen, namespace);
        WorkerClusterEntry found = inventory
                .workerCluster(namespace, name, new Visibility(here, here, here))
                .orElseThrow(() -> ApiProblem.notFound("WorkerCluster " + name + " in namespace " + namespace));
        return Reply.ok(found).withHeader("ETag", WorkerClusterEtag.etag(found));
    }

    private Reply profiles(Call call) throws ApiProblem {
        QueryParameters parameters = new QueryParameters(call);
        ProfileQuery query = new ProfileQuery(
                parameters.page(),
                parameters.text("osName"),
                parameters.constant("valid", Condition.Status.class),
                parameters.text("usedIn"));
        return Reply.ok(inventory.profiles(query, findVisibility(call)));
    }

    private Reply configurations(Call call) throws ApiProblem {
        QueryParameters parameters = new QueryParameters(call);
        ConfigurationQuery query = new ConfigurationQuery(
                parameters.page(),
                parameters.text("profile"),
                parameters.constant("ready", Condition.Status.class),
                parameters.text("osName"),
                parameters.text("cloudProvider"));
        return Reply.ok(inventory.configurations(query, findVisibility(call)));
    }

    private Reply machineDeployments(Call call) throws ApiProblem {
        QueryParameters parameters = new QueryParameters(call);
        MachineDeploymentQuery query = new MachineDeploymentQuery(
                parameters.page(),
                parameters.constants("newNodes", NewNodes.class),
                parameters.reason(),
                parameters.text("profile"),
                parameters.text("cloudProvider"));
        return Reply.ok(inventory.machineDeployments(query, findVisibility(call)));
    }

    private Reply problems(Call call) throws ApiProblem {
        QueryParameters parameters = new QueryParameters(call);
        ProblemQuery query = new ProblemQuery(
                parameters.page(),
                "Resolved".equals(parameters.text("state")),
                parameters.constant("severity", Severity.class),
                parameters.constant("actor", Actor.class),
                parameters.constant("category", Category.class),
                parameters.reason());
        return Reply.ok(inventory.problems(query, findVisibility(call)));
    }

    private Reply search(Call call) throws ApiProblem {
        QueryParameters parameters = new QueryParameters(call);
        return Reply.ok(inventory.search(call.query("q").orElse(""), parameters.limit(), findVisibility(call)));
    }

    /** One namespace or none. */
    private record SingleNamespace(boolean seen, String namespace) implements VisibleTenants {
        @Override
        public boolean includesAll() {
            return false;
        }

        @Override
        public boolean includes(String other) {
            return seen && namespace.equals(other);
        }
    }
}
