package io.osmhub.api.inventory;

import io.osmhub.api.paging.RowTable;
import io.osmhub.core.osc.OperatingSystemConfigStatus.NewNodes;
import io.osmhub.tenancy.catalog.ListedConfig;
import io.osmhub.tenancy.catalog.StoredProfile;
import io.osmhub.tenancy.registry.WorkerClusterRecord;
import io.osmhub.workersync.watch.ObjectKey;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The tables of the inventory. A change only marks its tenant; the next read derives the rows of marked tenants. A burst of changes is
 * therefore cheap, and a tenant is derived once however many of its objects changed.
 */
final class InventoryTables {
    private final LocalTenantCache live;
    private final LocalReplica replica;
    private final ResolvedProblems resolved;

    private final RowTable<ObjectKey, TenantRow> tenants;
    private final RowTable<ObjectKey, ProfileRow> profiles;
    private final RowTable<ObjectKey, ConfigRow> configs;
    private final RowTable<MachineDeploymentRow.MachineDeploymentKey, MachineDeploymentRow> deployments;
    private final RowTable<String, ProblemRow> problems;
    private final ProfileUsageIndex uses = new ProfileUsageIndex();
    private final AtomicLong changes = new AtomicLong();

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
            Map<String, ProblemRow> problems,
            MachineDeploymentRow.@Nullable TenantContext place) {
        static final DerivedRows NOTHING = new DerivedRows(Map.of(), Map.of(), Map.of(), Map.of(), null);
    }

    InventoryTables(LocalReplica replica, LocalTenantCache live) {
        this.replica = replica;
        this.live = live;
        this.resolved = new ResolvedProblems(replica);
        this.tenants = new RowTable<>();
        this.profiles = new RowTable<>();
        this.configs = new RowTable<>();
        this.deployments = new RowTable<>();
        this.problems = new RowTable<>();
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
        changes.incrementAndGet();
    }

    void onChanged(ObjectKey key, @Nullable ListedConfig after) {
        ConfigRow row = after == null ? null : new ConfigRow(after);
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
        changes.incrementAndGet();
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
        changes.incrementAndGet();
    }

    long changes() {
        return changes.get();
    }

    // --- reads

    RowTable<ObjectKey, TenantRow> tenants() {
        refresh();
        return tenants;
    }

    RowTable<ObjectKey, ProfileRow> profiles() {
        refresh();
        return profiles;
    }

    RowTable<ObjectKey, ConfigRow> configs() {
        refresh();
        return configs;
    }

    RowTable<MachineDeploymentRow.MachineDeploymentKey, MachineDeploymentRow> deployments() {
        refresh();
        return deployments;
    }

    RowTable<String, ProblemRow> problems() {
        refresh();
        return problems;
    }

    RowTable<Long, ProblemRow> resolved() {
        refresh();
        return resolved.table();
    }

    ProfileUsageIndex uses() {
        refresh();
        return uses;
    }

    /** Open problems of a tenant, unordered. */
    synchronized Collection<ProblemRow> problemsOf(String namespace) {
        refresh();
        return List.copyOf(
                derived.getOrDefault(namespace, DerivedRows.NOTHING).problems().values());
    }

    /** Open problems of a profile, unordered. */
    synchronized Collection<ProblemRow> problemsOf(ObjectKey profile) {
        refresh();
        return List.copyOf(profileProblems.getOrDefault(profile, Map.of()).values());
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
        for (ObjectKey profile : uses.changed()) {
            if (!toShow.containsKey(profile)) {
                ProfileRow row = profiles.get(profile);
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
            ProblemRow before = concerns.get(ProblemRow.idOf(about, concern.reason()));
            Instant seen = before == null ? replica.now() : before.since();
            ProblemRow row = ProblemRow.open(
                    about,
                    concern.reason(),
                    concern.message(),
                    concern.since() == null ? seen : concern.since(),
                    new int[NewNodes.values().length]);
            after.put(row.id(), row);
        }
        TableUpdate<String, ProblemRow> difference = TableUpdate.of(concerns, after, ProblemRow::hasSameContent);
        difference.applyTo(problems);
        difference.gone().forEach(resolved::add);
        concerns = after;
    }

    private void derive(String namespace, TenantSources of) {
        DerivedRows before = derived.getOrDefault(namespace, DerivedRows.NOTHING);
        DerivedRows after = of.isEmpty() ? DerivedRows.NOTHING : rows(namespace, of, before);
        TableUpdate.of(before.tenants(), after.tenants(), TenantRow::hasSameContent)
                .applyTo(tenants);
        TableUpdate.of(before.configs(), after.configs(), (one, other) -> one == other)
                .applyTo(configs);
        TableUpdate.of(before.deployments(), after.deployments(), MachineDeploymentRow::hasSameContent)
                .applyTo(deployments);
        TableUpdate<String, ProblemRow> problemsNow =
                TableUpdate.of(before.problems(), after.problems(), ProblemRow::hasSameContent);
        problemsNow.applyTo(problems);
        if (replica.isReady()) {
            problemsNow.gone().forEach(resolved::add);
        }
        before.tenants().keySet().stream()
                .filter(key -> !after.tenants().containsKey(key))
                .forEach(key -> live.invalidate(key.namespace(), key.name()));
        if (of.isEmpty()) {
            uses.put(namespace, Map.of());
            derived.remove(namespace);
        } else {
            derived.put(namespace, after);
        }
    }

    /** A namespace holds one tenant: the oldest of several WorkerClusters is used, and the others are only listed. */
    private DerivedRows rows(String namespace, TenantSources of, DerivedRows before) {
        Map<ObjectKey, TenantRow> tenantRows = new HashMap<>();
        Map<ObjectKey, ConfigRow> configRows = new HashMap<>();
        of.configs().forEach((name, row) -> configRows.put(new ObjectKey(namespace, name), row));
        List<WorkerClusterRecord> records = of.clusters().values().stream()
                .sorted(WorkerClusterRecord.OLDEST_FIRST)
                .toList();
        Map<MachineDeploymentRow.MachineDeploymentKey, MachineDeploymentRow> deploymentRows = new HashMap<>();
        Map<String, ProblemRow> problemRows = new HashMap<>();
        MachineDeploymentRow.TenantContext place = null;
        for (WorkerClusterRecord record : records) {
            boolean first = place == null;
            TenantRowBuilder tenant = new TenantRowBuilder(
                    record, first ? of.configs().values() : List.of(), first ? before.place() : null, live);
            if (first) {
                place = tenant.place();
                deploymentRows.putAll(tenant.deployments());
                uses.put(namespace, tenant.uses());
            }
            problemRows.putAll(tenant.problems());
            tenantRows.put(new ObjectKey(namespace, record.name()), tenant.row());
        }
        if (place == null) {
            uses.put(namespace, Map.of());
        }
        return new DerivedRows(tenantRows, configRows, deploymentRows, problemRows, place);
    }

    private void updateProfile(ObjectKey key, @Nullable StoredProfile profile) {
        ProfileRow row = profile == null ? null : ProfileRow.of(profile, uses.count(key));
        profiles.put(key, row);
        Map<String, ProblemRow> before = profileProblems.getOrDefault(key, Map.of());
        Map<String, ProblemRow> after = profile == null ? Map.of() : ProfileProblems.of(profile, uses.counts(key));
        TableUpdate<String, ProblemRow> difference = TableUpdate.of(before, after, ProblemRow::hasSameContent);
        difference.applyTo(problems);
        if (replica.isReady()) {
            difference.gone().forEach(resolved::add);
        }
        if (after.isEmpty()) {
            profileProblems.remove(key);
        } else {
            profileProblems.put(key, after);
        }
    }
}
