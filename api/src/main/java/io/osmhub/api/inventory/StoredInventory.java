package io.osmhub.api.inventory;

import io.osmhub.api.paging.PageRequest;
import io.osmhub.api.paging.Pager.Question;
import io.osmhub.api.paging.Slice;
import io.osmhub.api.paging.Viewer;
import io.osmhub.api.problem.ApiProblem;
import io.osmhub.api.schema.ApiJson;
import io.osmhub.api.schema.MachineDeployment;
import io.osmhub.api.schema.MachineDeploymentList;
import io.osmhub.api.schema.Osc;
import io.osmhub.api.schema.OscList;
import io.osmhub.api.schema.Osp;
import io.osmhub.api.schema.OspList;
import io.osmhub.api.schema.ProblemEntry;
import io.osmhub.api.schema.ProblemEntryList;
import io.osmhub.api.schema.SearchResult;
import io.osmhub.api.schema.Summary;
import io.osmhub.api.schema.WorkerCluster;
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

/** The inventory of what is told to it. Safe for use by many threads. */
public final class StoredInventory implements Inventory {
    private static final Comparator<ProblemRow> WORST_FIRST = Comparator.comparingInt(
                    (ProblemRow row) -> -Harm.of(row.reason().severity()))
            .thenComparingInt(row -> -row.affected())
            .thenComparing(ProblemRow::since)
            .thenComparing(ProblemRow::id);

    private final Replica replica;
    private final Live live;
    private final Holdings holdings;
    private final Lists lists;

    /** An inventory that knows of nothing yet. */
    public StoredInventory(Replica replica) {
        this.replica = replica;
        this.live = new Live(replica);
        this.holdings = new Holdings(replica, live);
        this.lists = new Lists(live, replica::nanoTime);
    }

    // Telling: returns at once

    /** A WorkerCluster is another now; null when it is gone. */
    public void workerClusterChanged(ObjectKey key, @Nullable WorkerClusterRecord after) {
        holdings.changed(key, after);
    }

    /** A profile is another now; null when it is gone. */
    public void profileChanged(ObjectKey key, @Nullable StoredProfile after) {
        holdings.changed(key, after);
    }

    /** An OperatingSystemConfig is another now; null when it is gone. */
    public void configChanged(ObjectKey key, @Nullable ListedConfig after) {
        holdings.changed(key, after);
    }

    // Asking

    @Override
    public long changes() {
        return holdings.changes();
    }

    private Rendition rendition() {
        return new Rendition(replica, live, holdings.uses());
    }

    // Worker clusters

