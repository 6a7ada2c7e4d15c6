package io.osmhub.tenancy;

import io.osmhub.core.problem.Actor;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.Reason;
import io.osmhub.tenancy.Hub.HubObserver;
import io.osmhub.tenancy.catalog.ProfileController;
import io.osmhub.tenancy.management.NamespaceCache.NamespaceRecord;
import io.osmhub.tenancy.management.NamespaceEventRecorder;
import io.osmhub.tenancy.registry.ClusterClaims;
import io.osmhub.tenancy.registry.KubeconfigSecret;
import io.osmhub.tenancy.registry.TenantAccess.ReviewedAccess;
import io.osmhub.tenancy.registry.TenantEligibility.RegistrationState;
import io.osmhub.tenancy.registry.WorkerClusterRecord;
import io.osmhub.tenancy.settings.HubSettings;
import io.osmhub.tenancy.settings.KkpTenant;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.queue.RequeueDecision;
import io.osmhub.workersync.queue.TenantQueue;
import io.osmhub.workersync.queue.Urgency;
import io.osmhub.workersync.reconcile.TenantRemoval.CleanupResult;
import io.osmhub.workersync.watch.ObjectKey;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs one tenant for each WorkerCluster that this replica serves: starts, updates, pauses, rotates and stops them. Reconciles
 * one namespace at a time, level-triggered: compares the management cluster's objects with the running tenants, so that missed
 * events and earlier failures do not matter.
 */
final class TenantSupervisor {
    private static final Logger LOG = LoggerFactory.getLogger(TenantSupervisor.class);
    private static final int CONCURRENT_NAMESPACES = 32;

    /** Status updates are collected for this long, so that a burst of runs causes one. */
    private static final Duration STATUS_DELAY = Duration.ofMillis(250);

    /**
     * A namespace has one tenant, and which WorkerCluster that is depends on the others there.
     *
     * @param statusOnly a key of its own, so that a status does not wait for the next attempt of a failed reconcile
     */
    private record NamespaceTask(String namespace, boolean statusOnly) {}

    private final HubContext hub;
    private final ManagementStores stores;
    private final ProfileController profileController;
    private final NamespaceEventRecorder eventRecorder;
    private final ClusterClaims claims;
    private final TenantQueue<NamespaceTask> queue;
    private final RunningTenants running = new RunningTenants();
    private final TakeoverDetector takeoverDetector;
    private final RefusedTenants refused;
    private final SecretRegistrar secretRegistrar;

    TenantSupervisor(HubContext hub, ProfileController profileController, NamespaceEventRecorder eventRecorder) {
        this.hub = hub;
        this.stores = hub.stores();
        this.profileController = profileController;
        this.eventRecorder = eventRecorder;
        this.refused = new RefusedTenants(hub, eventRecorder);
        this.secretRegistrar = new SecretRegistrar(hub, eventRecorder);
        this.takeoverDetector = new TakeoverDetector(hub.dependencies().observer());
        this.claims = new ClusterClaims(stores.workerClusters()::ofCluster, stores.namespaces()::ownerOf);
        this.queue = hub.dependencies().queue().createTenantQueue(CONCURRENT_NAMESPACES);
    }

    // Events

    /** All caches are synced: reconciles every relevant namespace. */
    void start() {
        onEverythingChanged();
        queue.start((task, failures) -> run(task));
    }

    void onNamespaceChanged(String namespace) {
        queue.add(new NamespaceTask(namespace, false), Urgency.FRESH);
    }

    /** The status of a namespace's tenant changed. */
    private void onStatusChanged(String namespace) {
        queue.addAfter(new NamespaceTask(namespace, true), STATUS_DELAY);
    }

    /** The owner of a worker cluster may have changed; another registration of it may be waiting. */
    void onClusterChanged(String clusterId) {
        claims.rivals("", clusterId).forEach(record -> onNamespaceChanged(record.namespace()));
    }

