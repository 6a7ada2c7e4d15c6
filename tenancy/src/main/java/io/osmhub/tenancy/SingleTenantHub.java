package io.osmhub.tenancy;

import io.osmhub.core.plan.HubIdentity;
import io.osmhub.core.plan.StoredConfig;
import io.osmhub.core.problem.Actor;
import io.osmhub.core.render.CompiledProfile.CompiledProfileCache;
import io.osmhub.core.settings.SettingsLayer;
import io.osmhub.core.template.language.TemplateLanguage;
import io.osmhub.core.workercluster.WorkerClusterSpec.ProfileSettings.InstallDefaults;
import io.osmhub.tenancy.Hub.CompilationTimer;
import io.osmhub.tenancy.Hub.HubDependencies;
import io.osmhub.tenancy.TenantDirectory.TenantView;
import io.osmhub.tenancy.admission.AdmissionEndpoint;
import io.osmhub.tenancy.catalog.ConfigCache;
import io.osmhub.tenancy.catalog.ProfileCache;
import io.osmhub.tenancy.catalog.StoredProfile;
import io.osmhub.tenancy.crds.DefinitionInstaller;
import io.osmhub.tenancy.crds.InstalledDefinitions;
import io.osmhub.tenancy.crds.ShippedDefinition;
import io.osmhub.tenancy.kkp.KkpCache;
import io.osmhub.tenancy.link.ClusterClaims;
import io.osmhub.tenancy.link.StaticLink;
import io.osmhub.tenancy.profiles.BundledProfile;
import io.osmhub.tenancy.profiles.DefaultProfileInstaller;
import io.osmhub.tenancy.registry.WorkerClusterRecord;
import io.osmhub.tenancy.settings.HubSettings;
import io.osmhub.tenancy.settings.SettingsResolver.OperatorSettings;
import io.osmhub.tenancy.status.StatusWriter;
import io.osmhub.tenancy.status.StatusWriter.StatusStore;
import io.osmhub.tenancy.status.StoredStatus;
import io.osmhub.tenancy.watch.ManagementWatchHealth;
import io.osmhub.tenancy.watch.NoopListWatchListener;
import io.osmhub.tenancy.watch.StoredObjectListener;
import io.osmhub.workersync.WorkerSync;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.queue.RequeueDecision;
import io.osmhub.workersync.queue.TenantQueue;
import io.osmhub.workersync.queue.Urgency;
import io.osmhub.workersync.watch.ObjectCache.Origin;
import io.osmhub.workersync.watch.ObjectKey;
import io.osmhub.workersync.watch.RuntimeContext;
import io.osmhub.workersync.watch.UnreadableObjects;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves one worker cluster configured by command-line flags, as OSM does: watches one namespace of the management cluster and
 * needs no WorkerCluster.
 */
public final class SingleTenantHub implements ServedTenants {
    private static final Logger LOG = LoggerFactory.getLogger(SingleTenantHub.class);
    private static final String LOOK = "look";
    private static final String COUNT = "count";
    private static final String INSTALL = "install";
    private static final Duration COUNTED_AFTER = Duration.ofMillis(250);

    /**
     * @param namespace of profiles and OperatingSystemConfigs
     * @param name of the worker cluster in messages
     * @param settings replaces a WorkerCluster's
     */
    public record SingleTenantOptions(
            String namespace, String name, StaticLink.StaticWorkerCluster worker, OperatorSettings settings) {}

    /** Without a WorkerCluster there is no status to write; logs, metrics and Events report instead. */
    private static final StatusStore NOWHERE = new StatusStore() {
        @Override
        public Resource resource() {
            return Resource.WORKER_CLUSTERS;
        }

        @Override
        public boolean hasStatusSubresource() {
            return false;
        }

        @Override
        public boolean isSubresourceOptional() {
            return false;
        }

        @Override
        public void onSubresourceUnusable() {
            throw new IllegalStateException("no WorkerCluster status to write");
        }

        @Override
        public @Nullable StoredStatus findStored(String namespace, String name) {
            return null;
        }

        @Override
        public Collection<ObjectKey> keys() {
            return List.of();
        }

        @Override
        public void relist(Runnable onListed) {
            throw new IllegalStateException("no WorkerCluster to list");
        }

        @Override
        public void onWritten(byte[] answer) {
            throw new IllegalStateException("no WorkerCluster status to write");
        }
    };

