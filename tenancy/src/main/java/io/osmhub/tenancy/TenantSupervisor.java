package io.osmhub.tenancy;

import io.osmhub.core.plan.Diagnosis;
import io.osmhub.core.problem.Actor;
import io.osmhub.core.problem.Message;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.workercluster.WorkerClusterSpec;
import io.osmhub.tenancy.catalog.StoredProfile;
import io.osmhub.tenancy.namespace.NamespaceRecord;
import io.osmhub.tenancy.registry.KubeconfigSecret;
import io.osmhub.tenancy.registry.KubeconfigSecrets;
import io.osmhub.tenancy.registry.NamespaceRegistrations;
import io.osmhub.tenancy.registry.Standing;
import io.osmhub.tenancy.registry.WorkerClusterRecord;
import io.osmhub.tenancy.registry.WorkerClusters;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.queue.Lane;
import io.osmhub.workersync.queue.Next;
import io.osmhub.workersync.queue.Urgency;
import io.osmhub.workersync.queue.WorkQueue;
import io.osmhub.workersync.reconcile.Cleanup;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One running tenant for each WorkerCluster that is to be served by this replica: begins, changes, pauses, rotates and ends them.
 * Works namespace by namespace, one look at a namespace at a time: a look compares what the management cluster says with what
 * runs, so that it does not matter what was missed or failed before.
 */
final class TenantSupervisor implements TenantDirectory {
    private static final Logger LOG = LoggerFactory.getLogger(TenantSupervisor.class);
    private static final int LOOKS_AT_ONCE = 32;

    /** Statuses gather for so long: a burst of runs is counted once. */
    private static final Duration COUNTED_AFTER = Duration.ofMillis(250);

    /** What is to be done in a namespace. */
    private record Task(String namespace, boolean countOnly) {}

    private final Services services;
    private final Sources sources;
    private final ClusterClaims claims;
    private final Predicate<String> served;
    private final Lane<Task> lane;
    private final RunningTenants running = new RunningTenants();
    private final Map<String, Object> locks = new ConcurrentHashMap<>();
    private final Handovers handovers;

    /**
     * Where registrations are found.
     *
     * @param owners namespace whose an operator decided a worker cluster to be, by its id; gives null without a decision
     * @param local the management cluster as worker, for the single-cluster mode; null in the others
     * @param defaultProfiles takes a namespace in which the default profiles are wanted
     */
    record Sources(
            WorkerClusters clusters,
            KubeconfigSecrets secrets,
            Function<String, @Nullable String> owners,
            RunningTenant.@Nullable Given local,
            RegistrationTeller teller,
            Consumer<String> defaultProfiles,
            HubObserver observer) {}

    /** @param served whether a tenant's namespace is this replica's */
    TenantSupervisor(Services services, Sources sources, Predicate<String> served, WorkQueue queue) {
        this.services = services;
        this.sources = sources;
        this.served = served;
        this.handovers = new Handovers(sources.observer());
        this.claims = new ClusterClaims(sources.clusters()::ofCluster, sources.owners());
        this.lane = queue.lane(LOOKS_AT_ONCE, this::run);
        lane.hold();
    }

    // Hearing

    /** All caches are filled: looks at every namespace that may matter. */
    void begin() {
        everythingChanged();
        lane.release();
    }

    /** Something in a namespace is another than before. */
    void namespaceChanged(String namespace) {
        lane.add(new Task(namespace, false), Urgency.FRESH);
    }

    /** Which registration a worker cluster belongs to may be another now; another one of it may be waiting. */
    void clusterChanged(String clusterId) {
        claims.rivals("", clusterId).forEach(record -> namespaceChanged(record.namespace()));
    }

    /** The hub's settings or this replica's share are others. */
    void everythingChanged() {
        Set<String> namespaces = new HashSet<>(sources.secrets().namespaces());
        sources.clusters().all().forEach(record -> namespaces.add(record.namespace()));
        running.all().forEach(tenant -> namespaces.add(tenant.record().namespace()));
        namespaces.forEach(this::namespaceChanged);
    }

