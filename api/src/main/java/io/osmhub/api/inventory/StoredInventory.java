package io.osmhub.api.inventory;

import io.osmhub.api.ops.FleetStatistics;
import io.osmhub.api.ops.FleetStatistics.ReplicaStatistics;
import io.osmhub.api.paging.ListColumns.Page;
import io.osmhub.api.paging.ListQuery;
import io.osmhub.api.paging.RowVisibility;
import io.osmhub.api.problem.ApiProblem;
import io.osmhub.api.schema.MachineDeploymentEntry;
import io.osmhub.api.schema.Osc;
import io.osmhub.api.schema.Osp;
import io.osmhub.api.schema.PagedList;
import io.osmhub.api.schema.ProblemEntry;
import io.osmhub.api.schema.QueueHistory;
import io.osmhub.api.schema.SearchResult;
import io.osmhub.api.schema.Summary;
import io.osmhub.api.schema.WorkerClusterEntry;
import io.osmhub.core.workercluster.WorkerClusterSpec;
import io.osmhub.tenancy.catalog.ConfigCache.ListedConfig;
import io.osmhub.tenancy.catalog.StoredProfile;
import io.osmhub.tenancy.catalog.TenantProfileCatalog.ProfileAccess;
import io.osmhub.tenancy.registry.WorkerClusterRecord;
import io.osmhub.workersync.watch.ObjectKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * All tenants, filtered by the caller's permissions. Derived from objects stored in the management cluster, so that all replicas
 * return the same; live values of the replicas are added. Never sends requests or blocks. Objects that the caller
 * may not see are omitted. Thread-safe.
 *
 * <p>Lists throw {@link ApiProblem}: bad request for an unknown sort field, an invalid filter or the cursor of another query.
 */
public final class StoredInventory {
    private final LocalReplica replica;
    private final LiveTenantCache live;
    private final InventoryTables tables;
    private final InventoryColumns columns;
    /** Of the other replicas. */
    private volatile List<ReplicaStatistics> statistics = List.of();

    /** Creates an empty inventory. */
    public StoredInventory(LocalReplica replica) {
        this.replica = replica;
        this.live = new LiveTenantCache(replica);
        this.tables = new InventoryTables(replica, live);
        this.columns = new InventoryColumns(live);
    }

    // --- changes; must not block

    /** Records a changed WorkerCluster; null after deletion. */
    public void onWorkerClusterChanged(ObjectKey key, @Nullable WorkerClusterRecord after) {
        tables.onChanged(key, after);
    }

    /** Records a changed profile; null after deletion. */
    public void onProfileChanged(ObjectKey key, @Nullable StoredProfile after) {
        tables.onChanged(key, after);
    }

    /** Records a changed OperatingSystemConfig; null after deletion. */
    public void onConfigChanged(ObjectKey key, @Nullable ListedConfig after) {
        tables.onChanged(key, after);
    }

    /** Replaces the live values of the other replicas. */
    void receive(List<LiveReplicaValues> values) {
        statistics = values.stream()
                .map(LiveReplicaValues::statistics)
                .filter(Objects::nonNull)
                .toList();
        live.receive(values.stream().flatMap(each -> each.tenants().stream()).toList())
                .forEach(tables::onLiveValuesChanged);
    }

    /** The queue of this replica in the last hour; empty before it has one. */
    public QueueHistory queueHistory() {
        FleetStatistics own = replica.figures();
        FleetStatistics.QueueStatistics queue = own == null ? null : own.queue();
        return queue == null
                ? new QueueHistory(replica.name(), List.of(0), 0)
                : new QueueHistory(replica.name(), queue.depths(), queue.oldestSeconds());
    }

    /** The live values of this replica, for the others. */
    LiveReplicaValues ownValues() {
        FleetStatistics own = replica.figures();
        return new LiveReplicaValues(own == null ? null : own.replica(), live.own());
    }

    // --- reads

    private InventoryRowMapper rendition() {
        return new InventoryRowMapper(replica, live, tables.uses());
    }

    private static <R, T> PagedList<T> list(Page<R> page, Function<R, T> mapper) {
        List<T> items = page.rows().stream().map(mapper).toList();
        return new PagedList<>(items, page.next(), page.previous(), page.offset(), page.total(), null);
    }

    // --- worker clusters

    InventoryColumns columns() {
        return columns;
    }

