package io.osmhub.tenancy;

import io.osmhub.core.problem.Actor;
import io.osmhub.core.problem.Category;
import io.osmhub.core.problem.ProblemFinding;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.ReasonMessage;
import io.osmhub.core.workercluster.WorkerClusterSpec.ProfileSettings.InstallDefaults;
import io.osmhub.tenancy.Hub.HubObserver;
import io.osmhub.tenancy.RunningTenant.CleanupTimeout;
import io.osmhub.tenancy.TenantDirectory.TenantView;
import io.osmhub.tenancy.catalog.StoredProfile;
import io.osmhub.tenancy.kkp.KkpTenant;
import io.osmhub.tenancy.link.ClusterClaims;
import io.osmhub.tenancy.namespace.NamespaceCache;
import io.osmhub.tenancy.namespace.NamespaceCache.NamespaceRecord;
import io.osmhub.tenancy.registry.KubeconfigSecret;
import io.osmhub.tenancy.registry.KubeconfigSecretCache;
import io.osmhub.tenancy.registry.NamespaceRegistrations;
import io.osmhub.tenancy.registry.RegistrationEventRecorder;
import io.osmhub.tenancy.registry.TenantAccess;
import io.osmhub.tenancy.registry.TenantAccess.ReviewedAccess;
import io.osmhub.tenancy.registry.TenantEligibility.RegistrationState;
import io.osmhub.tenancy.registry.WorkerClusterRecord;
import io.osmhub.tenancy.registry.WorkerClusterStore;
import io.osmhub.tenancy.settings.HubSettings;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.queue.RequeueDecision;
import io.osmhub.workersync.queue.TenantQueue;
import io.osmhub.workersync.queue.Urgency;
import io.osmhub.workersync.queue.WorkQueue;
import io.osmhub.workersync.reconcile.RunScheduler.CleanupResult;
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
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs one tenant for each WorkerCluster that this replica serves: starts, updates, pauses, rotates and stops them. Reconciles
 * one namespace at a time, level-triggered: compares the management cluster's objects with the running tenants, so that missed
 * events and earlier failures do not matter.
 */
final class TenantSupervisor implements TenantDirectory {
    private static final Logger LOG = LoggerFactory.getLogger(TenantSupervisor.class);
    private static final int LOOKS_AT_ONCE = 32;

    /** Status updates are collected for this long, so that a burst of runs causes one. */
    private static final Duration COUNTED_AFTER = Duration.ofMillis(250);

    private record NamespaceTask(String namespace, boolean countOnly) {}

    private final TenantServices services;
    private final RegistrationSources sources;
    private final ClusterClaims claims;
    private final Predicate<String> served;
    private final TenantQueue<NamespaceTask> lane;
    private final RunningTenants running = new RunningTenants();
    private final Map<String, Object> locks = new ConcurrentHashMap<>();
    private final TakeoverDetector handovers;
    /** Reporters of the WorkerClusters that are refused now, by namespace and UID. */
    private final Map<String, Map<String, TenantStatusReporter>> refused = new ConcurrentHashMap<>();

    /**
     * Where registrations come from.
     *
     * @param local the management cluster as worker cluster in single-cluster mode; else null
     * @param defaultProfiles receives namespaces that want the default profiles
     */
    record RegistrationSources(
            WorkerClusterStore clusters,
            KubeconfigSecretCache secrets,
            TenantAccess access,
            NamespaceCache namespaces,
            RunningTenant.@Nullable OperatorWorkerCluster local,
            RegistrationEventRecorder teller,
            Consumer<String> defaultProfiles,
            HubObserver observer) {}

    /** @param served whether this replica serves a namespace */
    TenantSupervisor(TenantServices services, RegistrationSources sources, Predicate<String> served, WorkQueue queue) {
        this.services = services;
        this.sources = sources;
        this.served = served;
        this.handovers = new TakeoverDetector(sources.observer());
        this.claims = new ClusterClaims(sources.clusters()::ofCluster, sources.namespaces()::ownerOf);
        this.lane = queue.createTenantQueue(LOOKS_AT_ONCE, this::run);
        lane.pause();
    }