    /** The hub's settings or this replica's share changed. */
    void onEverythingChanged() {
        Set<String> namespaces = new HashSet<>(stores.secrets().namespaces());
        stores.workerClusters().all().forEach(record -> namespaces.add(record.namespace()));
        running.all().forEach(tenant -> namespaces.add(tenant.record().namespace()));
        namespaces.addAll(stores.access().boundNamespaces());
        for (NamespaceRecord namespaceRecord : stores.namespaces().all()) {
            if (isTenant(namespaceRecord)) {
                namespaces.add(namespaceRecord.name());
            }
        }
        namespaces.forEach(this::onNamespaceChanged);
    }

    /** A profile was created, changed or deleted. */
    void onProfileChanged(ObjectKey key) {
        for (RunningTenant tenant : running.all()) {
            if (tenant.readsProfilesFrom(key.namespace())) {
                tenant.onProfilesChanged(key.name()::equals);
            }
        }
    }

    /** Extensions of a namespace changed; of all if empty. */
    void onExtensionsChanged(String namespace) {
        boolean all = namespace.isEmpty() || namespace.equals(hub.settings().sharedProfileNamespace());
        (all ? running.all() : running.in(namespace)).forEach(RunningTenant::onExtensionsChanged);
    }

    /** A namespace started or stopped sharing its profiles. */
    void onProfileOfferChanged(String namespace) {
        Set<String> names = stores.profiles().in(namespace).keySet();
        for (RunningTenant tenant : running.all()) {
            if (tenant.readsProfilesFrom(namespace)) {
                tenant.onProfilesChanged(Set.copyOf(names)::contains);
                onNamespaceChanged(tenant.record().namespace());
            }
        }
    }

    /** Another writer changed or deleted an OperatingSystemConfig. */
    void onConfigChanged(ObjectKey key) {
        running.in(key.namespace()).forEach(tenant -> tenant.onConfigChanged(key.name()));
    }

    // Reconciling

    private RequeueDecision run(NamespaceTask task) {
        String namespace = task.namespace();
        try {
            if (task.statusOnly()) {
                running.in(namespace).forEach(RunningTenant::publishStatus);
                return new RequeueDecision.Done();
            }
            return reconcile(namespace);
        } catch (ApiFailure e) {
            LOG.atDebug()
                    .addKeyValue("tenant", namespace)
                    .addKeyValue("cause", e.text())
                    .log("Namespace reconcile failed");
            return new RequeueDecision.Retry(e.isTransient() ? Actor.HUB : Actor.OPERATOR, e.retryAfter());
        } catch (RuntimeException e) {
            LOG.atError().addKeyValue("tenant", namespace).setCause(e).log("Namespace reconcile failed unexpectedly");
            return new RequeueDecision.Retry(Actor.HUB, null);
        }
    }

    private RequeueDecision reconcile(String namespace) throws ApiFailure {
        Collection<WorkerClusterRecord> records = stores.workerClusters().recordsIn(namespace);
        boolean served = hub.serves(namespace);
        // A replica that stands by serves the fixed WorkerCluster when it gets the Lease, which is no transfer of a
        // tenant.
        takeoverDetector.recordReconcile(namespace, served, !stores.isFixed() && !records.isEmpty());
        NamespaceRecord namespaceRecord = stores.namespaces().find(namespace);
        if (!served) {
            running.in(namespace).forEach(this::end);
            refused.forget(namespace, uid -> true);
            forgetSecrets(namespace);
            forgetIfGone(namespace, namespaceRecord, records);
            return new RequeueDecision.Done();
        }
        ReviewedAccess access = watchSecrets(namespace, namespaceRecord, records);
        Duration soonest = access.recheckAfter();
        Map<String, WorkerClusterRecord> byUid = new HashMap<>();
        records.forEach(record -> byUid.put(record.uid(), record));
        for (RunningTenant tenant : running.in(namespace)) {
            if (!byUid.containsKey(tenant.record().uid())) {
                end(tenant);
            }
        }
        refused.forget(namespace, uid -> !byUid.containsKey(uid));
        forgetIfGone(namespace, namespaceRecord, records);
        for (WorkerClusterRecord record : records) {
            soonest = SecretRegistrar.sooner(soonest, reconcile(record, namespaceRecord, records, access.denied()));
        }
        // Last, because none can be created while their definition is being deleted, which waits for those above to be
        // released.
        if (access.denied() == null) {
            soonest = SecretRegistrar.sooner(soonest, secretRegistrar.register(namespace, namespaceRecord, records));
        }
        return soonest == null ? new RequeueDecision.Done() : new RequeueDecision.RequeueAfter(soonest);
    }

