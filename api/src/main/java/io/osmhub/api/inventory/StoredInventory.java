package io.osmhub.api.inventory;

import io.osmhub.api.paging.PageRequest;
import io.osmhub.api.paging.Pager.PageQuery;
import io.osmhub.api.paging.RowPage;
import io.osmhub.api.paging.RowVisibility;
import io.osmhub.api.problem.ApiProblem;
import io.osmhub.api.schema.ApiJson;
import io.osmhub.api.schema.MachineDeploymentEntry;
import io.osmhub.api.schema.MachineDeploymentList;
import io.osmhub.api.schema.Osc;
import io.osmhub.api.schema.OscList;
import io.osmhub.api.schema.Osp;
import io.osmhub.api.schema.OspList;
import io.osmhub.api.schema.ProblemEntry;
import io.osmhub.api.schema.ProblemEntryList;
import io.osmhub.api.schema.SearchResult;
import io.osmhub.api.schema.Summary;
import io.osmhub.api.schema.WorkerClusterEntry;
import io.osmhub.api.schema.WorkerClusterList;
import io.osmhub.tenancy.catalog.ListedConfig;
import io.osmhub.tenancy.catalog.StoredProfile;
import io.osmhub.tenancy.registry.WorkerClusterRecord;
import io.osmhub.workersync.watch.ObjectKey;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** An inventory of the objects reported to it. Thread-safe. */
public final class StoredInventory implements Inventory {
    private static final Comparator<ProblemRow> WORST_FIRST = Comparator.comparingInt(
                    (ProblemRow row) -> -SeverityOrder.of(row.reason().severity()))
            .thenComparingInt(row -> -row.affected())
            .thenComparing(ProblemRow::since)
            .thenComparing(ProblemRow::id);

    private final LocalReplica replica;
    private final LocalTenantCache live;
    private final InventoryTables holdings;
    private final InventorySorts lists;

    /** Creates an empty inventory. */
    public StoredInventory(LocalReplica replica) {
        this.replica = replica;
        this.live = new LocalTenantCache(replica);
        this.holdings = new InventoryTables(replica, live);
        this.lists = new InventorySorts(live, replica::nanoTime);
    }

    // --- changes; must not block

    /** Records a changed WorkerCluster; null after deletion. */
    public void onWorkerClusterChanged(ObjectKey key, @Nullable WorkerClusterRecord after) {
        holdings.onChanged(key, after);
    }

    /** Records a changed profile; null after deletion. */
    public void onProfileChanged(ObjectKey key, @Nullable StoredProfile after) {
        holdings.onChanged(key, after);
    }

    /** Records a changed OperatingSystemConfig; null after deletion. */
    public void onConfigChanged(ObjectKey key, @Nullable ListedConfig after) {
        holdings.onChanged(key, after);
    }

    // --- reads

    @Override
    public long changes() {
        return holdings.changes();
    }

    private InventoryRowMapper rendition() {
        return new InventoryRowMapper(replica, live, holdings.uses());
    }

    // --- worker clusters

    @Override
    public WorkerClusterList workerClusters(WorkerClusterQuery query, Visibility sight) throws ApiProblem {
        List<String> filters = new ArrayList<>();
        add(filters, "state", words(query.states()));
        add(filters, "newNodes", words(query.newNodes()));
        add(filters, "reason", query.reason() == null ? null : query.reason().wireName());
        add(filters, "kubernetesVersion", query.kubernetesVersion());
        add(filters, "profile", query.profile());
        RowPage<TenantRow> slice = lists.tenants.getPage(
                holdings.tenants(),
                new PageQuery<>(query.page(), String.join("&", filters), row -> matches(row, query)),
                RowVisibility.of(sight.workerClusters()));
        InventoryRowMapper rendition = rendition();
        List<WorkerClusterEntry> items =
                slice.rows().stream().map(rendition::workerCluster).toList();
        boolean stale = items.stream().anyMatch(item -> item.stale() != null);
        return new WorkerClusterList(
                items, slice.next(), slice.previous(), slice.offset(), slice.total(), stale ? true : null);
    }

