package io.osmhub.tenancy;

import io.osmhub.core.plan.HubIdentity;
import io.osmhub.core.problem.ProblemFinding;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.ReasonMessage;
import io.osmhub.core.schema.DurationFormat;
import io.osmhub.core.settings.SettingsLayer;
import io.osmhub.core.status.OpenProblems;
import io.osmhub.core.workercluster.ProvisioningSettings.NodeFetch;
import io.osmhub.core.workercluster.WorkerClusterSpec;
import io.osmhub.core.workercluster.WorkerClusterSpec.OsmContent;
import io.osmhub.core.workercluster.WorkerClusterSpec.ProfileSettings.InstallDefaults;
import io.osmhub.tenancy.TenantDirectory.TenantView;
import io.osmhub.tenancy.admission.TenantWebhook;
import io.osmhub.tenancy.catalog.TenantConfigStore;
import io.osmhub.tenancy.catalog.TenantProfileCatalog;
import io.osmhub.tenancy.catalog.WorkerProfileCache;
import io.osmhub.tenancy.credential.ScopedCredentialRenewer;
import io.osmhub.tenancy.kkp.KkpTenant;
import io.osmhub.tenancy.lease.AdoptedLease;
import io.osmhub.tenancy.lease.LeaseConfig;
import io.osmhub.tenancy.link.ClusterClaims;
import io.osmhub.tenancy.link.ClusterClaims.ClusterIdentity;
import io.osmhub.tenancy.link.LinkState;
import io.osmhub.tenancy.link.StaticLink;
import io.osmhub.tenancy.link.TenantKubeconfig;
import io.osmhub.tenancy.link.WorkerLink;
import io.osmhub.tenancy.registry.KubeconfigSecret;
import io.osmhub.tenancy.registry.WorkerClusterRecord;
import io.osmhub.tenancy.registry.WorkerClusterRecord.RegistrationSource;
import io.osmhub.tenancy.settings.CurrentTenantSettings;
import io.osmhub.tenancy.settings.SettingsResolver.OperatorSettings;
import io.osmhub.tenancy.settings.SettingsResolver.ResolvedSettings;
import io.osmhub.workersync.SyncStatus;
import io.osmhub.workersync.WorkerSync;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ApiRequest;
import io.osmhub.workersync.apiserver.ItemSplitter;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.events.EventWriter;
import io.osmhub.workersync.port.Scheduler;
import io.osmhub.workersync.port.SyncListener;
import io.osmhub.workersync.port.TenantInputs;
import io.osmhub.workersync.port.TenantInputs.AllowedWrites;
import io.osmhub.workersync.reconcile.RunScheduler;
import io.osmhub.workersync.reconcile.RunScheduler.CleanupResult;
import io.osmhub.workersync.watch.RuntimeContext;
import io.osmhub.workersync.watch.UnreadableObjects;
import java.io.IOException;
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
 * One served tenant: its settings, its link to the worker cluster and its sync. Not thread-safe except for reads; the supervisor
 * serializes all other calls.
 */
final class RunningTenant {
    private static final Duration BETWEEN_LOOKS_FOR_RIGHTS = Duration.ofMinutes(5);

    private final TenantServices services;
    private final ClusterClaims claims;
    /** Of the worker cluster, and those that the settings refer to. */
    private final UnreadableObjects unreadable;

    private final Consumer<String> lookAgain;
    private final Runnable changed;
    private final SyncListener heard;
    private final StaticLink.@Nullable StaticWorkerCluster given;
    private final boolean isDropIn;
    private final TenantKubeconfig kubeconfig;
    private @Nullable WorkerLink givenLink;
    private final CurrentTenantSettings settings;
    private final WorkerProfileCache workerProfiles;
    private final TenantProfileCatalog profiles;
    private final TenantConfigStore configs;
    private final EventWriter events;
    private final TenantStatusReporter reporter;
    private final TenantWebhook webhook;
    private final ScopedCredentialRenewer scoped;
    private final LastWriteTracker lastWrite;
    private final AdoptedLease adopted;

    private final RuntimeContext runtime;

    private volatile WorkerClusterRecord record;
    private volatile @Nullable WorkerSync sync;
    private volatile @Nullable KubeApi connected;
    private ClusterIdentity identity = ClusterIdentity.UNKNOWN;
    private boolean secretGone;
    private volatile @Nullable ReasonMessage accessDenied;
    private volatile boolean looksForRights;
    private @Nullable CompletableFuture<CleanupResult> removal;
    private boolean removedWithDefinition;
    private String handledRequest;
    private String acceptedCluster;