    /** Watches the Secrets of a namespace, if it is a tenant's and the hub has the permissions there. */
    private ReviewedAccess watchSecrets(
            String namespace, @Nullable NamespaceRecord namespaceRecord, Collection<WorkerClusterRecord> records)
            throws ApiFailure {
        boolean managed = records.stream()
                .anyMatch(record -> !(hub.eligibility().decide(record, namespaceRecord, records)
                        instanceof RegistrationState.Unmanaged));
        if (hub.settings().single() || !managed && (namespaceRecord == null || !isTenant(namespaceRecord))) {
            forgetSecrets(namespace);
            return ReviewedAccess.GRANTED;
        }
        ReviewedAccess access = stores.access().review(namespace);
        if (access.denied() == null) {
            stores.secrets().watch(namespace, secretNames(records));
        } else {
            stores.secrets().suspend(namespace);
        }
        return access;
    }

    private void forgetSecrets(String namespace) {
        stores.secrets().forget(namespace);
        stores.access().forget(namespace);
    }

    /** Whether a tenant is expected in the namespace, even before a WorkerCluster exists. */
    private boolean isTenant(NamespaceRecord namespaceRecord) {
        HubSettings settings = hub.settings();
        if (namespaceRecord.terminating() || !settings.namespaceSelector().matches(namespaceRecord.labels())) {
            return false;
        }
        return !settings.namespaceSelector().requirements().isEmpty()
                || namespaceRecord.isTenant()
                || stores.kkp().tenant(namespaceRecord.name()) != null
                || stores.access().isBound(namespaceRecord.name());
    }

