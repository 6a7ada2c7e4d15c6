package io.osmhub.tenancy;

import io.osmhub.core.plan.HubIdentity;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.schema.DurationFormat;
import io.osmhub.core.settings.TenantSettings.InstallDefaults;
import io.osmhub.core.settings.TenantSettings.NodeFetch;
import io.osmhub.core.status.OpenProblems;
import io.osmhub.core.workercluster.WorkerClusterSpec;
import io.osmhub.core.workercluster.WorkerClusterSpec.OsmContent;
import io.osmhub.tenancy.admission.AdmissionEndpoint;
import io.osmhub.tenancy.admission.TenantWebhook;
import io.osmhub.tenancy.catalog.TenantConfigStore;
import io.osmhub.tenancy.catalog.TenantProfileCatalog;
import io.osmhub.tenancy.catalog.WorkerProfileCache;
import io.osmhub.tenancy.connection.ConnectionOptions;
import io.osmhub.tenancy.connection.ConnectionStatus;
import io.osmhub.tenancy.connection.StaticConnection;
import io.osmhub.tenancy.connection.WorkerConnection;
import io.osmhub.tenancy.credential.ScopedCredentialRenewer;
import io.osmhub.tenancy.lease.AdoptedLease;
import io.osmhub.tenancy.management.Leases;
import io.osmhub.tenancy.registry.ClusterClaims;
import io.osmhub.tenancy.registry.ClusterClaims.ClusterIdentity;
import io.osmhub.tenancy.registry.KubeconfigSecret;
import io.osmhub.tenancy.registry.WorkerClusterRecord;
import io.osmhub.tenancy.registry.WorkerClusterRecord.RegistrationSource;
import io.osmhub.tenancy.settings.CurrentTenantSettings;
import io.osmhub.tenancy.settings.KkpTenant;
import io.osmhub.tenancy.settings.SettingsResolver.ResolvedSettings;
import io.osmhub.workersync.SyncStatus;
import io.osmhub.workersync.WorkerSync;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.CurrentConnection;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.apiserver.RequestInfo;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.apiserver.WriteGuard;
import io.osmhub.workersync.events.EventWriter;
import io.osmhub.workersync.port.Scheduler;
import io.osmhub.workersync.port.SyncListener;
import io.osmhub.workersync.port.TenantInputs;
import io.osmhub.workersync.port.TenantInputs.AllowedWrites;
import io.osmhub.workersync.port.TenantPorts;
import io.osmhub.workersync.reconcile.TenantRemoval.CleanupResult;
import io.osmhub.workersync.watch.RuntimeContext;
import io.osmhub.workersync.watch.UnreadableObjects;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One served tenant: its settings, its connection to the worker cluster and its sync. Not thread-safe except for reads; the supervisor
 * serializes all other calls.
 */
final class RunningTenant {
    private static final Duration PERMISSION_REVIEW_INTERVAL = Duration.ofMinutes(5);

    private final HubContext hub;
    private final ClusterClaims claims;
    /** Of the worker cluster, and those that the settings refer to. */
    private final UnreadableObjects unreadable;

    private final Consumer<String> reconcileNamespace;
    private final Runnable changed;
    private final SyncListener syncListener;
    /** Null for a tenant with a kubeconfig Secret. */
    private final @Nullable OperatorWorkerCluster operatorWorkerCluster;

    private final TenantKubeconfig kubeconfig;
    private @Nullable WorkerConnection operatorConnection;
    private final CurrentTenantSettings settings;
    private final WorkerProfileCache workerProfiles;
    private final TenantProfileCatalog profiles;
    private final TenantConfigStore configs;
    private final EventWriter events;
    private final TenantStatusReporter reporter;
    private final TenantWebhook webhook;
    private final ScopedCredentialRenewer credentialRenewer;
    private final LastWriteTracker lastWrite;
    private final AdoptedLease adoptedLease;

    private final RuntimeContext runtime;

    private volatile WorkerClusterRecord record;
    private volatile @Nullable WorkerSync sync;
    private volatile @Nullable KubeApi connectedApi;
    private ClusterIdentity identity = ClusterIdentity.UNKNOWN;
    private boolean secretGone;
    private volatile @Nullable Problem accessProblem;
    private volatile boolean permissionReviewScheduled;
    private @Nullable CompletableFuture<CleanupResult> removal;
    private boolean removedWithDefinition;
    private volatile boolean stopped;
    private String handledRequest;
    private String acceptedCluster;

