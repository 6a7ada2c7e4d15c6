package io.osmhub.api.inventory;

import io.osmhub.api.paging.RowTable;
import io.osmhub.api.paging.TableRow;
import io.osmhub.api.registration.WorkerClusterMapper;
import io.osmhub.api.schema.Connection;
import io.osmhub.core.osc.OperatingSystemConfigStatus.NewNodes;
import io.osmhub.core.workercluster.WorkerClusterStatus;
import io.osmhub.core.workercluster.WorkerClusterStatus.State;
import io.osmhub.tenancy.catalog.ConfigCache.ListedConfig;
import io.osmhub.tenancy.catalog.StoredProfile;
import io.osmhub.tenancy.registry.WorkerClusterRecord;
import io.osmhub.workersync.watch.ObjectKey;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The tables of the inventory. A change only marks its tenant; the next read derives the rows of marked tenants. A burst of changes is
 * therefore cheap, and a tenant is derived once however many of its objects changed.
 */
final class InventoryTables {
    private final LiveTenantCache live;
    private final LocalReplica replica;
    private final ResolvedProblems resolved;
    private final StateHistory states = new StateHistory();

    private final RowTable<ObjectKey, TenantRow> tenantTable;
    private final RowTable<ObjectKey, ProfileRow> profileTable;
    private final RowTable<ObjectKey, ConfigRow> configTable;
    private final RowTable<MachineDeploymentRow.MachineDeploymentKey, MachineDeploymentRow> deploymentTable;
    private final RowTable<String, ProblemRow> problemTable;
    private final ProfileUsageIndex usageIndex = new ProfileUsageIndex();
    /** The users that a profile keeps from being current. */
    private final ProfileUsageIndex blockedUsageIndex = new ProfileUsageIndex();

    // Written by watch listeners while holding the lock of this map.
    private final Map<String, TenantSources> sources = new HashMap<>();
    private final Map<ObjectKey, StoredProfile> storedProfiles = new HashMap<>();
    private final Set<String> changedTenants = new HashSet<>();
    private final Set<ObjectKey> changedProfiles = new HashSet<>();

    /** Last derived rows by namespace; guarded by the lock of {@link #refresh}. */
    private final Map<String, DerivedRows> derived = new HashMap<>();

    private final Map<ObjectKey, Map<String, ProblemRow>> profileProblems = new HashMap<>();

    /** Problems of the hub itself as of the last refresh. */
    private Map<String, ProblemRow> concerns = Map.of();

    /** Stored objects of one tenant. */
    private record TenantSources(Map<String, WorkerClusterRecord> clusters, Map<String, ConfigRow> configs) {
        boolean isEmpty() {
            return clusters.isEmpty() && configs.isEmpty();
        }
    }

    /** Rows derived for a tenant. */
    private record DerivedRows(
            Map<ObjectKey, TenantRow> tenants,
            Map<ObjectKey, ConfigRow> configs,
            Map<MachineDeploymentRow.MachineDeploymentKey, MachineDeploymentRow> deployments,
            Map<String, ProblemRow> problems) {
        static final DerivedRows NOTHING = new DerivedRows(Map.of(), Map.of(), Map.of(), Map.of());
    }

    InventoryTables(LocalReplica replica, LiveTenantCache live) {
        this.replica = replica;
        this.live = live;
        this.resolved = new ResolvedProblems(replica);
        this.tenantTable = new RowTable<>();
        this.profileTable = new RowTable<>();
        this.configTable = new RowTable<>();
        this.deploymentTable = new RowTable<>();
        this.problemTable = new RowTable<>();
    }

    // --- changes

    void onChanged(ObjectKey key, @Nullable WorkerClusterRecord after) {
        synchronized (sources) {
            TenantSources of = sources.computeIfAbsent(
                    key.namespace(), first -> new TenantSources(new TreeMap<>(), new HashMap<>()));
            if (after == null) {
                of.clusters().remove(key.name());
            } else {
                of.clusters().put(key.name(), after);
            }
            changedTenants.add(key.namespace());
        }
        Instant now = replica.now();
        State state = after == null ? null : WorkerClusterMapper.stateOf(after);
        Instant start = state == State.UNREACHABLE && after != null ? lastAnswer(after, now) : now;
        states.record(key, state, start, now);
    }

    private static Instant lastAnswer(WorkerClusterRecord cluster, Instant otherwise) {
        WorkerClusterStatus status = cluster.status();
        Instant answered = status == null ? null : StatusParser.time(status.noAnswerSince());
        return answered == null ? otherwise : answered;
    }