    private final HubDependencies parts;
    private final RuntimeContext around;
    private final ManagementWatchHealth view;
    private final WorkerClusterRecord record;
    private final ProfileCache profiles;
    private final ConfigCache configs;
    private final DefaultProfileInstaller defaults;
    private final StatusWriter statuses;
    private final CompiledProfileCache compiled;
    private final RunningTenant tenant;
    private final TenantQueue<String> lane;
    private volatile InstalledDefinitions definitions = InstalledDefinitions.asShipped();
    private volatile boolean stopped;

    /** Creates a stopped hub. Ignores {@code served} and {@code links} of the parts. */
    public SingleTenantHub(HubDependencies parts, HubSettings settings, SingleTenantOptions order) {
        this.parts = parts;
        this.around = parts.environment().runtime().reportingTo(new UnreadableObjects(key -> onUnreadable()));
        this.record = WorkerClusterRecord.fixed(order.namespace(), order.name());
        KubeApi management = parts.fence().ofManagement(parts.management());
        this.view = new ManagementWatchHealth(around.scheduler(), parts.endpoint(), this::allSynced, this::complete);
        this.profiles = new ProfileCache(
                order.namespace(),
                namespace -> false,
                () -> definitions.hasStatusSubresource(ShippedDefinition.OPERATING_SYSTEM_PROFILES),
                this::profileChanged,
                StoredObjectListener.noop(),
                view.listener("operatingsystemprofiles"),
                around);
        this.configs = new ConfigCache(
                order.namespace(),
                () -> definitions.hasStatusSubresource(ShippedDefinition.OPERATING_SYSTEM_CONFIGS),
                this::configChanged,
                StoredObjectListener.noop(),
                view.listener("operatingsystemconfigs"),
                around);
        this.defaults = new DefaultProfileInstaller(management, profiles, BundledProfile::all);
        this.statuses = new StatusWriter(
                management,
                settings.statusesPerSecond(),
                parts.fence().mayWrite(),
                namespace -> true,
                parts.observer()::onStatusDelayed,
                around);
        this.compiled = new CompiledProfileCache(
                parts.engines(),
                settings.compiledProfiles(),
                new CompilationTimer(parts.observer(), around.scheduler()::nanoTime));
        TenantServices services = new TenantServices(
                parts.management(),
                () -> HubIdentity.NONE,
                () -> settings,
                profiles,
                configs,
                NOWHERE,
                new KkpCache("", namespace -> {}, kind -> NoopListWatchListener.INSTANCE, around),
                namespace -> null,
                compiled,
                statuses,
                parts.links(),
                parts.fence(),
                AdmissionEndpoint.NONE,
                new WorkerSync.SyncEnvironment(
                        around, parts.environment().tools(), parts.environment().replica()));
        this.lane = parts.queue().createTenantQueue(1, this::run);
        this.tenant = new RunningTenant(
                record,
                new RunningTenant.OperatorWorkerCluster(order.worker(), order.settings()),
                services,
                new ClusterClaims(clusterId -> List.of(), clusterId -> null),
                namespace -> lane.add(LOOK, Urgency.FRESH),
                () -> lane.addAfter(COUNT, COUNTED_AFTER));
        lane.pause();
    }

    /** Starts the hub; initial failures are retried. */
    @Override
    public void start() {
        around.blockingExecutor().execute(() -> {
            if (stopped) {
                return;
            }
            reconcile();
            profiles.start(parts.management());
            configs.start(parts.management());
        });
    }

    /** Does without what may not be read: OSM's role grants less than the hub's. */
    private void reconcile() {
        try {
            definitions = new DefinitionInstaller(parts.management()).readDefinitions();
        } catch (ApiFailure e) {
            LOG.atDebug().addKeyValue("cause", e.text()).log("Not permitted to read CustomResourceDefinitions");
        }
    }