    private static boolean matches(TenantRow row, WorkerClusterQuery query) {
        return (query.states().isEmpty() || query.states().contains(row.state()))
                && (query.newNodes().isEmpty()
                        || query.newNodes().stream().anyMatch(newNodes -> row.count(newNodes) > 0))
                && (query.reason() == null || row.reasons().contains(query.reason()))
                && (query.kubernetesVersion() == null
                        || StatusParser.isOfMinor(row.kubernetesVersion(), query.kubernetesVersion()))
                && (query.profile() == null || row.usesProfile(query.profile()));
    }

    @Override
    public Optional<WorkerClusterEntry> workerCluster(String namespace, String name, Visibility sight) {
        return Optional.ofNullable(holdings.tenants().get(new ObjectKey(namespace, name)))
                .filter(row -> sight.workerClusters().includes(namespace))
                .map(rendition()::workerCluster);
    }

    // --- profiles

    @Override
    public OspList profiles(ProfileQuery query, Visibility sight) throws ApiProblem {
        List<String> filters = new ArrayList<>();
        add(filters, "osName", query.osName());
        add(filters, "valid", query.valid() == null ? null : ApiJson.word(query.valid()));
        add(filters, "usedIn", query.usedIn());
        // The namespaces that a tenant may use reveal some of its settings.
        boolean hidden = query.usedIn() != null && !sight.includesTenant(query.usedIn());
        UsableProfiles usable = query.usedIn() == null
                ? null
                : new UsableProfiles(
                        replica, query.usedIn(), holdings.record(query.usedIn()).orElse(null));
        RowPage<ProfileRow> slice = lists.profiles.getPage(
                holdings.profiles(),
                new PageQuery<>(
                        query.page(),
                        String.join("&", filters),
                        row -> !hidden && (usable == null || usable.contains(row)) && matches(row, query)),
                RowVisibility.of(sight.profiles()));
        InventoryRowMapper rendition = rendition();
        List<Osp> items = slice.rows().stream()
                .map(row -> rendition.profile(row, sight.configurations()))
                .toList();
        return new OspList(items, slice.next(), slice.previous(), slice.offset(), slice.total(), null);
    }

    private static boolean matches(ProfileRow row, ProfileQuery query) {
        return (query.osName() == null || query.osName().equals(row.osName()))
                && (query.valid() == null || query.valid() == row.valid());
    }

    @Override
    public Optional<Osp> profile(String namespace, String name, Visibility sight) {
        return Optional.ofNullable(holdings.profiles().get(new ObjectKey(namespace, name)))
                .filter(row -> sight.profiles().includes(namespace))
                .map(row -> rendition().profile(row, sight.configurations()));
    }

    // --- configurations

    @Override
    public OscList configurations(ConfigurationQuery query, Visibility sight) throws ApiProblem {
        List<String> filters = new ArrayList<>();
        add(filters, "profile", query.profile());
        add(filters, "ready", query.ready() == null ? null : ApiJson.word(query.ready()));
        add(filters, "osName", query.osName());
        add(filters, "cloudProvider", query.cloudProvider());
        RowPage<ConfigRow> slice = lists.configs.getPage(
                holdings.configs(),
                new PageQuery<>(query.page(), String.join("&", filters), row -> matches(row, query)),
                RowVisibility.of(sight.configurations()));
        InventoryRowMapper rendition = rendition();
        List<Osc> items = slice.rows().stream()
                .map(row -> rendition.configuration(row, workerCluster(row)))
                .toList();
        return new OscList(items, slice.next(), slice.previous(), slice.offset(), slice.total(), null);
    }

    private static boolean matches(ConfigRow row, ConfigurationQuery query) {
        return (query.profile() == null || row.usesProfile(query.profile()))
                && (query.ready() == null || query.ready() == row.ready())
                && (query.osName() == null || query.osName().equals(row.osName()))
                && (query.cloudProvider() == null || query.cloudProvider().equals(row.cloudProvider()));
    }

    private @Nullable String workerCluster(ConfigRow row) {
        return holdings.record(row.namespace()).map(WorkerClusterRecord::name).orElse(null);
    }

    @Override
    public Optional<Osc> configuration(String namespace, String name, Visibility sight) {
        return Optional.ofNullable(holdings.configs().get(new ObjectKey(namespace, name)))
                .filter(row -> sight.configurations().includes(namespace))
                .map(row -> rendition().configuration(row, workerCluster(row)));
    }

    // --- MachineDeployments

