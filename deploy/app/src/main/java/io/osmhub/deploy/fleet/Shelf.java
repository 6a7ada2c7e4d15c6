package io.osmhub.deploy.fleet;

import io.osmhub.api.inventory.Inventory;
import io.osmhub.api.inventory.Sight;
import io.osmhub.api.paging.PageRequest;
import io.osmhub.api.problem.ApiProblem;
import io.osmhub.api.schema.MachineDeployment;
import io.osmhub.api.schema.MachineDeploymentList;
import io.osmhub.api.schema.Osc;
import io.osmhub.api.schema.OscList;
import io.osmhub.api.schema.Osp;
import io.osmhub.api.schema.OspList;
import io.osmhub.api.schema.Page;
import io.osmhub.api.schema.ProblemEntry;
import io.osmhub.api.schema.ProblemEntryList;
import io.osmhub.api.schema.WorkerCluster;
import io.osmhub.api.schema.WorkerClusterList;
import io.osmhub.workersync.apiserver.Resource;
import java.util.Set;

/**
 * One of the lists that the fleet has: where the API has it, and how the read model of this process answers it.
 *
 * @param path below /api/v1
 * @param page what the API answers
 * @param needs kinds of stored objects without which there is no such list
 * @param filters names of the filters that the list has
 * @param local the same list from what is stored
 */
public record Shelf<T>(
        String path, Class<? extends Page<T>> page, Set<Resource> needs, Set<String> filters, Local<T> local) {
    public static final Shelf<WorkerCluster> CLUSTERS = new Shelf<>(
            "/worker-clusters",
            WorkerClusterList.class,
            Set.of(Resource.WORKER_CLUSTERS),
            Set.of("state", "newNodes", "reason", "kubernetesVersion", "profile"),
            (inventory, filters, page) -> inventory.workerClusters(filters.workerClusters(page), Sight.EVERYTHING));

    public static final Shelf<Osp> PROFILES = new Shelf<>(
            "/osps",
            OspList.class,
            Set.of(Resource.OPERATING_SYSTEM_PROFILES),
            Set.of("osName", "valid", "usedIn"),
            (inventory, filters, page) -> inventory.profiles(filters.profiles(page), Sight.EVERYTHING));

    public static final Shelf<Osc> CONFIGURATIONS = new Shelf<>(
            "/oscs",
            OscList.class,
            Set.of(Resource.OPERATING_SYSTEM_CONFIGS),
            Set.of("profile", "ready", "osName", "cloudProvider"),
            (inventory, filters, page) -> inventory.configurations(filters.configurations(page), Sight.EVERYTHING));

    public static final Shelf<MachineDeployment> MACHINE_DEPLOYMENTS = new Shelf<>(
            "/machine-deployments",
            MachineDeploymentList.class,
            Set.of(Resource.WORKER_CLUSTERS, Resource.OPERATING_SYSTEM_CONFIGS),
            Set.of("newNodes", "reason", "profile", "cloudProvider"),
            (inventory, filters, page) ->
                    inventory.machineDeployments(filters.machineDeployments(page), Sight.EVERYTHING));

    public static final Shelf<ProblemEntry> PROBLEMS = new Shelf<>(
            "/problems",
            ProblemEntryList.class,
            Set.of(Resource.WORKER_CLUSTERS),
            Set.of("state", "severity", "actor", "category", "reason"),
            (inventory, filters, page) -> inventory.problems(filters.problems(page), Sight.EVERYTHING));

    public Shelf {
        needs = Set.copyOf(needs);
        filters = Set.copyOf(filters);
    }

    /** A page from a read model. What the caller may not see was not read, so that all of it may be shown. */
    @FunctionalInterface
    interface Local<T> {
        Page<T> page(Inventory inventory, Filters filters, PageRequest page) throws ApiProblem, FleetFailure;
    }
}