    public PagedList<WorkerClusterEntry> workerClusters(ListQuery query, Visibility visibility) throws ApiProblem {
        Page<TenantRow> page =
                columns.workerClusters.page(tables.tenants(), query, RowVisibility.of(visibility.workerClusters()));
        InventoryRowMapper rendition = rendition();
        return list(page, row -> rendition.workerCluster(row, null));
    }

    public Optional<WorkerClusterEntry> workerCluster(String namespace, String name, Visibility visibility) {
        return Optional.ofNullable(tables.tenants().get(new ObjectKey(namespace, name)))
                .filter(row -> visibility.workerClusters().includes(namespace))
                .map(row -> rendition().workerCluster(row, tables.states(new ObjectKey(namespace, name))));
    }

    // --- profiles

    public PagedList<Osp> profiles(ListQuery query, Visibility visibility) throws ApiProblem {
        RowVisibility<ProfileRow> visible = RowVisibility.of(visibility.profiles());
        String tenant = query.text("usedIn");
        if (tenant != null) {
            WorkerClusterSpec spec =
                    tables.record(tenant).map(WorkerClusterRecord::spec).orElse(null);
            ProfileAccess usable = ProfileAccess.of(tenant, spec == null ? null : spec.profiles());
            // The namespaces that a tenant may use reveal some of its settings.
            boolean hidden = !visibility.includesTenant(tenant);
            visible = new RowVisibility<>(
                    false,
                    row -> !hidden
                            && visibility.profiles().includes(row.namespace())
                            && usable.includes(
                                    row.profile(), replica.sharedProfileNamespace(), replica::sharesProfiles),
                    visible.namespaces());
        }
        Page<ProfileRow> page = InventoryColumns.PROFILES.page(tables.profiles(), query, visible);
        InventoryRowMapper rendition = rendition();
        return list(page, row -> rendition.profile(row, visibility.configurations()));
    }

    public Optional<Osp> profile(String namespace, String name, Visibility visibility) {
        return Optional.ofNullable(tables.profiles().get(new ObjectKey(namespace, name)))
                .filter(row -> visibility.profiles().includes(namespace))
                .map(row -> rendition().profile(row, visibility.configurations()));
    }

    // --- configurations

    public PagedList<Osc> configurations(ListQuery query, Visibility visibility) throws ApiProblem {
        Page<ConfigRow> page = InventoryColumns.CONFIGURATIONS.page(
                tables.configs(), query, RowVisibility.of(visibility.configurations()));
        InventoryRowMapper rendition = rendition();
        return list(page, row -> rendition.configuration(row, workerCluster(row)));
    }

    private @Nullable String workerCluster(ConfigRow row) {
        return tables.record(row.namespace()).map(WorkerClusterRecord::name).orElse(null);
    }

    public Optional<Osc> configuration(String namespace, String name, Visibility visibility) {
        return Optional.ofNullable(tables.configs().get(new ObjectKey(namespace, name)))
                .filter(row -> visibility.configurations().includes(namespace))
                .map(row -> rendition().configuration(row, workerCluster(row)));
    }

    // --- MachineDeployments

    public PagedList<MachineDeploymentEntry> machineDeployments(ListQuery query, Visibility visibility)
            throws ApiProblem {
        Page<MachineDeploymentRow> page = columns.machineDeployments.page(
                tables.deployments(), query, RowVisibility.of(visibility.configurations()));
        return list(page, rendition()::deployment);
    }

    // --- problems

    /** Open problems, or those resolved in the last 7 days as far as observed by this replica. Label selectors do not apply. */
    public PagedList<ProblemEntry> problems(ListQuery query, Visibility visibility) throws ApiProblem {
        ListQuery unlabelled = query.with("labelSelector", null);
        RowVisibility<ProblemRow> visible =
                new RowVisibility<>(visibility.includesAll(), row -> row.isVisibleTo(visibility), null);
        Page<ProblemRow> page = InventoryColumns.PROBLEMS.page(
                "Resolved".equals(query.text("state")) ? tables.resolved() : tables.problems(), unlabelled, visible);
        return list(page, ProblemEntries::of);
    }

    // --- summary and search

    public Summary summary(Visibility visibility) {
        List<ReplicaStatistics> all = new ArrayList<>(statistics);
        FleetStatistics own = replica.figures();
        if (own != null) {
            all.add(own.replica());
        }
        return new SummaryBuilder(tables.tenants().all(), tables.problems().all(), live, replica, all)
                .summary(visibility);
    }

    /** Objects whose name contains a text, best match first. */
    public SearchResult search(String text, int limit, Visibility visibility) {
        return new ObjectSearch(tables, visibility).search(text, limit);
    }
}