    // Events

    /** All caches are synced: reconciles every relevant namespace. */
    void begin() {
        onEverythingChanged();
        lane.resume();
    }

    void onNamespaceChanged(String namespace) {
        lane.add(new NamespaceTask(namespace, false), Urgency.FRESH);
    }

    /** The owner of a worker cluster may have changed; another registration of it may be waiting. */
    void onClusterChanged(String clusterId) {
        claims.rivals("", clusterId).forEach(record -> onNamespaceChanged(record.namespace()));
    }

    /** The hub's settings or this replica's share changed. */
    void onEverythingChanged() {
        Set<String> namespaces = new HashSet<>(sources.secrets().namespaces());
        sources.clusters().all().forEach(record -> namespaces.add(record.namespace()));
        running.all().forEach(tenant -> namespaces.add(tenant.record().namespace()));
        namespaces.addAll(sources.access().boundNamespaces());
        for (NamespaceRecord place : sources.namespaces().all()) {
            if (isTenant(place)) {
                namespaces.add(place.name());
            }
        }
        namespaces.forEach(this::onNamespaceChanged);
    }

    private void count(String namespace) {
        lane.addAfter(new NamespaceTask(namespace, true), COUNTED_AFTER);
    }

    /** A profile was created, changed or deleted. */
    void onProfileChanged(String namespace, @Nullable StoredProfile before, @Nullable StoredProfile after) {
        Set<String> names = new HashSet<>();
        if (before != null) {
            names.add(before.name());
        }
        if (after != null) {
            names.add(after.name());
        }
        for (RunningTenant tenant : running.all()) {
            if (tenant.readsProfilesFrom(namespace)) {
                tenant.onProfilesChanged(names);
            }
        }
    }

    /** A namespace started or stopped sharing its profiles. */
    void onProfileOfferChanged(String namespace) {
        Set<String> names = services.profiles().in(namespace).keySet();
        for (RunningTenant tenant : running.all()) {
            if (tenant.readsProfilesFrom(namespace)) {
                tenant.onProfilesChanged(Set.copyOf(names));
                onNamespaceChanged(tenant.record().namespace());
            }
        }
    }

    /** Another writer changed or deleted an OperatingSystemConfig. */
    void onConfigChanged(String namespace, String name) {
        running.in(namespace).forEach(tenant -> tenant.onConfigChanged(name));
    }

    // Reconciling

    private RequeueDecision run(NamespaceTask task, int failures) {
        // Status update and reconcile of a namespace are two keys, but use the same tenants.
        synchronized (locks.computeIfAbsent(task.namespace(), added -> new Object())) {
            try {
                if (task.countOnly()) {
                    running.in(task.namespace()).forEach(RunningTenant::publishStatus);
                    return new RequeueDecision.Done();
                }
                return reconcile(task.namespace());
            } catch (ApiFailure e) {
                LOG.atDebug()
                        .addKeyValue("tenant", task.namespace())
                        .addKeyValue("cause", e.text())
                        .log("Namespace reconcile failed");
                return new RequeueDecision.Retry(e.isTransient() ? Actor.HUB : Actor.OPERATOR, e.retryAfter());
            } catch (RuntimeException e) {
                LOG.atError()
                        .addKeyValue("tenant", task.namespace())
                        .setCause(e)
                        .log("Namespace reconcile failed unexpectedly");
                return new RequeueDecision.Retry(Actor.HUB, null);
            }
        }
    }