    /**
     * Creates a tenant with a suspended sync.
     *
     * @param reconcileNamespace requests reconciling a namespace; must not block
     * @param statusChanged requests another status only; must not block
     */
    RunningTenant(
            WorkerClusterRecord record,
            HubContext hub,
            ClusterClaims claims,
            Consumer<String> reconcileNamespace,
            Runnable statusChanged) {
        this.record = record;
        this.hub = hub;
        this.claims = claims;
        this.operatorWorkerCluster = record.secretName().isEmpty() ? hub.operatorWorkerCluster() : null;
        this.unreadable = new UnreadableObjects(key -> statusChanged.run());
        this.runtime = hub.runtimeContext().reportingTo(unreadable);
        ManagementStores stores = hub.stores();
        String namespace = record.namespace();
        KubeApi management = hub.managementFor(namespace);
        this.reconcileNamespace = reconcileNamespace;
        this.changed = () -> reconcileNamespace.accept(namespace);
        this.kubeconfig = new TenantKubeconfig(hub.dependencies().connections(), changed);
        this.settings = new CurrentTenantSettings(
                namespace,
                isOfFlags(),
                new CurrentTenantSettings.SettingsSources(
                        hub::settings,
                        now -> stores.kkp()
                                .settings(
                                        namespace,
                                        now.annotation(WorkerClusterRecord.REGISTERED_BY)
                                                .equals(RegistrationSource.KKP.wireName())),
                        stores.namespaces()::find),
                management,
                changed,
                runtime);
        this.workerProfiles = new WorkerProfileCache(
                stores.profiles(),
                name -> onProfilesChanged(Set.of(name)),
                () -> {
                    resync();
                    changed.run();
                },
                runtime);
        this.profiles = new TenantProfileCatalog(
                workerProfiles,
                hub.compiledProfiles(),
                hub.settings().sharedProfileNamespace(),
                settings::profileAccess);
        this.configs = new TenantConfigStore(namespace, stores.configs(), stores.statuses(), management);
        this.events = new EventWriter(
                new CurrentConnection(management),
                hub.runtimeContext().scheduler(),
                hub.runtimeContext().blockingExecutor(),
                hub.runtimeContext().random(),
                hub.environment().replica());
        this.reporter = new TenantStatusReporter(record, hub, events);
        // The management cluster's manifests contain its webhook, and flags configure none.
        this.webhook = new TenantWebhook(
                record,
                this::hubIdentity,
                operatorWorkerCluster == null ? hub.admissionEndpoint() : AdmissionEndpoint.NONE,
                hub.dependencies().fence(),
                changed,
                hub.runtimeContext());
        this.credentialRenewer = new ScopedCredentialRenewer(
                management, hub.dependencies().fence(), hub::egress, this::recordEvent, changed, hub.environment());
        this.lastWrite = new LastWriteTracker(hub.runtimeContext().scheduler());
        this.adoptedLease = new AdoptedLease(
                () -> hub.dependencies().fence().inFlight().await(namespace::equals),
                () -> Leases.osmHolder(
                        hub.identity().id(), hub.environment().replica()),
                changed,
                hub.runtimeContext());
        this.handledRequest = record.annotation(WorkerClusterRecord.RECONCILE_REQUESTED);
        this.acceptedCluster = record.annotation(WorkerClusterRecord.ACCEPT_CLUSTER_ID);
        this.syncListener = new SyncEventForwarder(this::connection, statusChanged);
    }

    WorkerClusterRecord record() {
        return record;
    }

    // Serving

    /**
     * Applies the current WorkerCluster and Secret.
     *
     * @param secret null if there is none
     * @param denied why the Secrets of the namespace are not accessible: continues with what was read before; null if they are
     */
    synchronized void serve(WorkerClusterRecord now, @Nullable KubeconfigSecret secret, @Nullable Problem denied) {
        record = now;
        accessProblem = denied;
        if (denied == null) {
            updateKubeconfig(secret);
        }
        WorkerConnection connection = connection();
        ConnectionStatus status = status();
        identity = reportContest(identity(status), status);
        KubeApi readable = status == null || !identity.isServed() ? null : status.api();
        settings.connect(readable);
        if (workerProfiles.readsWorkerCluster() || kkp() != null) {
            workerProfiles.connect(readable);
        }
        holdOsmsLease(status);
        settings.resolve(record, status == null ? "" : status.credential().certificateAuthority());
        applyRequests(connection);
        connect(status);
        ResolvedSettings resolved = settings.resolved();
        webhook.keep(
                allowedWrites().isPaused() ? null : readable,
                resolved == null ? null : resolved.settings().admission());
        publishStatus();
    }

