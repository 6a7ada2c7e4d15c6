package io.osmhub.tenancy;

import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.settings.TenantSettings.InstallDefaults;
import io.osmhub.core.status.OpenProblems;
import io.osmhub.core.workercluster.WorkerClusterSpec;
import io.osmhub.tenancy.admission.AdmissionEndpoint;
import io.osmhub.tenancy.admission.TenantWebhook;
import io.osmhub.tenancy.catalog.TenantConfigStore;
import io.osmhub.tenancy.catalog.TenantProfileCatalog;
import io.osmhub.tenancy.catalog.TenantProfileCatalog.ExtensionAccess;
import io.osmhub.tenancy.catalog.WorkerProfileCache;
import io.osmhub.tenancy.connection.ConnectionOptions;
import io.osmhub.tenancy.connection.ConnectionStatus;
import io.osmhub.tenancy.registry.ClusterClaims;
import io.osmhub.tenancy.registry.KubeconfigSecret;
import io.osmhub.tenancy.registry.WorkerClusterRecord;
import io.osmhub.tenancy.registry.WorkerClusterRecord.RegistrationSource;
import io.osmhub.tenancy.settings.CurrentTenantSettings;
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
import io.osmhub.workersync.port.TenantInputs;
import io.osmhub.workersync.port.TenantPorts;
import io.osmhub.workersync.reconcile.TenantRemoval.CleanupResult;
import io.osmhub.workersync.watch.RuntimeContext;
import io.osmhub.workersync.watch.UnreadableObjects;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One served tenant: its settings, its connection to the worker cluster and its sync. Not thread-safe except for reads; the supervisor
 * serializes all other calls.
 */
final class RunningTenant implements WorkerProfileCache.WorkerProfileListener {
    private final HubContext hub;
    /** Of the worker cluster, and those that the settings refer to. */
    private final UnreadableObjects unreadable;

    private final Runnable changed;
    private final TenantConnection connection;
    private final CurrentTenantSettings settings;
    private final WorkerProfileCache workerProfiles;
    private final ExtensionAccess extensionAccess;
    private volatile Map<String, String> labels;
    private final TenantProfileCatalog profiles;
    private final TenantConfigStore configs;
    private final EventWriter events;
    private final TenantStatusReporter reporter;
    private final TenantWebhook webhook;
    private final LastWriteTracker lastWrite;
    private final RuntimeContext runtime;

    private volatile @Nullable WorkerSync sync;
    private volatile @Nullable KubeApi connectedApi;
    private @Nullable CompletableFuture<CleanupResult> removal;
    private boolean removedWithDefinition;
    private volatile boolean stopped;

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
        String namespace = record.namespace();
        ManagementStores stores = hub.stores();
        KubeApi management = hub.managementFor(namespace);
        this.hub = hub;
        this.unreadable = new UnreadableObjects(key -> statusChanged.run());
        this.runtime = hub.runtimeContext().reportingTo(unreadable);
        this.changed = () -> reconcileNamespace.accept(namespace);
        this.events = new EventWriter(
                new CurrentConnection(management),
                hub.runtimeContext().scheduler(),
                hub.runtimeContext().blockingExecutor(),
                hub.runtimeContext().random(),
                hub.environment().replica());
        this.reporter = new TenantStatusReporter(record, hub, events);
        this.connection = new TenantConnection(record, hub, claims, reporter, reconcileNamespace, statusChanged);
        this.settings = new CurrentTenantSettings(
                namespace,
                connection.isOfFlags(),
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
        this.workerProfiles = new WorkerProfileCache(stores.profiles(), runtime);
        this.labels = stores.labels(record);
        this.extensionAccess = new ExtensionAccess(stores.extensions(), () -> labels, List.of());
        this.profiles = new TenantProfileCatalog(
                workerProfiles,
                hub.compiledProfiles(),
                hub.settings().sharedProfileNamespace(),
                settings::profileAccess,
                extensionAccess);
        this.configs = new TenantConfigStore(namespace, stores.configs(), stores.statuses(), management);
        // The management cluster's manifests contain its webhook, and flags configure none.
        this.webhook = new TenantWebhook(
                record,
                connection.isOfOperator() ? AdmissionEndpoint.NONE : hub.admissionEndpoint(),
                hub.dependencies().fence(),
                changed,
                hub.runtimeContext());
        this.lastWrite = new LastWriteTracker(hub.runtimeContext().scheduler());
    }

    WorkerClusterRecord record() {
        return connection.record();
    }

    // Serving