    private RequeueDecision reconcile(String namespace) throws ApiFailure {
        Collection<WorkerClusterRecord> records = sources.clusters().in(namespace);
        boolean own = served.test(namespace);
        handovers.recordReconcile(namespace, own, !records.isEmpty());
        NamespaceRecord place = services.namespaces().apply(namespace);
        if (!own) {
            running.in(namespace).forEach(this::end);
            forgetRefusals(namespace, uid -> true);
            forgetSecrets(namespace);
            forgetIfGone(namespace, place, records);
            return new RequeueDecision.Done();
        }
        ReviewedAccess access = watchSecrets(namespace, place, records);
        Duration soonest = access.recheckAfter();
        Map<String, WorkerClusterRecord> byUid = new HashMap<>();
        records.forEach(record -> byUid.put(record.uid(), record));
        for (RunningTenant tenant : running.in(namespace)) {
            if (!byUid.containsKey(tenant.record().uid())) {
                end(tenant);
            }
        }
        forgetRefusals(namespace, uid -> !byUid.containsKey(uid));
        forgetIfGone(namespace, place, records);
        for (WorkerClusterRecord record : records) {
            soonest = sooner(soonest, reconcile(record, place, records, access.denied()));
        }
        // Last, because none can be created while their definition is being deleted, which waits for those above to be
        // released.
        if (access.denied() == null) {
            soonest = sooner(soonest, register(namespace, place, records));
        }
        return soonest == null ? new RequeueDecision.Done() : new RequeueDecision.RequeueAfter(soonest);
    }

    /** Watches the Secrets of a namespace, if it is a tenant's and the hub has the permissions there. */
    private ReviewedAccess watchSecrets(
            String namespace, @Nullable NamespaceRecord place, Collection<WorkerClusterRecord> records)
            throws ApiFailure {
        boolean managed = records.stream()
                .anyMatch(record -> !(services.tenantRules().decide(record, place, records)
                        instanceof RegistrationState.Unmanaged));
        if (services.settings().get().single() || !managed && (place == null || !isTenant(place))) {
            forgetSecrets(namespace);
            return ReviewedAccess.GRANTED;
        }
        ReviewedAccess access = sources.access().review(namespace);
        if (access.denied() == null) {
            sources.secrets().watch(namespace, secretNames(records));
        } else {
            sources.secrets().suspend(namespace);
        }
        return access;
    }

    private void forgetSecrets(String namespace) {
        sources.secrets().forget(namespace);
        sources.access().forget(namespace);
    }

    /** Whether a tenant is expected in the namespace, even before a WorkerCluster exists. */
    private boolean isTenant(NamespaceRecord place) {
        HubSettings settings = services.settings().get();
        if (place.terminating() || !settings.namespaceSelector().matches(place.labels())) {
            return false;
        }
        return !settings.namespaceSelector().requirements().isEmpty()
                || place.isTenant()
                || services.kkp().tenant(place.name()) != null
                || sources.access().isBound(place.name());
    }

    private static @Nullable Duration sooner(@Nullable Duration one, @Nullable Duration other) {
        return one == null || other != null && other.compareTo(one) < 0 ? other : one;
    }

    /** Forgets a deleted namespace; a recreated one starts afresh. */
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
     * Creates the WorkerClusters that Secrets request, and removes those whose Secret was deleted long enough ago.
     *
     * @return delay until the next reconcile; null to wait for a change
     */
    private @Nullable Duration register(
            String namespace, @Nullable NamespaceRecord place, Collection<WorkerClusterRecord> records)
            throws ApiFailure {
        HubSettings settings = services.settings().get();
        boolean may = place != null
                && !place.terminating()
                && !settings.single()
                && settings.namespaceSelector().matches(place.labels());
        KkpTenant kkp = services.kkp().tenant(namespace);
        boolean ofKkp = kkp != null && kkp.isManaged() && !kkp.isBeingDeleted();
        NamespaceRegistrations registrations = NamespaceRegistrations.decide(
                sources.secrets().in(namespace),
                records,
                ofKkp ? settings.discovery() : settings.discovery().withoutKkp());
        if (may) {
            for (NamespaceRegistrations.DesiredWorkerCluster wanted : registrations.wanted()) {
                sources.clusters().create(wanted);
            }
            registrations.refused().forEach(sources.teller()::recordRefusal);
        }
        Duration soonest = null;
        List<WorkerClusterRecord> orphans = registrations.orphans();
        for (WorkerClusterRecord found : records) {
            if (found.head().isBeingDeleted()) {
                continue;
            }
            WorkerClusterRecord record = sources.clusters().removeOwnership(found);
            if (orphans.contains(found)) {
                soonest = sooner(soonest, removeOrphanWhenDue(record, settings.removalDelay()));
            } else if (!record.annotation(WorkerClusterRecord.SECRET_MISSING_SINCE)
                    .isEmpty()) {
                sources.clusters().recordMissingSecret(record, null);
            }
        }
        return soonest;
    }