    void onChanged(ObjectKey key, @Nullable ListedConfig after) {
        ConfigRow row = after == null ? null : ConfigRow.of(after);
        synchronized (sources) {
            TenantSources of = sources.computeIfAbsent(
                    key.namespace(), first -> new TenantSources(new TreeMap<>(), new HashMap<>()));
            if (row == null) {
                of.configs().remove(key.name());
            } else {
                of.configs().put(key.name(), row);
            }
            changedTenants.add(key.namespace());
        }
    }

    void onChanged(ObjectKey key, @Nullable StoredProfile after) {
        synchronized (sources) {
            if (after == null) {
                storedProfiles.remove(key);
            } else {
                storedProfiles.put(key, after);
            }
            changedProfiles.add(key);
        }
    }

    /** Derives the rows of a tenant again, because its live values changed. */
    void onLiveValuesChanged(String namespace) {
        synchronized (sources) {
            changedTenants.add(namespace);
        }
    }

    // --- reads

    RowTable<ObjectKey, TenantRow> tenants() {
        refresh();
        return tenantTable;
    }

    RowTable<ObjectKey, ProfileRow> profiles() {
        refresh();
        return profileTable;
    }

    RowTable<ObjectKey, ConfigRow> configs() {
        refresh();
        return configTable;
    }

    RowTable<MachineDeploymentRow.MachineDeploymentKey, MachineDeploymentRow> deployments() {
        refresh();
        return deploymentTable;
    }

    RowTable<String, ProblemRow> problems() {
        refresh();
        return problemTable;
    }

    RowTable<Long, ProblemRow> resolved() {
        refresh();
        return resolved.table();
    }

    /** States of a worker cluster that this process observed in the last 24 hours, oldest first. */
    List<Connection.Interval> states(ObjectKey key) {
        return states.intervals(key, replica.now());
    }

    ProfileUsageIndex uses() {
        refresh();
        return usageIndex;
    }

    /** The oldest WorkerCluster of a namespace. */
    Optional<WorkerClusterRecord> record(String namespace) {
        synchronized (sources) {
            TenantSources of = sources.get(namespace);
            return of == null
                    ? Optional.empty()
                    : of.clusters().values().stream().min(WorkerClusterRecord.OLDEST_FIRST);
        }
    }

    // --- deriving rows

    private synchronized void refresh() {
        Map<String, TenantSources> toDerive = new HashMap<>();
        Map<ObjectKey, @Nullable StoredProfile> toShow = new HashMap<>();
        synchronized (sources) {
            for (String namespace : changedTenants) {
                TenantSources of = sources.get(namespace);
                if (of != null) {
                    toDerive.put(
                            namespace, new TenantSources(new TreeMap<>(of.clusters()), new HashMap<>(of.configs())));
                    if (of.isEmpty()) {
                        sources.remove(namespace);
                    }
                }
            }
            changedTenants.clear();
            changedProfiles.forEach(key -> toShow.put(key, storedProfiles.get(key)));
            changedProfiles.clear();
        }
        toDerive.forEach(this::derive);
        Set<ObjectKey> changedUsers = usageIndex.changed();
        changedUsers.addAll(blockedUsageIndex.changed());
        for (ObjectKey profile : changedUsers) {
            if (!toShow.containsKey(profile)) {
                ProfileRow row = profileTable.get(profile);
                if (row != null) {
                    toShow.put(profile, row.profile());
                }
            }
        }
        toShow.forEach(this::updateProfile);
        refreshChanged();
    }

    /**
     * Re-reads the hub's own problems, which belong to no tenant, on every refresh. A problem without a start time starts when first
     * seen.
     */
    private void refreshChanged() {
        Map<String, ProblemRow> after = new HashMap<>();
        for (LocalReplica.HubCondition concern : replica.hubConditions()) {
            ProblemRow.ProblemSubject about =
                    new ProblemRow.ProblemSubject("", "", ProblemRow.Kind.HUB, "", concern.object());
            ProblemRow before =
                    concerns.get(ProblemRow.idOf(about, concern.problem().reason()));
            Instant seen = before == null ? replica.now() : before.since();
            ProblemRow row = ProblemRow.open(
                    about,
                    concern.problem(),
                    "",
                    "",
                    concern.since() == null ? seen : concern.since(),
                    new int[NewNodes.values().length]);
            after.put(row.id(), row);
        }
        replace(problemTable, concerns, after).forEach(resolved::add);
        concerns = after;
    }