    @Override
    public MachineDeploymentList machineDeployments(MachineDeploymentQuery query, Visibility sight) throws ApiProblem {
        List<String> filters = new ArrayList<>();
        add(filters, "newNodes", words(query.newNodes()));
        add(filters, "reason", query.reason() == null ? null : query.reason().wireName());
        add(filters, "profile", query.profile());
        add(filters, "cloudProvider", query.cloudProvider());
        RowPage<MachineDeploymentRow> slice = lists.deployments.getPage(
                holdings.deployments(),
                new PageQuery<>(query.page(), String.join("&", filters), row -> matches(row, query)),
                RowVisibility.of(sight.configurations()));
        InventoryRowMapper rendition = rendition();
        List<MachineDeploymentEntry> items =
                slice.rows().stream().map(rendition::deployment).toList();
        boolean stale = items.stream().anyMatch(item -> item.stale() != null);
        return new MachineDeploymentList(
                items, slice.next(), slice.previous(), slice.offset(), slice.total(), stale ? true : null);
    }

    private static boolean matches(MachineDeploymentRow row, MachineDeploymentQuery query) {
        return (query.newNodes().isEmpty() || query.newNodes().contains(row.newNodes()))
                && (query.reason() == null || query.reason() == row.reason())
                && (query.profile() == null || row.usesProfile(query.profile()))
                && (query.cloudProvider() == null || query.cloudProvider().equals(row.cloudProvider()));
    }

    @Override
    public Optional<MachineDeploymentEntry> machineDeployment(
            String tenant, String namespace, String name, Visibility sight) {
        return Optional.ofNullable(holdings.deployments()
                        .get(new MachineDeploymentRow.MachineDeploymentKey(tenant, namespace, name)))
                .filter(row -> sight.configurations().includes(tenant))
                .map(rendition()::deployment);
    }

    // --- problems

    @Override
    public ProblemEntryList problems(ProblemQuery query, Visibility sight) throws ApiProblem {
        List<String> filters = new ArrayList<>();
        add(filters, "state", query.resolved() ? "Resolved" : null);
        add(
                filters,
                "severity",
                query.severity() == null ? null : query.severity().wireName());
        add(filters, "actor", query.actor() == null ? null : query.actor().wireName());
        add(
                filters,
                "category",
                query.category() == null ? null : query.category().wireName());
        add(filters, "reason", query.reason() == null ? null : query.reason().wireName());
        PageRequest page = query.page().labelled(null);
        PageQuery<ProblemRow> question = new PageQuery<>(page, String.join("&", filters), row -> matches(row, query));
        RowVisibility<ProblemRow> viewer = RowVisibility.of(sight.includesAll(), row -> row.isVisibleTo(sight));
        RowPage<ProblemRow> slice = query.resolved()
                ? lists.problems.getPage(holdings.resolved().table(), question, viewer)
                : lists.problems.getPage(holdings.problems(), question, viewer);
        List<ProblemEntry> items = slice.rows().stream().map(ProblemEntries::of).toList();
        return new ProblemEntryList(items, slice.next(), slice.previous(), slice.offset(), slice.total(), null);
    }

    private static boolean matches(ProblemRow row, ProblemQuery query) {
        return (query.severity() == null || query.severity() == row.reason().severity())
                && (query.actor() == null || query.actor() == row.reason().actor())
                && (query.category() == null || query.category() == row.reason().category())
                && (query.reason() == null || query.reason() == row.reason());
    }

    @Override
    public List<ProblemEntry> problemsOf(String tenant, Visibility sight) {
        return holdings.problemsOf(tenant).stream()
                .filter(row -> row.isVisibleTo(sight))
                .sorted(WORST_FIRST)
                .map(ProblemEntries::of)
                .toList();
    }

    // --- summary and search

    @Override
    public Summary summary(Visibility sight) {
        return new SummaryBuilder(holdings.tenants().all(), holdings.problems().all(), live, replica).summary(sight);
    }

    @Override
    public SearchResult search(String text, int limit, Visibility sight) {
        return new ObjectSearch(holdings, sight).search(text, limit);
    }

    // --- search texts

    private static void add(List<String> filters, String name, @Nullable String value) {
        if (value != null && !value.isEmpty()) {
            filters.add(name + "=" + value);
        }
    }

    private static String words(Collection<? extends Enum<?>> constants) {
        Collection<String> words = new TreeSet<>();
        constants.forEach(constant -> words.add(ApiJson.word(constant)));
        return String.join(",", words);
    }
}