    /** Delay until the next reconcile; null if nothing is to be removed, or the deletion is not confirmed. */
    private @Nullable Duration removeOrphanWhenDue(WorkerClusterRecord orphan, @Nullable Duration delay)
            throws ApiFailure {
        if (delay == null || !sources.secrets().isKnown(orphan.namespace(), orphan.secretName())) {
            return null;
        }
        Instant now = services.runtime().scheduler().now();
        Instant since = orphan.secretMissingSince();
        if (since == null) {
            sources.clusters().recordMissingSecret(orphan, now);
            return delay;
        }
        Duration left = Duration.between(now, since.plus(delay));
        if (left.isPositive()) {
            return left;
        }
        sources.clusters().deleteOrphan(orphan);
        return null;
    }

    /** Delay until the next reconcile; null to wait for a change. */
    private @Nullable Duration reconcile(
            WorkerClusterRecord record,
            @Nullable NamespaceRecord place,
            Collection<WorkerClusterRecord> neighbours,
            @Nullable ReasonMessage denied)
            throws ApiFailure {
        ReasonMessage unknown = denied != null ? denied : unreadable(record);
        KkpTenant cluster = services.kkp().tenant(record.namespace());
        RegistrationState standing = cluster == null || cluster.isManaged()
                ? services.tenantRules().decide(record, place, neighbours)
                : new RegistrationState.Unmanaged();
        return switch (standing) {
            case RegistrationState.Served() -> {
                serve(record, unknown);
                yield null;
            }
            case RegistrationState.Deleting() -> leave(record, place, neighbours, unknown);
            case RegistrationState.Refused state -> {
                RunningTenant tenant = running.find(record.uid());
                if (tenant != null) {
                    end(tenant);
                }
                refuse(record, state.why());
                yield null;
            }
            case RegistrationState.Unmanaged() -> {
                RunningTenant tenant = running.find(record.uid());
                if (tenant != null) {
                    end(tenant);
                }
                forgetRefusals(record.namespace(), record.uid()::equals);
                yield null;
            }
        };
    }

    /** Why the content of a WorkerCluster or of its Secret is unknown; null if a version of each could be read. */
    private @Nullable ReasonMessage unreadable(WorkerClusterRecord record) {
        ProblemFinding why = record.spec() == null
                ? sources.clusters().unreadable(record.namespace(), record.name())
                : record.secretName().isEmpty()
                        ? null
                        : sources.secrets().unreadable(record.namespace(), record.secretName());
        return why == null ? null : ReasonMessage.of(record.namespace(), why);
    }

    /** @param denied why the Secret or the record cannot be read; a tenant that runs continues with what was read */
    private void serve(WorkerClusterRecord record, @Nullable ReasonMessage denied) throws ApiFailure {
        boolean local = record.secretName().isEmpty();
        if (denied != null && running.find(record.uid()) == null) {
            refuse(record, denied);
            return;
        }
        if (!local && denied == null && !sources.secrets().isKnown(record.namespace(), record.secretName())) {
            // Its watch requests another reconcile when it is.
            return;
        }
        // Before the hub writes to the worker cluster.
        sources.clusters().addFinalizer(record);
        RunningTenant tenant = running.find(record.uid());
        if (tenant == null) {
            tenant = start(record);
            running.add(tenant);
        }
        tenant.serve(record, secret(record), denied);
        if (tenant.installDefaults() == InstallDefaults.PER_NAMESPACE) {
            sources.defaultProfiles().accept(record.namespace());
        }
    }