    @Override
    public WorkerClusterList workerClusters(WorkerClusterQuery query, Sight sight) throws ApiProblem {
        List<String> filters = new ArrayList<>();
        add(filters, "state", words(query.states()));
        add(filters, "newNodes", words(query.newNodes()));
        add(filters, "reason", query.reason() == null ? null : query.reason().word());
        add(filters, "kubernetesVersion", query.kubernetesVersion());
        add(filters, "profile", query.profile());
        Slice<TenantRow> slice = lists.tenants.page(
                holdings.tenants(),
                new Question<>(query.page(), String.join("&", filters), row -> matches(row, query)),
                Viewer.of(sight.workerClusters()));
        Rendition rendition = rendition();
        List<WorkerCluster> items =
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
                        || Stored.isOfMinor(row.kubernetesVersion(), query.kubernetesVersion()))
                && (query.profile() == null || row.usesProfile(query.profile()));
    }

    @Override
    public Optional<WorkerCluster> workerCluster(String namespace, String name, Sight sight) {
        return Optional.ofNullable(holdings.tenants().get(new ObjectKey(namespace, name)))
                .filter(row -> sight.workerClusters().sees(namespace))
                .map(rendition()::workerCluster);
    }

    // Profiles

    @Override
    public OspList profiles(ProfileQuery query, Sight sight) throws ApiProblem {
        List<String> filters = new ArrayList<>();
        add(filters, "osName", query.osName());
        add(filters, "valid", query.valid() == null ? null : ApiJson.word(query.valid()));
        add(filters, "usedIn", query.usedIn());
        // Where a tenant may look says something of its settings.
        boolean hidden = query.usedIn() != null && !sight.seesAnythingIn(query.usedIn());
        Usable usable = query.usedIn() == null
                ? null
                : new Usable(
                        replica, query.usedIn(), holdings.record(query.usedIn()).orElse(null));
        Slice<ProfileRow> slice = lists.profiles.page(
                holdings.profiles(),
                new Question<>(
                        query.page(),
                        String.join("&", filters),
                        row -> !hidden && (usable == null || usable.has(row)) && matches(row, query)),
                Viewer.of(sight.profiles()));
        Rendition rendition = rendition();
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
    public Optional<Osp> profile(String namespace, String name, Sight sight) {
        return Optional.ofNullable(holdings.profiles().get(new ObjectKey(namespace, name)))
                .filter(row -> sight.profiles().sees(namespace))
                .map(row -> rendition().profile(row, sight.configurations()));
    }

    // Configurations

    @Override
    public OscList configurations(ConfigurationQuery query, Sight sight) throws ApiProblem {
        List<String> filters = new ArrayList<>();
        add(filters, "profile", query.profile());
        add(filters, "ready", query.ready() == null ? null : ApiJson.word(query.ready()));
        add(filters, "osName", query.osName());
        add(filters, "cloudProvider", query.cloudProvider());
        Slice<ConfigRow> slice = lists.configs.page(
                holdings.configs(),
                new Question<>(query.page(), String.join("&", filters), row -> matches(row, query)),
                Viewer.of(sight.configurations()));
        Rendition rendition = rendition();
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
    public Optional<Osc> configuration(String namespace, String name, Sight sight) {
        return Optional.ofNullable(holdings.configs().get(new ObjectKey(namespace, name)))
                .filter(row -> sight.configurations().sees(namespace))
                .map(row -> rendition().configuration(row, workerCluster(row)));
    }

    // MachineDeployments

    @Override
    public MachineDeploymentList machineDeployments(MachineDeploymentQuery query, Sight sight) throws ApiProblem {
        List<String> filters = new ArrayList<>();
        add(filters, "newNodes", words(query.newNodes()));
        add(filters, "reason", query.reason() == null ? null : query.reason().word());
        add(filters, "profile", query.profile());
        add(filters, "cloudProvider", query.cloudProvider());
        Slice<DeploymentRow> slice = lists.deployments.page(
                holdings.deployments(),
                new Question<>(query.page(), String.join("&", filters), row -> matches(row, query)),
                Viewer.of(sight.configurations()));
        Rendition rendition = rendition();
        List<MachineDeployment> items =
                slice.rows().stream().map(rendition::deployment).toList();
        boolean stale = items.stream().anyMatch(item -> item.stale() != null);
        return new MachineDeploymentList(
                items, slice.next(), slice.previous(), slice.offset(), slice.total(), stale ? true : null);
    }

    private static boolean matches(DeploymentRow row, MachineDeploymentQuery query) {
        return (query.newNodes().isEmpty() || query.newNodes().contains(row.newNodes()))
                && (query.reason() == null || query.reason() == row.reason())
                && (query.profile() == null || row.usesProfile(query.profile()))
                && (query.cloudProvider() == null || query.cloudProvider().equals(row.cloudProvider()));
    }

    @Override
    public Optional<MachineDeployment> machineDeployment(String tenant, String namespace, String name, Sight sight) {
        return Optional.ofNullable(holdings.deployments().get(new DeploymentRow.Key(tenant, namespace, name)))
                .filter(row -> sight.configurations().sees(tenant))
                .map(rendition()::deployment);
    }

    // Problems

    @Override
    public ProblemEntryList problems(ProblemQuery query, Sight sight) throws ApiProblem {
        List<String> filters = new ArrayList<>();
        add(filters, "state", query.resolved() ? "Resolved" : null);
        add(
                filters,
                "severity",
                query.severity() == null ? null : query.severity().word());
        add(filters, "actor", query.actor() == null ? null : query.actor().word());
        add(
                filters,
                "category",
                query.category() == null ? null : query.category().word());
        add(filters, "reason", query.reason() == null ? null : query.reason().word());
        PageRequest page = query.page().labelled(null);
        Question<ProblemRow> question = new Question<>(page, String.join("&", filters), row -> matches(row, query));
        Viewer<ProblemRow> viewer = Viewer.of(sight.all(), row -> row.isSeenBy(sight));
        Slice<ProblemRow> slice = query.resolved()
                ? lists.problems.page(holdings.resolved().table(), question, viewer)
                : lists.problems.page(holdings.problems(), question, viewer);
        List<ProblemEntry> items = slice.rows().stream().map(Entries::of).toList();
        return new ProblemEntryList(items, slice.next(), slice.previous(), slice.offset(), slice.total(), null);
    }

    private static boolean matches(ProblemRow row, ProblemQuery query) {
        return (query.severity() == null || query.severity() == row.reason().severity())
                && (query.actor() == null || query.actor() == row.reason().actor())
                && (query.category() == null || query.category() == row.reason().category())
                && (query.reason() == null || query.reason() == row.reason());
    }

    @Override
    public List<ProblemEntry> problemsOf(String tenant, Sight sight) {
        return holdings.problemsOf(tenant).stream()
                .filter(row -> row.isSeenBy(sight))
                .sorted(WORST_FIRST)
                .map(Entries::of)
                .toList();
    }

    // The whole

    @Override
    public Summary summary(Sight sight) {
        return new Overview(holdings.tenants().all(), holdings.problems().all(), live, replica).summary(sight);
    }

    @Override
    public SearchResult search(String text, int limit, Sight sight) {
        return new Finder(holdings, sight).find(text, limit);
    }

    // Words

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