    /** Until another process releases the Lease of an adopted worker cluster, the cluster is treated as served by OSM. */
    private void holdOsmsLease(@Nullable ConnectionStatus status) {
        String lease = record.annotation(WorkerClusterRecord.ADOPTED_LEASE);
        boolean wanted = identity.isServed() && !isPaused();
        adoptedLease.keep(lease, status == null || !wanted ? null : status.api());
        String failure = adoptedLease.failure().isEmpty() ? "" : "unknown: " + adoptedLease.failure();
        String holder = adoptedLease.otherHolder().isEmpty() ? failure : adoptedLease.otherHolder();
        if (wanted && !mayWrite() && !holder.isEmpty()) {
            identity = new ClusterIdentity(
                    Reason.PeerControllerActive.with(
                            record.variables(), "lease", "kube-system/" + lease, "holder", holder),
                    null);
        }
    }

    /** Whether the hub may be connected: the writes of an adopted worker cluster need its Lease, its reads do not. */
    private boolean mayConnect() {
        return mayWrite() || isPaused();
    }

    /** Whether the worker cluster was not adopted from OSM, or the hub holds OSM's Lease there. */
    private boolean mayWrite() {
        return record.annotation(WorkerClusterRecord.ADOPTED_LEASE).isEmpty() || adoptedLease.isHeld();
    }

    /** Whether a profile that is not found does not exist: those of the worker cluster take precedence over shared ones. */
    private boolean knowsProfiles() {
        return !workerProfiles.readsWorkerCluster() || workerProfiles.isKnown();
    }

    private KubeApi fence(KubeApi api) {
        return hub.dependencies().fence().onlyWhile(this::mayWrite).ofTenant(api, record.namespace());
    }

    private void updateKubeconfig(@Nullable KubeconfigSecret secret) {
        if (operatorWorkerCluster != null) {
            if (operatorConnection == null) {
                operatorConnection = new StaticConnection(
                        record.namespace(),
                        record.name(),
                        operatorWorkerCluster.worker(),
                        hub.runtimeContext().scheduler()::now,
                        changed);
            }
            return;
        }
        WorkerClusterSpec spec = record.spec();
        if (spec != null && spec.kubeconfigSecretRef() != null) {
            kubeconfig.update(
                    record,
                    spec.kubeconfigSecretRef(),
                    secret,
                    hub.kubeconfigRules(record.namespace()),
                    hub.egress(record.namespace()),
                    ConnectionOptions.of(settings.connectionSettings(record)));
        }
        secretGone = secret == null;
        credentialRenewer.look(record, secret, kubeconfig.newestKubeconfig(), kubeconfig.connection());
    }

    private @Nullable WorkerConnection connection() {
        return operatorWorkerCluster == null ? kubeconfig.connection() : operatorConnection;
    }

    private @Nullable ConnectionStatus status() {
        WorkerConnection connection = connection();
        return connection == null ? null : credentialRenewer.withRenewalProblem(connection.status());
    }

    /** A connection configured by the operator needs no check. */
    private ClusterIdentity identity(@Nullable ConnectionStatus status) {
        return status == null || operatorWorkerCluster != null
                ? ClusterIdentity.UNKNOWN
                : ClusterIdentity.of(record, status, claims, reconcileNamespace);
    }

    /**
     * Also notifies the tenant that is served with the same cluster, even on another replica: one of the two API servers may be
     * lying.
     */
    private ClusterIdentity reportContest(ClusterIdentity now, @Nullable ConnectionStatus status) {
        if (status != null && now.isDuplicate() && !identity.isDuplicate()) {
            for (WorkerClusterRecord holder : claims.holders(status.facts().clusterId())) {
                if (!holder.uid().equals(record.uid())) {
                    reporter.recordEvent(
                            holder,
                            ClusterIdentity.contested(holder, status.facts().clusterId()));
                }
            }
        }
        return now;
    }

    /** An annotation requests a reconnect and a resync. */
    private void applyRequests(@Nullable WorkerConnection connection) {
        String accepted = record.annotation(WorkerClusterRecord.ACCEPT_CLUSTER_ID);
        if (!accepted.isEmpty() && !accepted.equals(acceptedCluster) && connection != null) {
            acceptedCluster = accepted;
            connection.acceptClusterId(accepted);
        }
        String request = record.annotation(WorkerClusterRecord.RECONCILE_REQUESTED);
        if (!request.equals(handledRequest)) {
            handledRequest = request;
            if (connection != null) {
                connection.reconnect();
                connection.reviewPermissions();
            }
            resync();
        }
    }

