package io.osmhub.api.inventory;

import io.osmhub.api.paging.Table;
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
 * The tables of the inventory. Whoever tells of a change only leaves a note; whoever asks derives the rows of the tenants that were
 * noted. So a burst of changes costs its tellers nothing, and a tenant is derived once however many of its objects changed.
 */
final class Holdings {
    private final Live live;
    private final Replica replica;
    private final Resolved resolved;

    private final Table<ObjectKey, TenantRow> tenants;
    private final Table<ObjectKey, ProfileRow> profiles;
    private final Table<ObjectKey, ConfigRow> configs;
    private final Table<DeploymentRow.Key, DeploymentRow> deployments;
    private final Table<String, ProblemRow> problems;
    private final Uses uses = new Uses();
    private final AtomicLong changes = new AtomicLong();

    // Written by tellers, under the lock of this map.
    private final Map<String, Sources> sources = new HashMap<>();
    private final Map<ObjectKey, StoredProfile> storedProfiles = new HashMap<>();
    private final Set<String> changedTenants = new HashSet<>();
    private final Set<ObjectKey> changedProfiles = new HashSet<>();

    /** What was derived last, of each namespace; only under the lock of {@link #refresh}. */
    private final Map<String, Derived> derived = new HashMap<>();

    private final Map<ObjectKey, Map<String, ProblemRow>> profileProblems = new HashMap<>();

    /** Those of the hub itself, when this was last looked at. */
    private Map<String, ProblemRow> concerns = Map.of();

    /** What is stored of one tenant. */
    private record Sources(Map<String, WorkerClusterRecord> clusters, Map<String, ConfigRow> configs) {
        boolean isEmpty() {
            return clusters.isEmpty() && configs.isEmpty();
        }
    }

    /** The rows that a tenant gave. */
    private record Derived(
            Map<ObjectKey, TenantRow> tenants,
            Map<ObjectKey, ConfigRow> configs,
            Map<DeploymentRow.Key, DeploymentRow> deployments,
            Map<String, ProblemRow> problems,
            DeploymentRow.@Nullable Place place) {
        static final Derived NOTHING = new Derived(Map.of(), Map.of(), Map.of(), Map.of(), null);
    }

    Holdings(Replica replica, Live live) {
        this.replica = replica;
        this.live = live;
        this.resolved = new Resolved(replica);
        this.tenants = new Table<>(replica::nanoTime);
        this.profiles = new Table<>(replica::nanoTime);
        this.configs = new Table<>(replica::nanoTime);
        this.deployments = new Table<>(replica::nanoTime);
        this.problems = new Table<>(replica::nanoTime);
    }

    // Telling

    void changed(ObjectKey key, @Nullable WorkerClusterRecord after) {
        synchronized (sources) {
            Sources of =
                    sources.computeIfAbsent(key.namespace(), first -> new Sources(new TreeMap<>(), new HashMap<>()));
            if (after == null) {
                of.clusters().remove(key.name());
            } else {
                of.clusters().put(key.name(), after);
            }
            changedTenants.add(key.namespace());
        }
        changes.incrementAndGet();
    }

    void changed(ObjectKey key, @Nullable ListedConfig after) {
        ConfigRow row = after == null ? null : new ConfigRow(after);
        synchronized (sources) {
            Sources of =
                    sources.computeIfAbsent(key.namespace(), first -> new Sources(new TreeMap<>(), new HashMap<>()));
            if (row == null) {
                of.configs().remove(key.name());
            } else {
                of.configs().put(key.name(), row);
            }
            changedTenants.add(key.namespace());
        }
        changes.incrementAndGet();
    }