    /**
     * Applies the current WorkerCluster and Secret.
     *
     * @param secret null if there is none
     * @param denied why the Secrets of the namespace are not accessible: continues with what was read before; null if they are
     */
    synchronized void serve(WorkerClusterRecord now, @Nullable KubeconfigSecret secret, @Nullable Problem denied) {
        connection.setRecord(now);
        connection.update(secret, denied, connectionOptions());
        ConnectionStatus status = connection.status();
        connection.identifyAndReport(status);
        KubeApi readable = connection.servedApi(status);
        settings.connect(readable);
        if (workerProfiles.readsWorkerCluster() || connection.kkp() != null) {
            workerProfiles.connect(readable, this);
        }
        connection.holdOsmsLease(status);
        settings.resolve(now, certificateAuthority(status));
        Map<String, String> labelsBefore = labels;
        labels = hub.stores().labels(now);
        // Extensions select tenants by their labels.
        if (connection.applyRequests() || !labels.equals(labelsBefore)) {
            resync();
        }
        connect(status);
        ResolvedSettings resolved = settings.resolved();
        webhook.keep(
                connection.allowedWrites().isPaused() ? null : readable,
                resolved == null ? null : resolved.settings().admission(),
                connection.hubIdentity());
        publishStatus();
    }

    private ConnectionOptions connectionOptions() {
        return ConnectionOptions.of(settings.connectionSettings(record()));
    }

    private static String certificateAuthority(@Nullable ConnectionStatus status) {
        return status == null ? "" : status.credential().certificateAuthority();
    }

    /** Whether a profile that is not found does not exist: those of the worker cluster take precedence over shared ones. */
    private boolean knowsProfiles() {
        return !workerProfiles.readsWorkerCluster() || workerProfiles.isKnown();
    }