    /** Gives the sync the current connection, or suspends it. */
    private void connect(@Nullable ConnectionStatus status) {
        ResolvedSettings resolved = settings.resolved();
        WorkerSync running = sync;
        if (resolved == null || !resolved.complete()) {
            return;
        }
        TenantInputs inputs =
                inputs(resolved, status == null ? "" : status.credential().certificateAuthority());
        if (running == null) {
            if (status == null || status.api() == null) {
                return;
            }
            running = new WorkerSync(
                    inputs,
                    new TenantPorts(
                            configs, profiles, OpenProblems.of(record.status()).all(), events, syncListener),
                    new WorkerSync.SyncEnvironment(
                            runtime,
                            hub.environment().runDependencies(),
                            hub.environment().replica()));
            sync = running;
        } else {
            running.inputs(inputs);
        }
        if (status != null) {
            running.setCredentialsValid(status.areCredentialsValid());
            running.setGrantsAllowed(status.facts().scopedFetch());
            reviewPermissions(status, inputs);
        }
        boolean ready = identity.isServed() && mayConnect() && knowsProfiles();
        KubeApi api = status == null || !ready ? null : status.api();
        if (api == connectedApi) {
            return;
        }
        if (api != null && connectedApi != null && status != null) {
            reporter.recordRotation(record, status);
        }
        connectedApi = api;
        if (api == null) {
            running.suspend();
        } else {
            running.start(fence(api).guardedBy(lastWrite));
        }
    }

    /** If the settings need an optional permission that is missing, reviews it again like the required ones. */
    private void reviewPermissions(ConnectionStatus status, TenantInputs inputs) {
        boolean wanted = inputs.settings().provisioning().bootstrap().nodeFetch() == NodeFetch.SCOPED_TOKEN;
        if (wanted && status.api() != null && !status.facts().scopedFetch() && !permissionReviewScheduled) {
            permissionReviewScheduled = true;
            hub.runtimeContext().scheduler().schedule(PERMISSION_REVIEW_INTERVAL, () -> {
                permissionReviewScheduled = false;
                WorkerConnection connection = connection();
                if (connection != null) {
                    connection.reviewPermissions();
                }
                changed.run();
            });
        }
    }

    private TenantInputs inputs(ResolvedSettings resolved, String kubeconfigCa) {
        return new TenantInputs(
                record.namespace(),
                record.name(),
                hubIdentity(),
                resolved.settings(),
                resolved.references(),
                resolved.mistakes(),
                kubeconfigCa,
                allowedWrites());
    }

    /** This hub, with those that the WorkerCluster is taken over from. */
    private HubIdentity hubIdentity() {
        WorkerClusterSpec spec = record.spec();
        HubIdentity own = hub.identity();
        return spec == null || spec.formerHubIDs() == null ? own : own.withFormer(spec.formerHubIDs());
    }

    private AllowedWrites allowedWrites() {
        WorkerClusterSpec spec = record.spec();
        KkpTenant cluster = kkp();
        if (spec != null && spec.paused() || secretGone || cluster != null && cluster.isPaused()) {
            return AllowedWrites.NONE;
        }
        if (cluster != null && cluster.isBeingDeleted()) {
            return AllowedWrites.REMOVALS;
        }
        // Who runs the hub in OSM's place, migrates or stops OSM in KKP's Cluster has consented.
        boolean consented = isOfFlags()
                || !record.annotation(WorkerClusterRecord.ADOPTED_LEASE).isEmpty()
                || spec != null && spec.osmContent() == OsmContent.REPLACE;
        return consented ? AllowedWrites.ALL : AllowedWrites.ALL_BUT_OSM_CONTENT;
    }

    private boolean isPaused() {
        return allowedWrites() == AllowedWrites.NONE;
    }

    /** Null outside of KKP. */
    private @Nullable KkpTenant kkp() {
        return hub.stores().kkp().tenant(record.namespace());
    }

    // Events about other objects

    boolean readsProfilesFrom(String namespace) {
        return profiles.readsFrom(namespace);
    }

    private void withSync(Consumer<WorkerSync> task) {
        WorkerSync running = sync;
        if (running != null) {
            task.accept(running);
        }
    }

    /** Reconciles everything again at low priority. */
    void resync() {
        withSync(WorkerSync::resync);
    }

    void onProfilesChanged(Set<String> names) {
        withSync(running -> running.onProfilesChanged(names));
    }