    private RunningTenant start(WorkerClusterRecord record) {
        forgetRefusals(record.namespace(), record.uid()::equals);
        LOG.atInfo()
                .addKeyValue("tenant", record.namespace())
                .addKeyValue("workerCluster", record.name())
                .log("Tenant started");
        String namespace = record.namespace();
        RunningTenant.OperatorWorkerCluster given = record.secretName().isEmpty() ? sources.local() : null;
        return new RunningTenant(record, given, services, claims, this::onNamespaceChanged, () -> count(namespace));
    }

    private @Nullable KubeconfigSecret secret(WorkerClusterRecord record) {
        return record.secretName().isEmpty() ? null : sources.secrets().find(record.namespace(), record.secretName());
    }

    private void refuse(WorkerClusterRecord record, ReasonMessage why) {
        // Kept while it is refused, so that nothing is reported twice.
        TenantStatusReporter reporter = refused.computeIfAbsent(record.namespace(), first -> new ConcurrentHashMap<>())
                .computeIfAbsent(
                        record.uid(),
                        uid -> new TenantStatusReporter(
                                record, services, sources.teller().events(record.namespace())));
        boolean ofCredentials = why.reason().category() == Category.CREDENTIALS;
        reporter.publishStatus(
                record,
                new TenantStatusReporter.TenantSnapshot(
                        null,
                        ofCredentials ? why : null,
                        null,
                        ofCredentials ? List.of() : List.of(why),
                        null,
                        null,
                        "",
                        null,
                        TenantStatusReporter.pauseCause(record, null)));
    }

    /** The next refusal is a new one, also for the same reason. */
    private void forgetRefusals(String namespace, Predicate<String> ofUid) {
        refused.computeIfPresent(namespace, (name, reporters) -> {
            reporters.keySet().removeIf(ofUid);
            return reporters.isEmpty() ? null : reporters;
        });
    }

    private @Nullable Duration leave(
            WorkerClusterRecord record,
            @Nullable NamespaceRecord place,
            Collection<WorkerClusterRecord> neighbours,
            @Nullable ReasonMessage denied)
            throws ApiFailure {
        RunningTenant tenant = running.find(record.uid());
        if (record.head().hasFinalizer(WorkerClusterRecord.FINALIZER) && endsWithItsCluster(record, place)) {
            // Its API server ends with the same namespace, which must not wait for a cleanup of it.
            sources.clusters().removeFinalizer(record);
            if (tenant != null) {
                end(tenant);
            }
            return null;
        }
        if (!record.head().hasFinalizer(WorkerClusterRecord.FINALIZER)) {
            if (tenant != null) {
                end(tenant);
            }
            return null;
        }
        boolean definitionDeleted = sources.clusters().isDefinitionBeingDeleted();
        if (tenant == null) {
            Duration left = CleanupTimeout.remaining(
                    record, services.runtime().scheduler().now(), definitionDeleted);
            boolean unknown = denied != null && record.spec() == null
                    || !record.secretName().isEmpty()
                            && !sources.secrets().isKnown(record.namespace(), record.secretName());
            if (unknown && left.isPositive()) {
                // Cleaning up needs the kubeconfig: waits for its watch or for the permission.
                if (denied != null) {
                    refuse(record, denied);
                }
                return left;
            }
            tenant = start(record);
            running.add(tenant);
        }
        CleanupResult cleanup = tenant.cleanUp(record, secret(record), definitionDeleted);
        if (cleanup == null) {
            Duration left = tenant.untilRelease();
            return left.isZero() ? Duration.ofMillis(100) : left;
        }
        release(tenant, record, cleanup);
        neighbours.stream()
                .filter(other -> !other.uid().equals(record.uid()))
                .findFirst()
                .ifPresent(other -> onNamespaceChanged(other.namespace()));
        return null;
    }

    /** Whether KKP deletes the whole worker cluster: after its machines are gone it deletes the namespace of the control plane. */
    private boolean endsWithItsCluster(WorkerClusterRecord record, @Nullable NamespaceRecord place) {
        KkpTenant cluster = services.kkp().tenant(record.namespace());
        return cluster != null && cluster.isBeingDeleted() && (place == null || place.terminating());
    }