    /** Gives the sync the current connection, or suspends it. */
    private void connect(@Nullable ConnectionStatus status) {
        ResolvedSettings resolved = settings.resolved();
        WorkerSync running = sync;
        if (resolved == null || !resolved.complete()) {
            return;
        }
        TenantInputs inputs = inputs(resolved, certificateAuthority(status));
        if (running == null) {
            if (status == null || status.api() == null) {
                return;
            }
            running = new WorkerSync(
                    inputs,
                    new TenantPorts(
                            configs,
                            profiles,
                            OpenProblems.of(record().status()).all(),
                            events,
                            connection),
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
            connection.reviewPermissions(status, inputs);
        }
        KubeApi api = knowsProfiles() ? connection.syncApi(status) : null;
        if (api == connectedApi) {
            return;
        }
        if (api != null && connectedApi != null && status != null) {
            reporter.recordRotation(record(), status);
        }
        connectedApi = api;
        if (api == null) {
            running.suspend();
        } else {
            running.start(connection.fence(api).guardedBy(lastWrite));
        }
    }

    private TenantInputs inputs(ResolvedSettings resolved, String kubeconfigCa) {
        return new TenantInputs(
                record().namespace(),
                record().name(),
                connection.hubIdentity(),
                resolved.settings(),
                resolved.references(),
                resolved.mistakes(),
                kubeconfigCa,
                connection.allowedWrites());
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

    /** Profiles with these names changed. */
    void onProfilesChanged(Predicate<String> names) {
        withSync(running -> running.onProfilesChanged(names));
    }

    void onExtensionsChanged() {
        withSync(WorkerSync::onExtensionsChanged);
    }

    @Override
    public void onWorkerProfileChanged(String name) {
        onProfilesChanged(name::equals);
    }

    @Override
    public void onWorkerProfilesKnown() {
        resync();
        changed.run();
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
        connection.setRecord(now);
        if (secret != null || connection.status() == null) {
            connection.updateKubeconfig(secret, connectionOptions());
        }
        ConnectionStatus status = connection.status();
        if (status == null) {
            return new CleanupResult(false, 0, 0, "no usable kubeconfig");
        }
        if (!connection.identify(status).isServed()) {
            // The cluster belongs to another tenant: leave its objects alone.
            return new CleanupResult(false, 0, 0, "the worker cluster is not this tenant's");
        }
        if (settings.resolved() == null) {
            settings.resolve(now, certificateAuthority(status));
        }
        if (!now.annotation(WorkerClusterRecord.ADOPTED_LEASE).isEmpty() && connection.allowsNoWrites()) {
            // Returned to OSM, which owns its objects again.
            return new CleanupResult(true, 0, 0, "");
        }
        Duration left = untilRelease();
        connection.holdOsmsLease(status);
        connect(status);
        boolean unhooked = webhook.removeWebhook(status.api(), connection.hubIdentity());
        WorkerSync running = sync;
        CompletableFuture<CleanupResult> cleaning = removal;
        if (cleaning == null && running != null) {
            cleaning = running.startRemoval(deletesContent(), left).whenComplete((cleanup, failure) -> changed.run());
            removal = cleaning;
        }
        publishStatus();
        CleanupResult done =
                cleaning != null && cleaning.isDone() && !cleaning.isCompletedExceptionally() ? cleaning.join() : null;
        if (done != null && unhooked) {
            return done;
        }
        if (!left.isZero()) {
            return null;
        }
        return done != null
                ? webhook.left(done)
                : new CleanupResult(false, 0, 0, status.connection().message());
    }

    /** Time until removal gives up. */
    Duration untilRelease() {
        return record().untilRelease(hub.runtimeContext().scheduler().now(), removedWithDefinition);
    }

    /** Whether it is removed because the definition of WorkerClusters is being deleted. */
    boolean isRemovedWithDefinition() {
        return removedWithDefinition;
    }

    /** Whether its removal deletes what the hub wrote. */
    boolean deletesContent() {
        WorkerClusterSpec spec = record().spec();
        return !removedWithDefinition
                && (spec == null || spec.deletionPolicy() == WorkerClusterSpec.DeletionPolicy.DELETE);
    }

    /** Deletes the tenant's remaining OperatingSystemConfigs in the management cluster. */
    void deleteConfigs() throws ApiFailure {
        configs.deleteOwned();
    }

    void recordEvent(Problem diagnosis) {
        reporter.recordEvent(record(), diagnosis);
    }

    /** Stops immediately without cleanup. */
    void stop() {
        stopped = true;
        withSync(WorkerSync::stop);
        webhook.close();
        settings.close();
        workerProfiles.connect(null, this);
        connection.close();
    }

    // Status

    /** Queues the current status and records Events for changes. */
    synchronized void publishStatus() {
        if (stopped) {
            return;
        }
        WorkerSync running = sync;
        SyncStatus status = running == null ? null : running.status();
        reporter.publishStatus(new TenantSnapshot(
                record(),
                connection.state(),
                problems(status),
                settings.resolved(),
                status,
                lastWrite.at(),
                TenantSnapshot.pauseCause(record(), connection.kkp())));
    }

    /** Of the tenant as a whole. Those of its webhook are reported only once the rest works. */
    private List<Problem> problems(@Nullable SyncStatus status) {
        WorkerClusterRecord record = record();
        List<Problem> problems = new ArrayList<>();
        Problem obstacle = connection.identity().obstacle();
        if (obstacle != null) {
            problems.add(obstacle);
        }
        UnreadableObjects.problem(record.namespace(), record.name(), unreadableObjects())
                .ifPresent(problems::add);
        ResolvedSettings resolved = settings.resolved();
        if (resolved != null) {
            resolved.mistakes().forEach(finding -> problems.add(finding.inTenant(record.namespace(), record.name())));
        }
        if (status != null && status.phase() == SyncStatus.Phase.WORKING) {
            webhook.problem().ifPresent(problems::add);
            keptContent(status).ifPresent(problems::add);
        }
        return problems;
    }

    private List<Problem> unreadableObjects() {
        return Stream.concat(
                        hub.stores().unreadable(record().namespace()).stream(),
                        unreadable.find(key -> true).stream().map(Problem::inWorkerCluster))
                .distinct()
                .toList();
    }

    private Optional<Problem> keptContent(SyncStatus status) {
        int all = status.machineDeployments().size();
        long kept = status.machineDeployments().stream()
                .filter(state ->
                        state.problems().stream().anyMatch(problem -> problem.reason() == Reason.OSMContentKept))
                .count();
        if (kept == 0) {
            return Optional.empty();
        }
        Map<String, String> values = new HashMap<>(record().variables());
        values.put("kind", "WorkerCluster");
        values.put("name", record().name());
        values.put("what", kept + " of " + all + (all == 1 ? " MachineDeployment" : " MachineDeployments"));
        return Optional.of(Reason.OSMContentKept.with(values));
    }

    TenantView view() {
        WorkerSync running = sync;
        return reporter.view(record(), settings.resolved(), running == null ? null : running.status());
    }

    LiveTenant toLiveTenant(LiveTenant.PreviewDependencies previewDependencies) {
        return new LiveTenant(
                view(), sync, settings.profileAccess(), workerProfiles, extensionAccess, previewDependencies);
    }

    /** Whether its own namespace gets the default profiles; not while its settings are unresolved. */
    boolean wantsDefaultProfiles() {
        ResolvedSettings current = settings.resolved();
        InstallDefaults wanted = current == null
                ? InstallDefaults.NONE
                : current.settings().profiles().installDefaults();
        // With OSM's flags the namespace is also the shared one.
        return connection.isOfFlags() ? wanted != InstallDefaults.NONE : wanted == InstallDefaults.PER_NAMESPACE;
    }

    /** UID of the worker cluster's {@code kube-system}; empty if it was never reached. */
    String clusterId() {
        return connection.clusterId();
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
}