    void onConfigChanged(String name) {
        withSync(running -> running.onConfigChanged(name));
    }

    // Removal

    /**
     * Removes the hub from the worker cluster, within the WorkerCluster's cleanup timeout.
     *
     * @param definitionDeleted whether the definition of WorkerClusters is being deleted; has no effect once the removal has started
     * @return what remains; null while in progress
     */
    synchronized @Nullable CleanupResult cleanUp(
            WorkerClusterRecord now, @Nullable KubeconfigSecret secret, boolean definitionDeleted) {
        if (removal == null) {
            removedWithDefinition = definitionDeleted;
        }
        if (secret != null || connection() == null) {
            updateKubeconfig(secret);
        }
        record = now;
        WorkerConnection connection = connection();
        if (connection == null) {
            return new CleanupResult(false, 0, 0, "no usable kubeconfig");
        }
        ConnectionStatus status = connection.status();
        identity = identity(status);
        if (!identity.isServed()) {
            // The cluster belongs to another tenant: leave its objects alone.
            return new CleanupResult(false, 0, 0, "the worker cluster is not this tenant's");
        }
        if (settings.resolved() == null) {
            settings.resolve(record, status.credential().certificateAuthority());
        }
        if (!now.annotation(WorkerClusterRecord.ADOPTED_LEASE).isEmpty() && isPaused()) {
            // Returned to OSM, which owns its objects again.
            return new CleanupResult(true, 0, 0, "");
        }
        Instant at = hub.runtimeContext().scheduler().now();
        holdOsmsLease(status);
        connect(status);
        boolean unhooked = webhook.removeWebhook(status.api());
        WorkerSync running = sync;
        CompletableFuture<CleanupResult> cleaning = removal;
        if (cleaning == null && running != null) {
            cleaning = running.startRemoval(deletesContent(), remaining(now, at))
                    .whenComplete((cleanup, failure) -> changed.run());
            removal = cleaning;
        }
        publishStatus();
        CleanupResult done =
                cleaning != null && cleaning.isDone() && !cleaning.isCompletedExceptionally() ? cleaning.join() : null;
        if (done != null && unhooked) {
            return done;
        }
        if (!remaining(now, at).isZero()) {
            return null;
        }
        return done != null
                ? webhook.left(done)
                : new CleanupResult(false, 0, 0, status.connection().message());
    }

    /** Time until removal gives up. */
    Duration untilRelease() {
        return remaining(record, hub.runtimeContext().scheduler().now());
    }

    private Duration remaining(WorkerClusterRecord now, Instant at) {
        return CleanupTimeout.remaining(now, at, removedWithDefinition);
    }

    /** Whether it is removed because the definition of WorkerClusters is being deleted. */
    boolean isRemovedWithDefinition() {
        return removedWithDefinition;
    }

    /** Whether its removal deletes what the hub wrote. */
    boolean deletesContent() {
        WorkerClusterSpec spec = record.spec();
        return !removedWithDefinition
                && (spec == null || spec.deletionPolicy() == WorkerClusterSpec.DeletionPolicy.DELETE);
    }

    /** Deletes the tenant's remaining OperatingSystemConfigs in the management cluster. */
    void deleteConfigs() throws ApiFailure {
        configs.deleteOwned();
    }

    void recordEvent(Problem diagnosis) {
        reporter.recordEvent(record, diagnosis);
    }

    /** Stops immediately without cleanup. */
    void stop() {
        stopped = true;
        withSync(WorkerSync::stop);
        adoptedLease.release();
        credentialRenewer.stop();
        webhook.close();
        kubeconfig.close();
        if (operatorConnection != null) {
            operatorConnection.close();
        }
        settings.close();
        workerProfiles.connect(null);
        claims.release(record);
    }

    // Status

    /** Queues the current status and records Events for changes. */
    synchronized void publishStatus() {
        if (stopped) {
            return;
        }
        reporter.publishStatus(record, situation());
    }

    private TenantStatusReporter.TenantSnapshot situation() {
        WorkerSync running = sync;
        SyncStatus status = running == null ? null : running.status();
        ResolvedSettings resolved = settings.resolved();
        return new TenantStatusReporter.TenantSnapshot(
                status(),
                accessProblem != null ? accessProblem : kubeconfig.problem(),
                identity.other(),
                TenantStatusReporter.problems(record, identity, resolved, status, webhook, unreadableObjects()),
                resolved,
                status,
                handledRequest,
                lastWrite.at(),
                TenantStatusReporter.pauseCause(record, kkp()));
    }