    private void release(RunningTenant tenant, WorkerClusterRecord record, CleanupResult cleanup) throws ApiFailure {
        if (!cleanup.complete()) {
            if (tenant.deletesContent()) {
                tenant.deleteConfigs();
            }
            ReasonMessage incomplete = Reason.WorkerCleanupIncomplete.with(
                    record.variables(),
                    "cause",
                    cleanup.cause(),
                    "n",
                    Integer.toString(cleanup.secrets()),
                    "m",
                    Integer.toString(cleanup.finalizers()));
            tenant.recordEvent(incomplete);
            sources.observer().onCleanupIncomplete();
            LOG.atWarn()
                    .addKeyValue("tenant", record.namespace())
                    .addKeyValue("reason", Reason.WorkerCleanupIncomplete.wireName())
                    .log("{}", incomplete.message());
        }
        sources.clusters().removeFinalizer(record);
        if (tenant.isRemovedWithDefinition()) {
            LOG.atWarn()
                    .addKeyValue("tenant", record.namespace())
                    .log(
                            "WorkerCluster {} was deleted with its CustomResourceDefinition; its secrets in the worker"
                                    + " cluster stay",
                            record.name());
        } else {
            sources.clusters().deleteOwnSecret(record, secret(record));
        }
        end(tenant);
    }

    private void end(RunningTenant tenant) {
        String clusterId = tenant.clusterId();
        tenant.stop();
        onClusterChanged(clusterId);
        running.remove(tenant);
        LOG.atInfo()
                .addKeyValue("tenant", tenant.record().namespace())
                .addKeyValue("workerCluster", tenant.record().name())
                .log("Tenant stopped");
    }

    /** Tenants that this replica serves now. */
    RunningTenants running() {
        return running;
    }

    /** Stops all tenants without cleanup; another process continues. */
    void stop() {
        lane.close();
        running.all().forEach(RunningTenant::stop);
        running.clear();
    }

    // State

    /** Number of tenants that this replica serves. */
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

    /**
     * The running tenants, by UID of the WorkerCluster and by namespace. Those of one namespace are changed by one thread at a time;
     * thread-safe for readers.
     */
    static final class RunningTenants {
        private final Map<String, RunningTenant> byUid = new ConcurrentHashMap<>();
        private final Map<String, Map<String, RunningTenant>> byNamespace = new ConcurrentHashMap<>();

        void add(RunningTenant tenant) {
            String uid = tenant.record().uid();
            byUid.put(uid, tenant);
            byNamespace
                    .computeIfAbsent(tenant.record().namespace(), added -> new ConcurrentHashMap<>())
                    .put(uid, tenant);
        }

        void remove(RunningTenant tenant) {
            String uid = tenant.record().uid();
            byUid.remove(uid, tenant);
            byNamespace.computeIfPresent(tenant.record().namespace(), (namespace, tenants) -> {
                tenants.remove(uid, tenant);
                return tenants.isEmpty() ? null : tenants;
            });
        }

        void clear() {
            byUid.clear();
            byNamespace.clear();
        }

        @Nullable RunningTenant find(String uid) {
            return byUid.get(uid);
        }

        /** A snapshot. */
        List<RunningTenant> in(String namespace) {
            return List.copyOf(byNamespace.getOrDefault(namespace, Map.of()).values());
        }

        /** A live view. */
        Collection<RunningTenant> all() {
            return byUid.values();
        }
    }

    /** Detects when this replica takes a namespace with a tenant from another. Thread-safe. */
    static final class TakeoverDetector {
        private final HubObserver observer;
        /** Namespaces with a tenant that another replica served at the last reconcile. */
        private final Set<String> elsewhere = ConcurrentHashMap.newKeySet();

        TakeoverDetector(HubObserver observer) {
            this.observer = observer;
        }

        /** @param own whether this replica serves the namespace */
        void recordReconcile(String namespace, boolean own, boolean hasTenant) {
            if (!own && hasTenant) {
                elsewhere.add(namespace);
            } else if (elsewhere.remove(namespace) && own && hasTenant) {
                observer.onTakeover();
            }
        }
    }
}
