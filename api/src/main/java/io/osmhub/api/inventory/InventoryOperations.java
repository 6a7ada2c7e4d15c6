package io.osmhub.api.inventory;

import io.osmhub.api.access.CallerAuthorizer;
import io.osmhub.api.access.VisibleTenants;
import io.osmhub.api.http.Call;
import io.osmhub.api.http.Operation;
import io.osmhub.api.http.Reply;
import io.osmhub.api.paging.ListColumns;
import io.osmhub.api.paging.ListQuery;
import io.osmhub.api.problem.ApiProblem;
import io.osmhub.api.registration.WorkerClusterEtag;
import io.osmhub.api.schema.PagedList;
import io.osmhub.api.schema.WorkerClusterEntry;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.apiserver.Verb;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** The operations that read the inventory. Objects hidden from the caller are reported as not found. */
public final class InventoryOperations {
    private static final List<String> PAGE =
            List.of("limit", "continue", "sort", "search", "labelSelector", "namespace");

    private final StoredInventory inventory;
    private final CallerAuthorizer authorizer;
    private final LiveValuesExchange live;

    public InventoryOperations(StoredInventory inventory, CallerAuthorizer authorizer, LiveValuesExchange live) {
        this.inventory = inventory;
        this.authorizer = authorizer;
        this.live = live;
    }

    public List<Operation> operations() {
        return List.of(
                Operation.of("getSummary", this::summary),
                Operation.of("getQueueHistory", this::queueHistory),
                list("listWorkerClusters", inventory.columns().workerClusters, inventory::workerClusters),
                live.peers().forTenant(Operation.of("getWorkerCluster", this::workerCluster)),
                list("listOsps", InventoryColumns.PROFILES, inventory::profiles),
                list("listOscs", InventoryColumns.CONFIGURATIONS, inventory::configurations),
                list("listMachineDeployments", inventory.columns().machineDeployments, inventory::machineDeployments),
                list("listProblems", InventoryColumns.PROBLEMS, inventory::problems),
                Operation.of("search", this::search));
    }

    /** Returns a page of what the caller may see. */
    private interface PageReader {
        PagedList<?> page(ListQuery query, Visibility visibility) throws ApiProblem;
    }

    private Operation list(String id, ListColumns<?> columns, PageReader reader) {
        return Operation.of(id, call -> {
            List<String> unanswered = live.refresh();
            return Reply.ok(
                    reader.page(query(call, columns), findVisibility(call)).withUnanswered(unanswered));
        });
    }

    private Visibility findVisibility(Call call) throws ApiProblem {
        return new Visibility(
                authorizer.findVisibleTenants(call.caller(), Resource.WORKER_CLUSTERS),
                authorizer.findVisibleTenants(call.caller(), Resource.OPERATING_SYSTEM_PROFILES),
                authorizer.findVisibleTenants(call.caller(), Resource.OPERATING_SYSTEM_CONFIGS));
    }

    private Reply summary(Call call) throws ApiProblem {
        List<String> unanswered = live.refresh();
        return Reply.ok(inventory.summary(findVisibility(call)).withUnanswered(unanswered));
    }

    private Reply queueHistory(Call call) throws ApiProblem {
        if (!authorizer
                .findVisibleTenants(call.caller(), Resource.WORKER_CLUSTERS)
                .includesAll()) {
            throw ApiProblem.forbidden("the queue of a replica is for callers who may see every tenant");
        }
        return Reply.ok(inventory.queueHistory());
    }

    private Reply workerCluster(Call call) throws ApiProblem {
        String namespace = call.path("namespace");
        String name = call.path("name");
        boolean seen = authorizer.isAllowed(call.caller(), Verb.GET, Resource.WORKER_CLUSTERS, namespace, name);
        Set<String> namespaces = seen ? Set.of(namespace) : Set.of();
        VisibleTenants here = new VisibleTenants.SelectedTenants(Set.of(namespace), namespaces);
        WorkerClusterEntry found = inventory
                .workerCluster(namespace, name, new Visibility(here, here, here))
                .orElseThrow(() -> ApiProblem.notFound("WorkerCluster " + name + " in namespace " + namespace));
        return Reply.ok(found).withHeader("ETag", WorkerClusterEtag.etag(found));
    }

    private Reply search(Call call) throws ApiProblem {
        int limit = ListQuery.ALL.with("limit", call.query("limit").orElse("")).limit();
        return Reply.ok(inventory.search(call.query("q").orElse(""), limit, findVisibility(call)));
    }

    private static ListQuery query(Call call, ListColumns<?> columns) {
        Map<String, List<String>> parameters = new HashMap<>();
        Stream.concat(PAGE.stream(), columns.filters().stream()).forEach(name -> {
            List<String> several = call.queryList(name);
            parameters.put(
                    name, several.isEmpty() ? call.query(name).map(List::of).orElse(List.of()) : several);
        });
        return new ListQuery(parameters);
    }
}