    private List<Problem> unreadableObjects() {
        return Stream.concat(
                        hub.stores().unreadable(record.namespace()).stream(),
                        unreadable.find(key -> true).stream().map(Problem::inWorkerCluster))
                .distinct()
                .toList();
    }

    TenantView view() {
        WorkerSync running = sync;
        return reporter.view(record, settings.resolved(), running == null ? null : running.status());
    }

    LiveTenant toLiveTenant(LiveTenant.PreviewDependencies previewDependencies) {
        return new LiveTenant(view(), sync, settings.profileAccess(), workerProfiles, previewDependencies);
    }

    /** Whether its own namespace gets the default profiles; not while its settings are unresolved. */
    boolean wantsDefaultProfiles() {
        ResolvedSettings current = settings.resolved();
        InstallDefaults wanted = current == null
                ? InstallDefaults.NONE
                : current.settings().profiles().installDefaults();
        // With OSM's flags the namespace is also the shared one.
        return isOfFlags() ? wanted != InstallDefaults.NONE : wanted == InstallDefaults.PER_NAMESPACE;
    }

    /** Whether OSM's flags configure the tenant instead of a WorkerCluster. */
    private boolean isOfFlags() {
        return operatorWorkerCluster != null && operatorWorkerCluster.fixedRecord() != null;
    }

    /** UID of the worker cluster's {@code kube-system}; empty if it was never reached. */
    String clusterId() {
        WorkerConnection connection = connection();
        String seen = connection == null ? "" : connection.status().facts().clusterId();
        return seen.isEmpty() ? record.clusterId() : seen;
    }

    /**
     * Forwards a sync's failures to the connection, and everything else to the next status.
     *
     * @param connection returns the current one; null without
     */
    record SyncEventForwarder(Supplier<@Nullable WorkerConnection> connection, Runnable counted)
            implements SyncListener {
        @Override
        public void onStatusChanged() {
            counted.run();
        }

        @Override
        public void onRequestFailed(ApiFailure failure) {
            WorkerConnection now = connection.get();
            if (now != null) {
                now.onRequestFailed(failure);
            }
        }

        @Override
        public void onRecovered() {
            WorkerConnection now = connection.get();
            if (now != null) {
                now.onRecovered();
            }
        }
    }

    /** Tracks the time of the last change in a worker cluster, across connections. Thread-safe. */
    static final class LastWriteTracker implements WriteGuard {
        private static final String TOKENS = "kube-system";

        private final Scheduler scheduler;
        private volatile @Nullable Instant at;

        LastWriteTracker(Scheduler scheduler) {
            this.scheduler = scheduler;
        }

        /** Null before the first change. */
        @Nullable Instant at() {
            return at;
        }

        /** Events and token extensions are not recorded: extensions happen hourly, and a status would be written for each. */
        @Override
        public void onEnd(RequestInfo write, boolean successful) {
            if (successful
                    && !write.resource().equals(Resource.EVENTS.plural())
                    && !write.namespace().equals(TOKENS)) {
                at = scheduler.now();
            }
        }
    }

    /** {@code spec.cleanupTimeout} of a WorkerCluster. */
    static final class CleanupTimeout {
        private static final Duration USUAL = Duration.ofMinutes(2);
        private static final Duration MOST = Duration.ofHours(1);
        // No tenant can be registered again before all WorkerClusters of a deleted definition are released.
        private static final Duration WITH_DEFINITION = Duration.ofSeconds(10);

        private CleanupTimeout() {}

        private static Duration of(WorkerClusterRecord record) {
            WorkerClusterSpec spec = record.spec();
            Duration time = spec == null ? USUAL : DurationFormat.parse(spec.cleanupTimeout());
            return time == null ? USUAL : time.compareTo(MOST) > 0 ? MOST : time;
        }

        /**
         * Time until removal gives up on leftovers; zero if it is over.
         *
         * @param withDefinition whether the definition of WorkerClusters is being deleted, which limits the time
         */
        static Duration remaining(WorkerClusterRecord record, Instant now, boolean withDefinition) {
            Duration limit = of(record);
            if (withDefinition && limit.compareTo(WITH_DEFINITION) > 0) {
                limit = WITH_DEFINITION;
            }
            Instant asked = record.head().deletionTimestamp();
            Duration left = Duration.between(now, (asked == null ? Instant.EPOCH : asked).plus(limit));
            return left.isNegative() ? Duration.ZERO : left;
        }
    }
}