    private void onUnreadable() {
        if (view.isComplete()) {
            lane.addAfter(COUNT, COUNTED_AFTER);
        }
    }

    private boolean allSynced() {
        return profiles.isSynced() && configs.isSynced();
    }

    private void complete() {
        lane.resume();
        lane.add(LOOK, Urgency.FRESH);
    }

    private RequeueDecision run(String task, int failures) {
        try {
            if (task.equals(COUNT)) {
                tenant.publishStatus();
            } else if (task.equals(INSTALL)) {
                return installProfiles();
            } else if (parts.fence().mayWrite().getAsBoolean()) {
                tenant.serve(record, null, null);
                lane.add(INSTALL, Urgency.RESYNC);
            } else {
                tenant.suspend();
            }
            return new RequeueDecision.Done();
        } catch (RuntimeException e) {
            LOG.atError().setCause(e).log("Tenant reconcile failed unexpectedly");
            return new RequeueDecision.Retry(Actor.HUB, null);
        }
    }

    /** As OSM does, unless its flag disables it. Never changes profiles of other writers. */
    private RequeueDecision installProfiles() {
        if (!parts.fence().mayWrite().getAsBoolean() || tenant.installDefaults() == InstallDefaults.NONE) {
            return new RequeueDecision.Done();
        }
        try {
            defaults.install(record.namespace())
                    .forEach(notice -> LOG.warn("{}", notice.diagnosis().message()));
            return new RequeueDecision.Done();
        } catch (ApiFailure e) {
            return new RequeueDecision.Retry(Actor.OPERATOR, e.retryAfter());
        }
    }

    private void profileChanged(
            ObjectKey key, @Nullable StoredProfile before, @Nullable StoredProfile after, boolean content) {
        if (content) {
            tenant.onProfilesChanged(Set.of(key.name()));
        }
        if (before != null && before.isDefault() && after == null || after != null && after.pruned()) {
            lane.add(INSTALL, Urgency.RESYNC);
        }
    }

    private void configChanged(
            ObjectKey key, @Nullable StoredConfig before, @Nullable StoredConfig after, Origin origin) {
        if (origin != Origin.WRITTEN && !ConfigCache.haveSameContent(before, after) && view.isComplete()) {
            tenant.onConfigChanged(key.name());
        }
    }

    @Override
    public void settings(HubSettings now) {
        settings(now.defaults());
    }

    @Override
    public int statusBacklog() {
        return 0;
    }

    @Override
    public Map<String, Integer> cached() {
        return Map.of();
    }

    /** Applies changed settings from reloaded flags. */
    public void settings(SettingsLayer flags) {
        tenant.settings(flags);
        lane.add(LOOK, Urgency.FRESH);
    }

    /** Reconciles everything: whether this process may write has changed. */
    @Override
    public void onLeadershipChanged() {
        lane.add(LOOK, Urgency.FRESH);
        tenant.resync();
    }

    /** Stops; another process can continue. */
    @Override
    public void stop() {
        stopped = true;
        lane.close();
        tenant.stop();
        statuses.close();
        profiles.stop();
        configs.stop();
    }

    /** Whether all initial lists are complete. */
    @Override
    public boolean isReady() {
        return view.isComplete();
    }

    /** Number of cached compiled profiles, by language. */
    @Override
    public Map<TemplateLanguage, Integer> compiledProfiles() {
        return compiled.countByLanguage();
    }

    /** Incomplete initial lists; empty once ready. */
    @Override
    public List<String> missingLists() {
        return view.missingLists();
    }

    /** Problem with the management cluster to report; empty if there is none. */
    @Override
    public Optional<String> managementProblem() {
        return Optional.ofNullable(view.problem(1));
    }

    @Override
    public List<TenantView> tenants() {
        return List.of(tenant.view());
    }

    @Override
    public Optional<TenantView> tenant(String namespace, String name) {
        return tenants().stream()
                .filter(one -> one.namespace().equals(namespace) && one.name().equals(name))
                .findFirst();
    }
}