    private void count(String namespace) {
        lane.addAfter(new Task(namespace, true), COUNTED_AFTER);
    }

    /** A profile came, changed or went. */
    void profileChanged(String namespace, @Nullable StoredProfile before, @Nullable StoredProfile after) {
        Set<String> names = new HashSet<>();
        if (before != null) {
            names.add(before.name());
        }
        if (after != null) {
            names.add(after.name());
        }
        for (RunningTenant tenant : running.all()) {
            if (tenant.looksInto(namespace)) {
                tenant.profilesChanged(names);
            }
        }
    }

    /** A namespace began or ceased to offer its profiles. */
    void offerChanged(String namespace) {
        Set<String> names = services.profiles().in(namespace).keySet();
        for (RunningTenant tenant : running.all()) {
            if (tenant.looksInto(namespace)) {
                tenant.profilesChanged(Set.copyOf(names));
                namespaceChanged(tenant.record().namespace());
            }
        }
    }

    /** Somebody else changed or deleted an OperatingSystemConfig. */
    void configChanged(String namespace, String name) {
        running.in(namespace).forEach(tenant -> tenant.configChanged(name));
    }

    // Looking

    private Next run(Task task, int failures) {
        // A count and a look of one namespace are two keys, but work on the same tenants.
        synchronized (locks.computeIfAbsent(task.namespace(), added -> new Object())) {
            try {
                if (task.countOnly()) {
                    running.in(task.namespace()).forEach(RunningTenant::report);
                    return new Next.Done();
                }
                return look(task.namespace());
            } catch (ApiFailure e) {
                LOG.atDebug()
                        .addKeyValue("tenant", task.namespace())
                        .addKeyValue("cause", e.text())
                        .log("A look at a namespace failed");
                return new Next.Retry(e.mayPass() ? Actor.HUB : Actor.OPERATOR, e.retryAfter());
            } catch (RuntimeException e) {
                LOG.atError()
                        .addKeyValue("tenant", task.namespace())
                        .setCause(e)
                        .log("A look at a namespace ended unexpectedly");
                return new Next.Retry(Actor.HUB, null);
            }
        }
    }

    private Next look(String namespace) throws ApiFailure {
        Collection<WorkerClusterRecord> records = sources.clusters().in(namespace);
        boolean own = served.test(namespace);
        handovers.looked(namespace, own, !records.isEmpty());
        NamespaceRecord place = services.namespaces().apply(namespace);
        if (!own) {
            running.in(namespace).forEach(this::end);
            sources.secrets().want(namespace, Set.of());
            forgetIfGone(namespace, place, records);
            return new Next.Done();
        }
        Duration soonest = register(namespace, place, records);
        sources.secrets().want(namespace, secretNames(records));
        Map<String, WorkerClusterRecord> byUid = new HashMap<>();
        records.forEach(record -> byUid.put(record.uid(), record));
        for (RunningTenant tenant : running.in(namespace)) {
            if (!byUid.containsKey(tenant.record().uid())) {
                end(tenant);
            }
        }
        forgetIfGone(namespace, place, records);
        for (WorkerClusterRecord record : records) {
            soonest = sooner(soonest, look(record, place, records));
        }
        return soonest == null ? new Next.Done() : new Next.Later(soonest);
    }

    private static @Nullable Duration sooner(@Nullable Duration one, @Nullable Duration other) {
        return one == null || other != null && other.compareTo(one) < 0 ? other : one;
    }

    /** Of a namespace that is gone nothing is kept; one that comes back begins anew. */
    private void forgetIfGone(
            String namespace, @Nullable NamespaceRecord place, Collection<WorkerClusterRecord> records) {
        if (place == null && records.isEmpty()) {
            locks.remove(namespace);
            sources.teller().forget(namespace);
        }
    }

    private static Set<String> secretNames(Collection<WorkerClusterRecord> records) {
        Set<String> names = new HashSet<>();
        for (WorkerClusterRecord record : records) {
            if (!record.secretName().isEmpty()) {
                names.add(record.secretName());
            }
        }
        return names;
    }