    private void derive(String namespace, TenantSources of) {
        DerivedRows before = derived.getOrDefault(namespace, DerivedRows.NOTHING);
        DerivedRows after = of.isEmpty() ? DerivedRows.NOTHING : rows(namespace, of);
        replace(tenantTable, before.tenants(), after.tenants())
                .forEach(row -> live.invalidate(row.namespace(), row.name()));
        replace(configTable, before.configs(), after.configs());
        replace(deploymentTable, before.deployments(), after.deployments());
        List<ProblemRow> gone = replace(problemTable, before.problems(), after.problems());
        if (replica.isReady()) {
            gone.forEach(resolved::add);
        }
        if (of.isEmpty()) {
            usageIndex.put(namespace, Map.of());
            blockedUsageIndex.put(namespace, Map.of());
            derived.remove(namespace);
        } else {
            derived.put(namespace, after);
        }
    }

    /** A namespace holds one tenant: the oldest of several WorkerClusters is used, and the others are only listed. */
    private DerivedRows rows(String namespace, TenantSources of) {
        Map<ObjectKey, TenantRow> tenantRows = new HashMap<>();
        Map<ObjectKey, ConfigRow> configRows = new HashMap<>();
        of.configs().forEach((name, row) -> configRows.put(new ObjectKey(namespace, name), row));
        List<WorkerClusterRecord> records = of.clusters().values().stream()
                .sorted(WorkerClusterRecord.OLDEST_FIRST)
                .toList();
        Map<MachineDeploymentRow.MachineDeploymentKey, MachineDeploymentRow> deploymentRows = new HashMap<>();
        Map<String, ProblemRow> problemRows = new HashMap<>();
        if (records.isEmpty()) {
            usageIndex.put(namespace, Map.of());
            blockedUsageIndex.put(namespace, Map.of());
        }
        for (WorkerClusterRecord record : records) {
            boolean first = record == records.getFirst();
            TenantRowBuilder tenant =
                    new TenantRowBuilder(record, first ? of.configs().values() : List.of(), live);
            if (first) {
                deploymentRows.putAll(tenant.deployments());
                usageIndex.put(namespace, tenant.uses());
                blockedUsageIndex.put(namespace, tenant.heldUp());
            }
            problemRows.putAll(tenant.problems());
            tenantRows.put(new ObjectKey(namespace, record.name()), tenant.row());
        }
        return new DerivedRows(tenantRows, configRows, deploymentRows, problemRows);
    }

    private void updateProfile(ObjectKey key, @Nullable StoredProfile profile) {
        ProfileRow row = profile == null ? null : ProfileRow.of(profile, usageIndex.count(key));
        profileTable.put(key, row);
        Map<String, ProblemRow> before = profileProblems.getOrDefault(key, Map.of());
        Map<String, ProblemRow> after =
                profile == null ? Map.of() : ProblemRow.ofProfile(profile, blockedUsageIndex.counts(key));
        List<ProblemRow> gone = replace(problemTable, before, after);
        if (replica.isReady()) {
            gone.forEach(resolved::add);
        }
        if (after.isEmpty()) {
            profileProblems.remove(key);
        } else {
            profileProblems.put(key, after);
        }
    }

    /** Replaces rows of a table; returns those without successor. */
    private static <K, R extends TableRow> List<R> replace(RowTable<K, R> table, Map<K, R> before, Map<K, R> after) {
        after.forEach(table::put);
        List<R> gone = new ArrayList<>();
        before.forEach((key, row) -> {
            if (!after.containsKey(key)) {
                table.put(key, null);
                gone.add(row);
            }
        });
        return gone;
    }

    /** Problems whose end this replica observed in the last 7 days, up to a limit. */
    private static final class ResolvedProblems {
        private static final Duration REMEMBERED = Duration.ofDays(7);
        private static final int MOST = 5_000;

        private final LocalReplica replica;
        private final RowTable<Long, ProblemRow> table = new RowTable<>();
        private final Deque<Entry> oldestFirst = new ArrayDeque<>();
        private long number;

        private record Entry(long number, Instant at) {}

        ResolvedProblems(LocalReplica replica) {
            this.replica = replica;
        }

        synchronized void add(ProblemRow problem) {
            Instant now = replica.now();
            number++;
            oldestFirst.addLast(new Entry(number, now));
            table.put(number, problem.resolved(now));
            forget(now);
        }

        synchronized RowTable<Long, ProblemRow> table() {
            forget(replica.now());
            return table;
        }

        private void forget(Instant now) {
            while (!oldestFirst.isEmpty()
                    && (oldestFirst.size() > MOST
                            || oldestFirst.getFirst().at().plus(REMEMBERED).isBefore(now))) {
                table.put(oldestFirst.removeFirst().number(), null);
            }
        }
    }
}