    /** Forgets a deleted namespace; a recreated one starts afresh. */
    private void forgetIfGone(
            String namespace, @Nullable NamespaceRecord namespaceRecord, Collection<WorkerClusterRecord> records) {
        if (namespaceRecord == null && records.isEmpty()) {
            eventRecorder.forget(namespace);
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

    /** Delay until the next reconcile; null to wait for a change. */
    private @Nullable Duration reconcile(
            WorkerClusterRecord record,
            @Nullable NamespaceRecord namespaceRecord,
            Collection<WorkerClusterRecord> neighbours,
            @Nullable Problem denied)
            throws ApiFailure {
        Problem unknown = denied != null ? denied : unreadable(record);
        KkpTenant cluster = stores.kkp().tenant(record.namespace());
        RegistrationState registrationState = cluster == null || cluster.isManaged()
                ? hub.eligibility().decide(record, namespaceRecord, neighbours)
                : new RegistrationState.Unmanaged();
        return switch (registrationState) {
            case RegistrationState.Served() -> {
                serve(record, unknown);
                yield null;
            }
            case RegistrationState.Deleting() -> leave(record, namespaceRecord, neighbours, unknown);
            case RegistrationState.Refused(Problem why) -> {
                endIfRunning(record);
                refused.report(record, why);
                yield null;
            }
            case RegistrationState.Unmanaged() -> {
                endIfRunning(record);
                refused.forget(record.namespace(), record.uid()::equals);
                yield null;
            }
        };
    }

    /** Why the content of a WorkerCluster or of its Secret is unknown; null if a version of each could be read. */
    private @Nullable Problem unreadable(WorkerClusterRecord record) {
        Problem why = record.spec() == null
                ? stores.workerClusters().unreadable(record.namespace(), record.name())
                : record.secretName().isEmpty()
                        ? null
                        : stores.secrets().unreadable(record.namespace(), record.secretName());
        return why == null ? null : why.inTenant(record.namespace(), record.name());
    }

    /** @param denied why the Secret or the record cannot be read; a tenant that runs continues with what was read */
    private void serve(WorkerClusterRecord record, @Nullable Problem denied) throws ApiFailure {
        boolean local = record.secretName().isEmpty();
        if (denied != null && running.find(record) == null) {
            refused.report(record, denied);
            return;
        }
        if (!local && denied == null && !stores.secrets().isKnown(record.namespace(), record.secretName())) {
            // Its watch requests another reconcile when it is.
            return;
        }
        // Before the hub writes to the worker cluster.
        stores.workerClusters().addFinalizer(record);
        RunningTenant tenant = running.find(record);
        if (tenant == null) {
            tenant = start(record);
            running.add(tenant);
        }
        tenant.serve(record, secret(record), denied);
        if (tenant.wantsDefaultProfiles()) {
            profileController.requestInstall(record.namespace());
        }
    }

    private RunningTenant start(WorkerClusterRecord record) {
        refused.forget(record.namespace(), record.uid()::equals);
        LOG.atInfo()
                .addKeyValue("tenant", record.namespace())
                .addKeyValue("workerCluster", record.name())
                .log("Tenant started");
        String namespace = record.namespace();
        return new RunningTenant(record, hub, claims, this::onNamespaceChanged, () -> onStatusChanged(namespace));
    }

    private @Nullable KubeconfigSecret secret(WorkerClusterRecord record) {
        return record.secretName().isEmpty() ? null : stores.secrets().find(record.namespace(), record.secretName());
    }

    private @Nullable Duration leave(
            WorkerClusterRecord record,
            @Nullable NamespaceRecord namespaceRecord,
            Collection<WorkerClusterRecord> neighbours,
            @Nullable Problem denied)
            throws ApiFailure {
        RunningTenant tenant = running.find(record);
        if (record.head().hasFinalizer(WorkerClusterRecord.FINALIZER) && endsWithItsCluster(record, namespaceRecord)) {
            // Its API server ends with the same namespace, which must not wait for a cleanup of it.
            stores.workerClusters().removeFinalizer(record);
            endIfRunning(record);
            return null;
        }
        if (!record.head().hasFinalizer(WorkerClusterRecord.FINALIZER)) {
            endIfRunning(record);
            return null;
        }
        boolean definitionDeleted = stores.workerClusters().isDefinitionBeingDeleted();
        if (tenant == null) {
            Duration left = record.untilRelease(hub.runtimeContext().scheduler().now(), definitionDeleted);
            boolean unknown = denied != null && record.spec() == null
                    || !record.secretName().isEmpty()
                            && !stores.secrets().isKnown(record.namespace(), record.secretName());
            if (unknown && left.isPositive()) {
                // Cleaning up needs the kubeconfig: waits for its watch or for the permission.
                if (denied != null) {
                    refused.report(record, denied);
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
        if (neighbours.size() > 1) {
            onNamespaceChanged(record.namespace());
        }
        return null;
    }

    /** Whether KKP deletes the whole worker cluster: after its machines are gone it deletes the namespace of the control plane. */
    private boolean endsWithItsCluster(WorkerClusterRecord record, @Nullable NamespaceRecord namespaceRecord) {
        KkpTenant cluster = stores.kkp().tenant(record.namespace());
        return cluster != null
                && cluster.isBeingDeleted()
                && (namespaceRecord == null || namespaceRecord.terminating());
    }

    private void release(RunningTenant tenant, WorkerClusterRecord record, CleanupResult cleanup) throws ApiFailure {
        if (!cleanup.complete()) {
            if (tenant.deletesContent()) {
                tenant.deleteConfigs();
            }
            Problem incomplete = Reason.WorkerCleanupIncomplete.with(
                    record.variables(),
                    "cause",
                    cleanup.cause(),
                    "n",
                    Integer.toString(cleanup.secrets()),
                    "m",
                    Integer.toString(cleanup.finalizers()));
            tenant.recordEvent(incomplete);
            hub.dependencies().observer().onCleanupIncomplete();
            LOG.atWarn()
                    .addKeyValue("tenant", record.namespace())
                    .addKeyValue("reason", Reason.WorkerCleanupIncomplete.wireName())
                    .log("{}", incomplete.message());
        }
        stores.workerClusters().removeFinalizer(record);
        if (tenant.isRemovedWithDefinition()) {
            LOG.atWarn()
                    .addKeyValue("tenant", record.namespace())
                    .log(
                            "WorkerCluster {} was deleted with its CustomResourceDefinition; its secrets in the worker"
                                    + " cluster stay",
                            record.name());
        } else {
            stores.workerClusters().deleteOwnSecret(record, secret(record));
        }
        end(tenant);
    }

    private void endIfRunning(WorkerClusterRecord record) {
        RunningTenant tenant = running.find(record);
        if (tenant != null) {
            end(tenant);
        }
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

    /** Tenants that this replica serves now, in no order. */
    List<RunningTenant> all() {
        return running.all();
    }

    /** Tenants of a namespace that this replica serves now. */
    List<RunningTenant> in(String namespace) {
        return running.in(namespace);
    }

    /** Stops all tenants without cleanup; another process continues. */
    void stop() {
        queue.close();
        running.all().forEach(RunningTenant::stop);
        running.clear();
    }

    // State

    /** By namespace and name. */
    List<TenantView> views() {
        return running.all().stream()
                .map(RunningTenant::view)
                .sorted(Comparator.comparing(TenantView::namespace).thenComparing(TenantView::name))
                .toList();
    }

    Optional<TenantView> view(String namespace, String name) {
        return running.in(namespace).stream()
                .filter(tenant -> tenant.record().name().equals(name))
                .map(RunningTenant::view)
                .findFirst();
    }

    /** Those of one namespace are changed by one thread at a time; thread-safe for readers. */
    static final class RunningTenants {
        /** By namespace and UID of the WorkerCluster. */
        private final Map<String, Map<String, RunningTenant>> byNamespace = new ConcurrentHashMap<>();

        void add(RunningTenant tenant) {
            byNamespace
                    .computeIfAbsent(tenant.record().namespace(), added -> new ConcurrentHashMap<>())
                    .put(tenant.record().uid(), tenant);
        }

        void remove(RunningTenant tenant) {
            byNamespace.computeIfPresent(tenant.record().namespace(), (namespace, tenants) -> {
                tenants.remove(tenant.record().uid(), tenant);
                return tenants.isEmpty() ? null : tenants;
            });
        }

        void clear() {
            byNamespace.clear();
        }

        @Nullable RunningTenant find(WorkerClusterRecord record) {
            return byNamespace.getOrDefault(record.namespace(), Map.of()).get(record.uid());
        }

        /** A snapshot. */
        List<RunningTenant> in(String namespace) {
            return List.copyOf(byNamespace.getOrDefault(namespace, Map.of()).values());
        }

        /** A snapshot. */
        List<RunningTenant> all() {
            return byNamespace.values().stream()
                    .flatMap(tenants -> tenants.values().stream())
                    .toList();
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

        /** @param served whether this replica serves the namespace */
        void recordReconcile(String namespace, boolean served, boolean hasTenant) {
            if (!served && hasTenant) {
                elsewhere.add(namespace);
            } else if (elsewhere.remove(namespace) && served && hasTenant) {
                observer.onTakeover();
            }
        }
    }
}
