package io.osmhub.deploy.fleet;

import io.osmhub.api.inventory.Inventory;
import io.osmhub.api.inventory.Visibility;
import io.osmhub.api.paging.PageRequest;
import io.osmhub.api.problem.ApiProblem;
import io.osmhub.api.schema.MachineDeploymentEntry;
import io.osmhub.api.schema.MachineDeploymentList;
import io.osmhub.api.schema.Osc;
import io.osmhub.api.schema.OscList;
import io.osmhub.api.schema.Osp;
import io.osmhub.api.schema.OspList;
import io.osmhub.api.schema.PagedList;
import io.osmhub.api.schema.ProblemEntry;
import io.osmhub.api.schema.ProblemEntryList;
import io.osmhub.api.schema.WorkerClusterEntry;
import io.osmhub.api.schema.WorkerClusterList;
import io.osmhub.workersync.apiserver.Resource;
import java.util.Set;

/**
 * A list of the fleet: its path in the API, and its implementation on the local read model.
 *
 * @param path below /api/v1
 * @param page the API's response type
 * @param needs kinds of stored objects that the list requires
 * @param filters names of the supported filters
 * @param local the list from stored state
 */
public record FleetCollection<T>(
        String path,
        Class<? extends PagedList<T>> page,
        Set<Resource> needs,
        Set<String> filters,
        LocalPageReader<T> local) {
    public static final FleetCollection<WorkerClusterEntry> CLUSTERS = new FleetCollection<>(
            "/worker-clusters",
            WorkerClusterList.class,
            Set.of(Resource.WORKER_CLUSTERS),
            Set.of("state", "newNodes", "reason", "kubernetesVersion", "profile"),
            (inventory, filters, page) ->
                    inventory.workerClusters(filters.workerClusters(page), Visibility.EVERYTHING));

    public static final FleetCollection<Osp> PROFILES = new FleetCollection<>(
            "/osps",
            OspList.class,
            Set.of(Resource.OPERATING_SYSTEM_PROFILES),
            Set.of("osName", "valid", "usedIn"),
            (inventory, filters, page) -> inventory.profiles(filters.profiles(page), Visibility.EVERYTHING));

    public static final FleetCollection<Osc> CONFIGURATIONS = new FleetCollection<>(
            "/oscs",
            OscList.class,
            Set.of(Resource.OPERATING_SYSTEM_CONFIGS),
            Set.of("profile", "ready", "osName", "cloudProvider"),
            (inventory, filters, page) ->
                    inventory.configurations(filters.configurations(page), Visibility.EVERYTHING));

    public static final FleetCollection<MachineDeploymentEntry> MACHINE_DEPLOYMENTS = new FleetCollection<>(
            "/machine-deployments",
            MachineDeploymentList.class,
            Set.of(Resource.WORKER_CLUSTERS, Resource.OPERATING_SYSTEM_CONFIGS),
            Set.of("newNodes", "reason", "profile", "cloudProvider"),
            (inventory, filters, page) ->
                    inventory.machineDeployments(filters.machineDeployments(page), Visibility.EVERYTHING));

    public static final FleetCollection<ProblemEntry> PROBLEMS = new FleetCollection<>(
            "/problems",
            ProblemEntryList.class,
            Set.of(Resource.WORKER_CLUSTERS),
            Set.of("state", "severity", "actor", "category", "reason"),
            (inventory, filters, page) -> inventory.problems(filters.problems(page), Visibility.EVERYTHING));

    public FleetCollection {
        needs = Set.copyOf(needs);
        filters = Set.copyOf(filters);
    }

    /** Reads a page. Everything readable may be shown: only objects that the caller may list were read. */
    @FunctionalInterface
    interface LocalPageReader<T> {
        PagedList<T> page(Inventory inventory, ListFilters filters, PageRequest page) throws ApiProblem, FleetFailure;
    }
}