    /**
     * Makes the WorkerClusters that Secrets ask for, and removes those whose Secret is gone for long enough.
     *
     * @return after how long to look again; null for not before something changes
     */
    private @Nullable Duration register(
            String namespace, @Nullable NamespaceRecord place, Collection<WorkerClusterRecord> records)
            throws ApiFailure {
        HubSettings settings = services.settings().get();
        boolean may = place != null
                && !place.ending()
                && !settings.single()
                && settings.namespaceSelector().matches(place.labels());
        NamespaceRegistrations registrations =
                NamespaceRegistrations.decide(sources.secrets().in(namespace), records, settings.discovery());
        if (may) {
            for (NamespaceRegistrations.Wanted wanted : registrations.wanted()) {
                sources.clusters().create(wanted);
            }
            registrations.refused().forEach(sources.teller()::tell);
        }
        Duration soonest = null;
        List<WorkerClusterRecord> orphans = registrations.orphans();
        for (WorkerClusterRecord found : records) {
            if (found.head().beingDeleted()) {
                continue;
            }
            WorkerClusterRecord record = sources.clusters().disown(found);
            if (orphans.contains(found)) {
                soonest = sooner(soonest, removeInTime(record, settings.removalDelay()));
            } else if (!record.annotation(WorkerClusterRecord.SECRET_MISSING_SINCE)
                    .isEmpty()) {
                sources.clusters().noteMissingSecret(record, null);
            }
        }
        return soonest;
    }

    /** After how long to look again; null when nothing is to be removed, or not known yet to be gone. */
    private @Nullable Duration removeInTime(WorkerClusterRecord orphan, @Nullable Duration delay) throws ApiFailure {
        if (delay == null || !sources.secrets().isKnown(orphan.namespace(), orphan.secretName())) {
            return null;
        }
        Instant now = services.around().timers().now();
        Instant since = orphan.secretMissingSince();
        if (since == null) {
            sources.clusters().noteMissingSecret(orphan, now);
            return delay;
        }
        Duration left = Duration.between(now, since.plus(delay));
        if (left.isPositive()) {
            return left;
        }
        sources.clusters().deleteOrphan(orphan);
        return null;
    }

    /** After how long to look again; null for not before something changes. */
    private @Nullable Duration look(
            WorkerClusterRecord record, @Nullable NamespaceRecord place, Collection<WorkerClusterRecord> neighbours)
            throws ApiFailure {
        Standing standing = services.tenantRules().decide(record, place, neighbours);
        return switch (standing) {
            case Standing.Served() -> {
                serve(record);
                yield null;
            }
            case Standing.Leaving() -> leave(record, neighbours);
            case Standing.Refused refused -> {
                RunningTenant tenant = running.find(record.uid());
                if (tenant != null) {
                    end(tenant);
                }
                refuse(record, refused);
                yield null;
            }
            case Standing.NotOurs() -> {
                RunningTenant tenant = running.find(record.uid());
                if (tenant != null) {
                    end(tenant);
                }
                yield null;
            }
        };
    }

    private void serve(WorkerClusterRecord record) throws ApiFailure {
        boolean local = record.secretName().isEmpty();
        if (!local && !sources.secrets().isKnown(record.namespace(), record.secretName())) {
            // Its own watch asks for another look as soon as it is.
            return;
        }
        // Before anything of the hub is in the worker cluster.
        sources.clusters().addFinalizer(record);
        RunningTenant tenant = running.find(record.uid());
        if (tenant == null) {
            tenant = start(record);
            running.add(tenant);
        }
        tenant.serve(record, secret(record));
        if (tenant.wantsDefaultProfiles()) {
            sources.defaultProfiles().accept(record.namespace());
        }
    }

    private RunningTenant start(WorkerClusterRecord record) {
        LOG.atInfo()
                .addKeyValue("tenant", record.namespace())
                .addKeyValue("workerCluster", record.name())
                .log("Tenant is served");
        String namespace = record.namespace();
        RunningTenant.Given given = record.secretName().isEmpty() ? sources.local() : null;
        return new RunningTenant(record, given, services, claims, this::namespaceChanged, () -> count(namespace));
    }