    /**
     * A worker cluster configured by the operator instead of a Secret.
     *
     * @param worker link to it
     * @param settings replaces the WorkerCluster's settings; null to use those
     */
    record OperatorWorkerCluster(
            StaticLink.StaticWorkerCluster worker, @Nullable OperatorSettings settings) {}

    /**
     * Creates a tenant with a suspended sync.
     *
     * @param given null for a tenant with a kubeconfig Secret
     * @param lookAgain requests reconciling a namespace; must not block
     * @param counted requests another status only; must not block
     */
    RunningTenant(
            WorkerClusterRecord record,
            @Nullable OperatorWorkerCluster given,
            TenantServices services,
            ClusterClaims claims,
            Consumer<String> lookAgain,
            Runnable counted) {
        this.record = record;
        this.services = services;
        this.claims = claims;
        this.given = given == null ? null : given.worker();
        this.unreadable = new UnreadableObjects(key -> counted.run());
        this.runtime = services.runtime().reportingTo(unreadable);
        this.isDropIn = given != null && given.settings() != null;
        String namespace = record.namespace();
        // Not by the namespace of each object: an Event may be about the WorkerCluster of another replica's tenant.
        KubeApi management = services.fence().ofTenant(services.management(), namespace);
        this.lookAgain = lookAgain;
        this.changed = () -> lookAgain.accept(namespace);
        this.kubeconfig = new TenantKubeconfig(services.links(), changed);
        this.settings = new CurrentTenantSettings(
                namespace,
                given == null ? null : given.settings(),
                management,
                now -> services.kkp()
                        .settings(
                                namespace,
                                now.annotation(WorkerClusterRecord.REGISTERED_BY)
                                        .equals(RegistrationSource.KKP.wireName())),
                services.settings(),
                services.namespaces(),
                changed,
                runtime);
        this.workerProfiles = new WorkerProfileCache(
                services.profiles(),
                name -> onProfilesChanged(Set.of(name)),
                () -> {
                    resync();
                    changed.run();
                },
                runtime);
        this.profiles = new TenantProfileCatalog(
                workerProfiles,
                services.compiled(),
                services.settings().get().sharedProfileNamespace(),
                settings::rights);
        this.configs = new TenantConfigStore(namespace, services.configs(), services.statuses(), management);
        this.events = new EventWriter(
                management,
                services.runtime().scheduler(),
                services.runtime().blockingExecutor(),
                services.runtime().random(),
                services.environment().replica());
        this.reporter = new TenantStatusReporter(record, services, events);
        this.webhook = new TenantWebhook(
                record,
                given != null,
                this::hub,
                services.admission(),
                services.fence(),
                services.environment().tools().observer(),
                changed,
                services.runtime());
        this.scoped = new ScopedCredentialRenewer(
                management,
                services.fence(),
                services::egress,
                services.environment().tools().observer(),
                this::recordEvent,
                changed,
                services.runtime());
        this.lastWrite = new LastWriteTracker(services.runtime().scheduler());
        this.adopted = new AdoptedLease(
                () -> services.fence().inFlight().await(namespace::equals),
                () -> LeaseConfig.osmHolder(
                        services.identity().get().id(), services.environment().replica()),
                changed,
                services.runtime());
        this.handledRequest = record.annotation(WorkerClusterRecord.RECONCILE_REQUESTED);
        this.acceptedCluster = record.annotation(WorkerClusterRecord.ACCEPT_CLUSTER_ID);
        this.heard = new SyncEventForwarder(this::link, counted);
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
    void serve(WorkerClusterRecord now, @Nullable KubeconfigSecret secret, @Nullable ReasonMessage denied) {
        record = now;
        accessDenied = denied;
        if (denied == null) {
            updateKubeconfig(secret);
        }
        WorkerLink link = link();
        LinkState state = state();
        identity = reportContest(identity(state), state);
        KubeApi readable = state == null || !identity.isServed() ? null : state.api();
        settings.connect(readable);
        if (workerProfiles.readsWorkerCluster() || kkp() != null) {
            workerProfiles.connect(readable);
        }
        holdOsmsLease(state);
        settings.resolve(record, state == null ? "" : state.kubeconfigCa());
        applyRequests(link);
        connect(state);
        webhook.keep(record, identity.isServed() ? state : null, settings.resolved(), writes().isPaused());
        publishStatus();
    }

    /** Until another process releases the Lease of an adopted worker cluster, the cluster is treated as served by OSM. */
    private void holdOsmsLease(@Nullable LinkState state) {
        String lease = record.annotation(WorkerClusterRecord.ADOPTED_LEASE);
        boolean wanted = identity.isServed() && !isPaused();
        adopted.keep(lease, state == null || !wanted ? null : state.api());
        String failure = adopted.failure().isEmpty() ? "" : "unknown: " + adopted.failure();
        String holder = adopted.otherHolder().isEmpty() ? failure : adopted.otherHolder();
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
        return record.annotation(WorkerClusterRecord.ADOPTED_LEASE).isEmpty() || adopted.isHeld();
    }

    /** Whether a profile that is not found does not exist: those of the worker cluster take precedence over shared ones. */
    private boolean knowsProfiles() {
        return !workerProfiles.readsWorkerCluster() || workerProfiles.isKnown();
    }

    private KubeApi fence(KubeApi api) {
        return services.fence().onlyWhile(this::mayWrite).ofTenant(api, record.namespace());
    }

    /** Suspends all work in the worker cluster until {@link #serve} is called. */
    void suspend() {
        connected = null;
        withSync(WorkerSync::suspend);
        workerProfiles.connect(null);
        adopted.release();
    }

    /** Changes the operator's settings from the next reconcile on. */
    void settings(SettingsLayer flags) {
        settings.operator(flags);
    }

    private void updateKubeconfig(@Nullable KubeconfigSecret secret) {
        if (given != null) {
            if (givenLink == null) {
                givenLink = new StaticLink(
                        record.namespace(),
                        record.name(),
                        given,
                        services.runtime().scheduler()::now,
                        changed);
            }
            return;
        }
        WorkerClusterSpec spec = record.spec();
        if (spec != null && spec.kubeconfigSecretRef() != null) {
            kubeconfig.look(
                    record,
                    spec.kubeconfigSecretRef(),
                    secret,
                    services.rules(record.namespace()),
                    services.egress(record.namespace()),
                    settings.connectionSettings(record));
        }
        secretGone = secret == null;
        scoped.look(record, secret, kubeconfig.newest(), kubeconfig.link());
    }

    private @Nullable WorkerLink link() {
        return given == null ? kubeconfig.link() : givenLink;
    }

    private @Nullable LinkState state() {
        WorkerLink link = link();
        return link == null ? null : scoped.withRenewalProblem(link.state());
    }

    /** A link configured by the operator needs no check. */
    private ClusterIdentity identity(@Nullable LinkState state) {
        return state == null || given != null
                ? ClusterIdentity.UNKNOWN
                : ClusterIdentity.of(record, state, claims, lookAgain);
    }

    /**
     * Also notifies the tenant that is served with the same cluster, even on another replica: one of the two API servers may be
     * lying.
     */
    private ClusterIdentity reportContest(ClusterIdentity now, @Nullable LinkState state) {
        if (state != null && now.isDuplicate() && !identity.isDuplicate()) {
            for (WorkerClusterRecord holder : claims.holders(state.clusterId())) {
                if (!holder.uid().equals(record.uid())) {
                    reporter.recordEvent(holder, ClusterIdentity.contested(holder, state.clusterId()));
                }
            }
        }
        return now;
    }

    /** An annotation requests a reconnect and a resync. */
    private void applyRequests(@Nullable WorkerLink link) {
        String accepted = record.annotation(WorkerClusterRecord.ACCEPT_CLUSTER_ID);
        if (!accepted.isEmpty() && !accepted.equals(acceptedCluster) && link != null) {
            acceptedCluster = accepted;
            link.acceptClusterId(accepted);
        }
        String request = record.annotation(WorkerClusterRecord.RECONCILE_REQUESTED);
        if (!request.equals(handledRequest)) {
            handledRequest = request;
            if (link != null) {
                link.reconnect();
                link.reviewPermissions();
            }
            resync();
        }
    }

    /** Gives the sync the current connection, or suspends it. */
    private void connect(@Nullable LinkState state) {
        ResolvedSettings resolved = settings.resolved();
        WorkerSync running = sync;
        if (resolved == null || !resolved.complete()) {
            return;
        }
        TenantInputs inputs = inputs(resolved, state == null ? "" : state.kubeconfigCa());
        if (running == null) {
            if (state == null || state.api() == null) {
                return;
            }
            running = new WorkerSync(
                    inputs,
                    new WorkerSync.TenantPorts(
                            new RunScheduler.ManagementPorts(
                                    configs,
                                    profiles,
                                    OpenProblems.of(record.status()).all()),
                            events,
                            heard),
                    new WorkerSync.SyncEnvironment(
                            runtime,
                            services.environment().tools(),
                            services.environment().replica()));
            sync = running;
        } else {
            running.inputs(inputs);
        }
        if (state != null) {
            running.setCredentialsValid(state.areCredentialsValid());
            running.setGrantsAllowed(state.scopedFetch());
            reviewPermissions(state, inputs);
        }
        boolean ready = identity.isServed() && mayConnect() && knowsProfiles();
        KubeApi api = state == null || !ready ? null : state.api();
        if (api == connected) {
            return;
        }
        if (api != null && connected != null && state != null) {
            reporter.recordRotation(record, state);
        }
        connected = api;
        if (api == null) {
            running.suspend();
        } else {
            running.start(lastWrite.trackWrites(fence(api)));
        }
    }

    /** If the settings need an optional permission that is missing, reviews it again like the required ones. */
    private void reviewPermissions(LinkState state, TenantInputs inputs) {
        boolean wanted = inputs.settings().provisioning().bootstrap().nodeFetch() == NodeFetch.SCOPED_TOKEN;
        if (wanted && state.api() != null && !state.scopedFetch() && !looksForRights) {
            looksForRights = true;
            services.runtime().scheduler().schedule(BETWEEN_LOOKS_FOR_RIGHTS, () -> {
                looksForRights = false;
                WorkerLink link = link();
                if (link != null) {
                    link.reviewPermissions();
                }
                changed.run();
            });
        }
    }

    private TenantInputs inputs(ResolvedSettings resolved, String kubeconfigCa) {
        return new TenantInputs(
                record.namespace(),
                record.name(),
                hub(),
                resolved.settings(),
                resolved.references(),
                resolved.mistakes(),
                kubeconfigCa,
                writes());
    }

    /** This hub, with those that the WorkerCluster is taken over from. */
    private HubIdentity hub() {
        WorkerClusterSpec spec = record.spec();
        HubIdentity own = services.identity().get();
        return spec == null || spec.formerHubIDs() == null ? own : own.withFormer(spec.formerHubIDs());
    }

    private AllowedWrites writes() {
        WorkerClusterSpec spec = record.spec();
        KkpTenant cluster = kkp();
        if (spec != null && spec.paused() || secretGone || cluster != null && cluster.isPaused()) {
            return AllowedWrites.NONE;
        }
        if (cluster != null && cluster.isBeingDeleted()) {
            return AllowedWrites.REMOVALS;
        }
        // Who runs the hub in OSM's place, migrates or stops OSM in KKP's Cluster has consented.
        boolean consented = isDropIn
                || !record.annotation(WorkerClusterRecord.ADOPTED_LEASE).isEmpty()
                || spec != null && spec.osmContent() == OsmContent.REPLACE;
        return consented ? AllowedWrites.ALL : AllowedWrites.ALL_BUT_OSM_CONTENT;
    }

    private boolean isPaused() {
        return writes() == AllowedWrites.NONE;
    }

    /** Null outside of KKP. */
    private @Nullable KkpTenant kkp() {
        return services.kkp().tenant(record.namespace());
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
    @Nullable CleanupResult cleanUp(WorkerClusterRecord now, @Nullable KubeconfigSecret secret, boolean definitionDeleted) {
        if (removal == null) {
            removedWithDefinition = definitionDeleted;
        }
        if (secret != null || link() == null) {
            updateKubeconfig(secret);
        }
        record = now;
        WorkerLink link = link();
        if (link == null) {
            return new CleanupResult(false, 0, 0, "no usable kubeconfig");
        }
        LinkState state = link.state();
        identity = identity(state);
        if (!identity.isServed()) {
            // The cluster belongs to another tenant: leave its objects alone.
            return new CleanupResult(false, 0, 0, "the worker cluster is not this tenant's");
        }
        if (settings.resolved() == null) {
            settings.resolve(record, state.kubeconfigCa());
        }
        if (!now.annotation(WorkerClusterRecord.ADOPTED_LEASE).isEmpty() && isPaused()) {
            // Returned to OSM, which owns its objects again.
            return new CleanupResult(true, 0, 0, "");
        }
        Instant at = services.runtime().scheduler().now();
        holdOsmsLease(state);
        connect(state);
        boolean unhooked = webhook.removeWebhook(state);
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
                : new CleanupResult(false, 0, 0, state.connection().message());
    }

    /** Time until removal gives up. */
    Duration untilRelease() {
        return remaining(record, services.runtime().scheduler().now());
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

    void recordEvent(ReasonMessage diagnosis) {
        reporter.recordEvent(record, diagnosis);
    }

    /** Stops immediately without cleanup. */
    void stop() {
        withSync(WorkerSync::stop);
        adopted.release();
        scoped.stop();
        webhook.close();
        kubeconfig.close();
        if (givenLink != null) {
            givenLink.close();
        }
        settings.close();
        workerProfiles.connect(null);
        claims.release(record);
    }

    // Status

    /** Queues the current status and records Events for changes. */
    void publishStatus() {
        reporter.publishStatus(record, situation());
    }

    private TenantStatusReporter.TenantSnapshot situation() {
        WorkerSync running = sync;
        SyncStatus status = running == null ? null : running.status();
        ResolvedSettings resolved = settings.resolved();
        return new TenantStatusReporter.TenantSnapshot(
                state(),
                accessDenied != null ? accessDenied : kubeconfig.problem(),
                identity.other(),
                TenantStatusReporter.problems(record, identity, resolved, status, webhook, unreadableObjects()),
                resolved,
                status,
                handledRequest,
                lastWrite.at(),
                TenantStatusReporter.pauseCause(record, kkp()));
    }

    private List<ProblemFinding> unreadableObjects() {
        return Stream.concat(
                        services
                                .runtime()
                                .unreadable()
                                .find(key -> key.namespace().equals(record.namespace()))
                                .stream(),
                        unreadable.find(key -> true).stream())
                .distinct()
                .toList();
    }

    TenantView view() {
        WorkerSync running = sync;
        return reporter.view(record, settings.resolved(), running == null ? null : running.status());
    }

    LiveTenant toLiveTenant(LiveTenant.PreviewDependencies tools) {
        return new LiveTenant(view(), sync, settings.rights(), workerProfiles, tools);
    }

    /** Where default profiles are to be installed for the tenant; none while its settings are unresolved. */
    InstallDefaults installDefaults() {
        ResolvedSettings now = settings.resolved();
        return now == null ? InstallDefaults.NONE : now.settings().profiles().installDefaults();
    }

    /** UID of the worker cluster's {@code kube-system}; empty if it was never reached. */
    String clusterId() {
        WorkerLink link = link();
        String seen = link == null ? "" : link.state().clusterId();
        return seen.isEmpty() ? record.clusterId() : seen;
    }

    /**
     * Forwards a sync's failures to the link, and everything else to the next status.
     *
     * @param link returns the current link; null without one
     */
    record SyncEventForwarder(Supplier<@Nullable WorkerLink> link, Runnable counted) implements SyncListener {
        @Override
        public void onStatusChanged() {
            counted.run();
        }

        @Override
        public void onRequestFailed(ApiFailure failure) {
            WorkerLink now = link.get();
            if (now != null) {
                now.onRequestFailed(failure);
            }
        }

        @Override
        public void onRecovered() {
            WorkerLink now = link.get();
            if (now != null) {
                now.onRecovered();
            }
        }
    }

    /** Tracks the time of the last change in a worker cluster, across connections. Thread-safe. */
    static final class LastWriteTracker {
        private static final String TOKENS = "kube-system";

        private final Scheduler timers;
        private volatile @Nullable Instant at;

        LastWriteTracker(Scheduler timers) {
            this.timers = timers;
        }

        /** Null before the first change. */
        @Nullable Instant at() {
            return at;
        }

        /**
         * Wraps an API to record its writes. Events and token extensions are not recorded: extensions happen hourly, and a status
         * would be written for each.
         */
        KubeApi trackWrites(KubeApi api) {
            return new KubeApi() {
                @Override
                public byte[] send(ApiRequest request) throws ApiFailure {
                    byte[] answer = api.send(request);
                    if (request.verb().writes()
                            && request.resource() != Resource.EVENTS
                            && !request.namespace().equals(TOKENS)) {
                        at = timers.now();
                    }
                    return answer;
                }

                @Override
                public byte[] list(ApiRequest request, ItemSplitter.ItemHandler items) throws ApiFailure, IOException {
                    return api.list(request, items);
                }

                @Override
                public Watch watch(ApiRequest request, WatchLineHandler lines) {
                    return api.watch(request, lines);
                }
            };
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
            Duration time = spec == null ? USUAL : parsed(spec.cleanupTimeout());
            return time == null ? USUAL : time.compareTo(MOST) > 0 ? MOST : time;
        }

        private static @Nullable Duration parsed(String text) {
            return DurationFormat.parse(text);
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