    void changed(ObjectKey key, @Nullable StoredProfile after) {
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

    // Asking

    Table<ObjectKey, TenantRow> tenants() {
        refresh();
        return tenants;
    }

    Table<ObjectKey, ProfileRow> profiles() {
        refresh();
        return profiles;
    }

    Table<ObjectKey, ConfigRow> configs() {
        refresh();
        return configs;
    }

    Table<DeploymentRow.Key, DeploymentRow> deployments() {
        refresh();
        return deployments;
    }

    Table<String, ProblemRow> problems() {
        refresh();
        return problems;
    }

    Resolved resolved() {
        refresh();
        return resolved;
    }

    Uses uses() {
        refresh();
        return uses;
    }

    /** Open problems of a tenant, in no order. */
    synchronized Collection<ProblemRow> problemsOf(String namespace) {
        refresh();
        return List.copyOf(
                derived.getOrDefault(namespace, Derived.NOTHING).problems().values());
    }

    /** Open problems of a profile, in no order. */
    synchronized Collection<ProblemRow> problemsOf(ObjectKey profile) {
        refresh();
        return List.copyOf(profileProblems.getOrDefault(profile, Map.of()).values());
    }

    /** The WorkerCluster that a namespace belongs to: the oldest. */
    Optional<WorkerClusterRecord> record(String namespace) {
        synchronized (sources) {
            Sources of = sources.get(namespace);
            return of == null
                    ? Optional.empty()
                    : of.clusters().values().stream().min(WorkerClusterRecord.OLDEST_FIRST);
        }
    }

    // Deriving

    private synchronized void refresh() {
        Map<String, Sources> toDerive = new HashMap<>();
        Map<ObjectKey, @Nullable StoredProfile> toShow = new HashMap<>();
        synchronized (sources) {
            for (String namespace : changedTenants) {
                Sources of = sources.get(namespace);
                if (of != null) {
                    toDerive.put(namespace, new Sources(new TreeMap<>(of.clusters()), new HashMap<>(of.configs())));
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
        toShow.forEach(this::show);
        look();
    }

    /** The hub's own problems are no tenant's: they are asked for whenever somebody asks. Who does not know since when has first seen it now. */
    private void look() {
        Map<String, ProblemRow> after = new HashMap<>();
        for (Replica.Concern concern : replica.concerns()) {
            ProblemRow.About about = new ProblemRow.About("", "", ProblemRow.Kind.HUB, "", concern.object());
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
        Difference<String, ProblemRow> difference = Difference.of(concerns, after, ProblemRow::saysTheSame);
        difference.into(problems);
        difference.gone().forEach(resolved::add);
        concerns = after;
    }

    private void derive(String namespace, Sources of) {
        Derived before = derived.getOrDefault(namespace, Derived.NOTHING);
        Derived after = of.isEmpty() ? Derived.NOTHING : rows(namespace, of, before);
        Difference.of(before.tenants(), after.tenants(), TenantRow::saysTheSame).into(tenants);
        Difference.of(before.configs(), after.configs(), (one, other) -> one == other)
                .into(configs);
        Difference.of(before.deployments(), after.deployments(), DeploymentRow::saysTheSame)
                .into(deployments);
        Difference<String, ProblemRow> problemsNow =
                Difference.of(before.problems(), after.problems(), ProblemRow::saysTheSame);
        problemsNow.into(problems);
        if (replica.isReady()) {
            problemsNow.gone().forEach(resolved::add);
        }
        before.tenants().keySet().stream()
                .filter(key -> !after.tenants().containsKey(key))
                .forEach(key -> live.forget(key.namespace(), key.name()));
        if (of.isEmpty()) {
            uses.put(namespace, Map.of());
            derived.remove(namespace);
        } else {
            derived.put(namespace, after);
        }
    }

    /** A namespace is one tenant's; of several WorkerClusters the oldest has it, and the others only stand in the list. */
    private Derived rows(String namespace, Sources of, Derived before) {
        Map<ObjectKey, TenantRow> tenantRows = new HashMap<>();
        Map<ObjectKey, ConfigRow> configRows = new HashMap<>();
        of.configs().forEach((name, row) -> configRows.put(new ObjectKey(namespace, name), row));
        List<WorkerClusterRecord> records = of.clusters().values().stream()
                .sorted(WorkerClusterRecord.OLDEST_FIRST)
                .toList();
        Map<DeploymentRow.Key, DeploymentRow> deploymentRows = new HashMap<>();
        Map<String, ProblemRow> problemRows = new HashMap<>();
        DeploymentRow.Place place = null;
        for (WorkerClusterRecord record : records) {
            boolean first = place == null;
            Tenant tenant =
                    new Tenant(record, first ? of.configs().values() : List.of(), first ? before.place() : null, live);
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
        return new Derived(tenantRows, configRows, deploymentRows, problemRows, place);
    }

    private void show(ObjectKey key, @Nullable StoredProfile profile) {
        ProfileRow row = profile == null ? null : ProfileRow.of(profile, uses.count(key));
        profiles.put(key, row);
        Map<String, ProblemRow> before = profileProblems.getOrDefault(key, Map.of());
        Map<String, ProblemRow> after = profile == null ? Map.of() : ProfileProblems.of(profile, uses.counts(key));
        Difference<String, ProblemRow> difference = Difference.of(before, after, ProblemRow::saysTheSame);
        difference.into(problems);
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