    private @Nullable KubeconfigSecret secret(WorkerClusterRecord record) {
        return record.secretName().isEmpty() ? null : sources.secrets().find(record.namespace(), record.secretName());
    }

    private void refuse(WorkerClusterRecord record, Standing.Refused refused) {
        TenantReporter reporter = sources.teller().reporter(record, services);
        boolean ofCredentials = refused.reason() == Reason.LocalTargetRefused;
        Diagnosis why = new Diagnosis(refused.reason(), refused.message());
        reporter.report(
                record,
                new TenantReporter.Situation(
                        null,
                        ofCredentials ? why : null,
                        null,
                        ofCredentials ? List.of() : List.of(why),
                        null,
                        null,
                        "",
                        null));
    }

    private @Nullable Duration leave(WorkerClusterRecord record, Collection<WorkerClusterRecord> neighbours)
            throws ApiFailure {
        RunningTenant tenant = running.find(record.uid());
        if (!record.head().hasFinalizer(WorkerClusterRecord.FINALIZER)) {
            if (tenant != null) {
                end(tenant);
            }
            return null;
        }
        if (tenant == null) {
            tenant = start(record);
            running.add(tenant);
        }
        Cleanup cleanup = tenant.leave(record, secret(record));
        if (cleanup == null) {
            Duration left = tenant.untilLetGo();
            return left.isZero() ? Duration.ofMillis(100) : left;
        }
        letGo(tenant, record, cleanup);
        neighbours.stream()
                .filter(other -> !other.uid().equals(record.uid()))
                .findFirst()
                .ifPresent(other -> namespaceChanged(other.namespace()));
        return null;
    }

    private void letGo(RunningTenant tenant, WorkerClusterRecord record, Cleanup cleanup) throws ApiFailure {
        if (!cleanup.complete()) {
            boolean deletes =
                    record.spec() == null || record.spec().deletionPolicy() == WorkerClusterSpec.DeletionPolicy.DELETE;
            if (deletes) {
                tenant.dropConfigs();
            }
            String message = Message.of(
                    Reason.WorkerCleanupIncomplete,
                    Map.of(
                            "tenant", record.namespace(),
                            "wc", record.name(),
                            "cause", cleanup.cause(),
                            "n", Integer.toString(cleanup.secrets()),
                            "m", Integer.toString(cleanup.finalizers())));
            tenant.tell(new Diagnosis(Reason.WorkerCleanupIncomplete, message));
            sources.observer().cleanupIncomplete();
            LOG.atWarn()
                    .addKeyValue("tenant", record.namespace())
                    .addKeyValue("reason", Reason.WorkerCleanupIncomplete.word())
                    .log("{}", message);
        }
        sources.clusters().removeFinalizer(record);
        sources.clusters().deleteOwnSecret(record, secret(record));
        end(tenant);
    }

    private void end(RunningTenant tenant) {
        String clusterId = tenant.clusterId();
        tenant.stop();
        clusterChanged(clusterId);
        running.remove(tenant);
        LOG.atInfo()
                .addKeyValue("tenant", tenant.record().namespace())
                .addKeyValue("workerCluster", tenant.record().name())
                .log("Tenant is not served any more");
    }

    /** Those that this replica serves now. */
    RunningTenants running() {
        return running;
    }

    /** Ends all; nothing is cleaned up: another process goes on from here. */
    void stop() {
        lane.close();
        running.all().forEach(RunningTenant::stop);
        running.clear();
    }

    // Telling

    /** How many this replica serves. */
    int count() {
        return running.all().size();
    }

    @Override
    public List<TenantView> tenants() {
        return running.all().stream()
                .map(RunningTenant::view)
                .sorted(Comparator.comparing(TenantView::namespace).thenComparing(TenantView::name))
                .toList();
    }

    @Override
    public Optional<TenantView> tenant(String namespace, String name) {
        return running.in(namespace).stream()
                .filter(tenant -> tenant.record().name().equals(name))
                .map(RunningTenant::view)
                .findFirst();
    }
}
