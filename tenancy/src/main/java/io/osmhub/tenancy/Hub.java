package io.osmhub.tenancy;

import io.osmhub.core.plan.HubIdentity;
import io.osmhub.core.plan.StoredConfig;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.ReasonMessage;
import io.osmhub.core.render.CompiledProfile;
import io.osmhub.core.render.CompiledProfile.CompiledProfileCache;
import io.osmhub.core.template.TemplateEngine;
import io.osmhub.core.template.language.TemplateLanguage;
import io.osmhub.tenancy.TenantDirectory.TenantView;
import io.osmhub.tenancy.admission.AdmissionEndpoint;
import io.osmhub.tenancy.admission.AdmissionView;
import io.osmhub.tenancy.catalog.ConfigCache;
import io.osmhub.tenancy.catalog.ConfigCache.ListedConfig;
import io.osmhub.tenancy.catalog.ProfileCache;
import io.osmhub.tenancy.catalog.StoredProfile;
import io.osmhub.tenancy.crds.DefinitionInstaller;
import io.osmhub.tenancy.crds.InstalledDefinitions;
import io.osmhub.tenancy.crds.InstalledDefinitions.InstalledDefinition;
import io.osmhub.tenancy.crds.ShippedDefinition;
import io.osmhub.tenancy.kkp.KkpCache;
import io.osmhub.tenancy.kubeconfig.EgressPolicy;
import io.osmhub.tenancy.lease.WriteFence;
import io.osmhub.tenancy.link.StaticLink;
import io.osmhub.tenancy.link.WorkerLinkFactory;
import io.osmhub.tenancy.namespace.NamespaceCache;
import io.osmhub.tenancy.namespace.NamespaceCache.NamespaceRecord;
import io.osmhub.tenancy.profiles.BundledProfile;
import io.osmhub.tenancy.profiles.DefaultProfileInstaller;
import io.osmhub.tenancy.profiles.ProfileController;
import io.osmhub.tenancy.profiles.ProfileVerifier;
import io.osmhub.tenancy.registry.HubIdentityStore;
import io.osmhub.tenancy.registry.KubeconfigSecretCache;
import io.osmhub.tenancy.registry.RegistrationEventRecorder;
import io.osmhub.tenancy.registry.TenantAccess;
import io.osmhub.tenancy.registry.WorkerClusterRecord;
import io.osmhub.tenancy.registry.WorkerClusterStore;
import io.osmhub.tenancy.renewal.RenewalLoop;
import io.osmhub.tenancy.settings.HubSettings;
import io.osmhub.tenancy.status.StatusWriter;
import io.osmhub.tenancy.watch.ManagementInformer;
import io.osmhub.tenancy.watch.ManagementWatchHealth;
import io.osmhub.tenancy.watch.NoopListWatchListener;
import io.osmhub.tenancy.watch.StoredObjectListener;
import io.osmhub.workersync.WorkerSync;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ExponentialBackoff;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.queue.WorkQueue;
import io.osmhub.workersync.reconcile.RenderExecutor;
import io.osmhub.workersync.watch.ObjectCache.Origin;
import io.osmhub.workersync.watch.ObjectKey;
import io.osmhub.workersync.watch.RuntimeContext;
import io.osmhub.workersync.watch.Selection;
import io.osmhub.workersync.watch.UnreadableObjects;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/** The hub: watches one management cluster and serves its tenants. Entry point of this module; its methods must not block. */
public final class Hub implements ServedTenants {
    private static final Logger LOG = LoggerFactory.getLogger(Hub.class);
    private static final ExponentialBackoff INSTALLING =
            new ExponentialBackoff(Duration.ofMillis(500), Duration.ofSeconds(30));
    private static final Duration AFTER_REFUSAL = Duration.ofMinutes(1);
    private static final Duration UNTIL_SERVED = Duration.ofSeconds(1);
    /** Name of the WorkerCluster that represents the management cluster itself. */
    static final String LOCAL = "local";

    private static final int PREVIEWED_PROFILES = 16;

    private final HubDependencies parts;
    /** In the management cluster. */
    private final UnreadableObjects unreadable;

    private final RuntimeContext around;
    private final KubeApi management;
    private final RenewalLoop startup;
    private final RenewalLoop identification;
    private final RenewalLoop localRegistration;
    private final ManagementWatchHealth view;
    private final NamespaceCache namespaces;
    private final ProfileCache profiles;
    private final ConfigCache configs;
    private final WorkerClusterStore clusters;
    private final TenantAccess access;
    private final KubeconfigSecretCache secrets;
    private final KkpCache kkp;
    private final StatusWriter statuses;
    private final CompiledProfileCache compiled;
    private final ProfileController care;
    private final TenantSupervisor supervisor;
    private final HubQueries details;
    private final HubAdmission admission;
    private final List<ManagementInformer<InstalledDefinition>> definitionWatches;
    private volatile HubSettings settings;
    /** Set before the first tenant is served. */
    private volatile HubIdentity identity = HubIdentity.NONE;

    private volatile InstalledDefinitions definitions = InstalledDefinitions.asShipped();
    /** Whether the caches were started. Set only by {@link #startup}. */
    private volatile boolean begun;

    /**
     * Creates a stopped hub.
     *
     * @param localAuthority CA of the management cluster's API server, PEM; used only in single-cluster mode
     */
    public Hub(HubDependencies parts, HubSettings settings, String localAuthority) {
        this(parts, settings, localAuthority, StoredObjectListeners.noop(), AdmissionEndpoint.NONE);
    }

    /**
     * Creates a stopped hub.
     *
     * @param stored notified about all stored objects, from the first list on
     * @param endpoint where worker clusters reach the hub's webhooks
     */
    public Hub(
            HubDependencies parts,
            HubSettings settings,
            String localAuthority,
            StoredObjectListeners stored,
            AdmissionEndpoint endpoint) {
        this.parts = parts;
        this.settings = settings;
        this.unreadable = new UnreadableObjects(key -> onNamespaceChanged(key.namespace()));
        this.around = parts.environment().runtime().reportingTo(unreadable);
        this.management = parts.fence().ofManagement(parts.management());
        this.startup = new RenewalLoop(
                "Installation of CustomResourceDefinitions",
                () -> INSTALLING,
                this::begin,
                (cause, inARow) -> LOG.atWarn()
                        .addKeyValue("cause", cause)
                        .log("Could not read or install CustomResourceDefinitions, retrying"),
                around);
        this.identification = new RenewalLoop(
                "Reading of the hub's identity",
                () -> INSTALLING,
                this::identify,
                (cause, inARow) ->
                        LOG.atWarn().addKeyValue("cause", cause).log("Could not read the hub's identity, retrying"),
                around);
        this.localRegistration = new RenewalLoop(
                "Registration of the local worker cluster",
                () -> INSTALLING,
                this::makeLocal,
                (cause, inARow) ->
                        LOG.atWarn().addKeyValue("cause", cause).log("Could not create WorkerCluster local, retrying"),
                around);
        this.view = new ManagementWatchHealth(around.scheduler(), parts.endpoint(), this::allSynced, this::complete);
        this.namespaces = new NamespaceCache(this::namespaceChanged, view.listener("namespaces"), around);
        this.profiles = new ProfileCache(
                "",
                namespaces::offersProfiles,
                () -> definitions.hasStatusSubresource(ShippedDefinition.OPERATING_SYSTEM_PROFILES),
                this::profileChanged,
                stored.profiles(),
                view.listener("operatingsystemprofiles"),
                around);
        this.configs = new ConfigCache(
                "",
                () -> definitions.hasStatusSubresource(ShippedDefinition.OPERATING_SYSTEM_CONFIGS),
                this::configChanged,
                stored.configs(),
                view.listener("operatingsystemconfigs"),
                around);
        this.clusters = new WorkerClusterStore(
                management,
                "",
                (key, before, after, origin) -> registrationChanged(key.namespace(), before, after),
                stored.workerClusters(),
                view.listener("workerclusters"),
                around);
        this.access = new TenantAccess(
                parts.management(),
                this::onSecretScopeChanged,
                this::onServingChanged,
                this::onNamespaceChanged,
                () -> view.listener("rolebindings " + TenantAccess.ROLE),
                around);
        this.secrets = new KubeconfigSecretCache(
                settings.discovery(),
                access,
                this::onNamespaceChanged,
                which -> view.listener("secrets with " + which),
                around);
        this.kkp = new KkpCache(settings.kkpNamespace(), this::onNamespaceChanged, view::listener, around);
        this.statuses = new StatusWriter(
                management,
                settings.statusesPerSecond(),
                parts.fence().mayWrite(),
                parts.fence().served(),
                parts.observer()::onStatusDelayed,
                around);
        this.compiled = new CompiledProfileCache(
                parts.engines(),
                settings.compiledProfiles(),
                new CompilationTimer(parts.observer(), around.scheduler()::nanoTime));
        TenantServices services = new TenantServices(
                parts.management(),
                () -> identity,
                () -> this.settings,
                profiles,
                configs,
                clusters,
                kkp,
                namespaces::find,
                compiled,
                statuses,
                parts.links(),
                parts.fence(),
                endpoint,
                new WorkerSync.SyncEnvironment(
                        around, parts.environment().tools(), parts.environment().replica()));
        RunningTenant.OperatorWorkerCluster local = settings.single()
                ? new RunningTenant.OperatorWorkerCluster(
                        new StaticLink.StaticWorkerCluster(parts.management(), parts.endpoint(), "", localAuthority),
                        null)
                : null;
        RegistrationEventRecorder teller = new RegistrationEventRecorder(
                management, around, parts.environment().replica());
        this.care = new ProfileController(
                management,
                profiles,
                configs,
                compiled,
                new ProfileVerifier(parts.previews(), BundledProfile::hashes, around.scheduler()::nanoTime),
                new DefaultProfileInstaller(management, profiles, BundledProfile::all),
                statuses,
                teller,
                around,
                parts.fence().served(),
                parts.queue());
        this.supervisor = new TenantSupervisor(
                services,
                new TenantSupervisor.RegistrationSources(
                        clusters, secrets, access, namespaces, local, teller, care::requestInstall, parts.observer()),
                parts.fence().served(),
                parts.queue());
        this.details = new HubQueryService(
                management,
                new HubQueryService.InventoryCaches(clusters, profiles, configs),
                supervisor,
                new LiveTenant.PreviewDependencies(
                        parts.environment().tools().decider().createPreviewer(),
                        parts.previews(),
                        new CompiledProfileCache(parts.engines(), PREVIEWED_PROFILES),
                        () -> this.settings));
        this.admission = new HubAdmission(
                clusters, kkp, profiles, namespaces, compiled, () -> this.settings, supervisor, details);
        this.definitionWatches =
                Stream.of(ShippedDefinition.values()).map(this::watch).toList();
        endpoint.addChangeListener(this::onLeadershipChanged);
    }

    /** Starts the hub; initial failures are retried. */
    @Override
    public void start() {
        startup.wake();
    }

    /**
     * Definitions first, because stored objects depend on them. Independent of the Lease. Without permission the hub starts anyway,
     * and checks again, because the permission may be granted while it runs. Definitions that are deleted later are installed again.
     *
     * @return delay of the next check; null if the definitions are installed
     */
    private @Nullable Duration begin() throws ApiFailure {
        Duration next = null;
        try {
            installDefinitions();
        } catch (ApiFailure e) {
            boolean needed = !begun || !definitions.isComplete();
            if (needed && e.isTransient()) {
                throw e;
            }
            LOG.atLevel(needed ? Level.WARN : Level.DEBUG)
                    .addKeyValue("cause", e.text())
                    .log("Not permitted to read or install CustomResourceDefinitions, retrying every minute; run"
                            + " hub install crds, or grant the hub its permissions");
            next = AFTER_REFUSAL;
        }
        if (!begun && !startup.isStopped()) {
            begun = true;
            namespaces.start(parts.management());
            profiles.start(parts.management());
            configs.start(parts.management());
            clusters.start();
            secrets.start(parts.management());
            access.start();
            kkp.start(parts.management());
            definitionWatches.forEach(watch -> watch.start(parts.management()));
        }
        return next;
    }

    private void installDefinitions() throws ApiFailure {
        // Not fenced: concurrent installations by several replicas are safe.
        DefinitionInstaller installer = new DefinitionInstaller(parts.management());
        installer.install(settings.installCrds());
        InstalledDefinitions found = installer.readDefinitions();
        updateDefinitions(known -> found);
    }

    private ManagementInformer<InstalledDefinition> watch(ShippedDefinition definition) {
        return new ManagementInformer<>(
                Selection.where(
                        Resource.CUSTOM_RESOURCE_DEFINITIONS, "", "metadata.name=" + definition.definitionName()),
                object -> InstalledDefinition.of(definition, object),
                // Reads the cache when it runs, because two changes may be applied in either order.
                (key, before, after, origin) -> around.blockingExecutor().execute(() -> {
                    ManagementInformer<InstalledDefinition> watch = definitionWatches.get(definition.ordinal());
                    @Nullable InstalledDefinition found = watch.find(key.namespace(), key.name());
                    if (found == null && watch.unreadable(key.namespace(), key.name()) != null) {
                        return;
                    }
                    updateDefinitions(known -> known.with(definition, found));
                    if (found == null) {
                        startup.wake();
                    }
                }),
                // Without permission to watch them, the definitions read at start are used.
                NoopListWatchListener.INSTANCE,
                around);
    }

    /** Updates the definitions: they determine which fields are written, and objects are read again. */
    private void updateDefinitions(UnaryOperator<InstalledDefinitions> change) {
        InstalledDefinitions before;
        InstalledDefinitions now;
        synchronized (this) {
            before = definitions;
            now = change.apply(definitions);
            if (now.equals(definitions)) {
                return;
            }
            definitions = now;
        }
        now.logChanges(before);
        profiles.onDefinitionChanged();
        configs.onDefinitionChanged();
        if (begun) {
            statuses.relocate(profiles);
            statuses.relocate(configs);
        }
        if (view.isComplete()) {
            registerLocal();
            care.onEverythingChanged();
            supervisor.onEverythingChanged();
        }
    }

    private void registerLocal() {
        if (settings.single()) {
            localRegistration.wake();
        }
    }

    private boolean allSynced() {
        return namespaces.isSynced()
                && profiles.isSynced()
                && configs.isSynced()
                && clusters.isSynced()
                && secrets.isSynced()
                && kkp.isSynced();
    }

    private void complete() {
        LOG.info(
                "Management cluster caches synced: {} WorkerClusters",
                clusters.all().size());
        identification.wake();
    }

    /** Before any tenant is served: the identity decides which objects of a worker cluster are the hub's. */
    private @Nullable Duration identify() throws ApiFailure {
        NamespaceRecord system = namespaces.find("kube-system");
        // Not fenced: all replicas store the same.
        identity =
                new HubIdentityStore(parts.management(), settings.namespace()).load(system == null ? "" : system.uid());
        registerLocal();
        profiles.all()
                .forEach(profile ->
                        care.onProfileChanged(new ObjectKey(profile.namespace(), profile.name()), null, profile));
        care.requestInstall(settings.sharedProfileNamespace());
        care.onUsersChanged();
        supervisor.begin();
        return null;
    }

    private @Nullable Duration makeLocal() throws ApiFailure {
        if (clusters.find(settings.namespace(), LOCAL) == null) {
            if (!parts.fence().served().test(settings.namespace())) {
                return UNTIL_SERVED;
            }
            clusters.createLocal(settings.namespace(), LOCAL);
        }
        return null;
    }

    /**
     * Stops: starts nothing more, and running work fails at its next request. All state is in the clusters, so another process
     * can continue.
     */
    @Override
    public void stop() {
        startup.stop();
        identification.stop();
        localRegistration.stop();
        supervisor.stop();
        care.stop();
        statuses.close();
        namespaces.stop();
        profiles.stop();
        configs.stop();
        clusters.stop();
        access.stop();
        secrets.stop();
        kkp.stop();
        definitionWatches.forEach(ManagementInformer::stop);
    }

    /** Applies changed settings at runtime: defaults, kubeconfig policy, selector. */
    @Override
    public void settings(HubSettings now) {
        settings = now;
        onServingChanged();
    }

    private void onSecretScopeChanged(boolean everywhere) {
        secrets.setScope(everywhere);
    }

    private void onServingChanged() {
        if (view.isComplete()) {
            supervisor.onEverythingChanged();
        }
    }

    /** Called when the served tenants or the webhooks' certificate authorities may have changed. */
    @Override
    public void onLeadershipChanged() {
        if (view.isComplete()) {
            care.onEverythingChanged();
            supervisor.onEverythingChanged();
        }
    }

    // Events

    private void onNamespaceChanged(String namespace) {
        if (view.isComplete() && !namespace.isEmpty()) {
            supervisor.onNamespaceChanged(namespace);
        }
    }

    private void registrationChanged(
            String namespace, @Nullable WorkerClusterRecord before, @Nullable WorkerClusterRecord after) {
        onNamespaceChanged(namespace);
        String had = before == null ? "" : before.clusterId();
        String has = after == null ? "" : after.clusterId();
        if (!had.equals(has) && view.isComplete()) {
            supervisor.onClusterChanged(had);
            supervisor.onClusterChanged(has);
        }
    }

    private void namespaceChanged(
            ObjectKey key, @Nullable NamespaceRecord before, @Nullable NamespaceRecord after, Origin origin) {
        if (!view.isComplete()) {
            return;
        }
        supervisor.onNamespaceChanged(key.name());
        if (before == null) {
            care.onNamespaceAdded(key.name());
        }
        String had = before == null ? "" : before.clusterId();
        String has = after == null ? "" : after.clusterId();
        if (!had.equals(has)) {
            supervisor.onClusterChanged(had);
            supervisor.onClusterChanged(has);
        }
        boolean offered = before != null && before.offersProfiles();
        boolean offers = after != null && after.offersProfiles();
        if (offered != offers) {
            supervisor.onProfileOfferChanged(key.name());
        }
    }

    private void profileChanged(
            ObjectKey key, @Nullable StoredProfile before, @Nullable StoredProfile after, boolean content) {
        if (content && view.isComplete()) {
            care.onProfileChanged(key, before, after);
            supervisor.onProfileChanged(key.namespace(), before, after);
        }
    }

    /** The hub's own writes and status changes are ignored. */
    private void configChanged(
            ObjectKey key, @Nullable StoredConfig before, @Nullable StoredConfig after, Origin origin) {
        care.onUsersChanged();
        if (origin != Origin.WRITTEN && !ConfigCache.haveSameContent(before, after) && view.isComplete()) {
            supervisor.onConfigChanged(key.namespace(), key.name());
        }
    }

    /** Current egress policy of a tenant's namespace. */
    public EgressPolicy egress(String namespace) {
        NamespaceRecord record = namespaces.find(namespace);
        return new EgressPolicy(
                settings.kubeconfigPolicy().forNamespace(record == null ? Map.of() : record.labels()),
                settings.managementApi(),
                settings.ownAddresses());
    }

    // State

    /** Whether all initial lists are complete. */
    @Override
    public boolean isReady() {
        return view.isComplete();
    }

    /** Incomplete initial lists; empty once ready. */
    @Override
    public List<String> missingLists() {
        return view.missingLists();
    }

    /** Problem with the management cluster to report; empty if there is none. */
    @Override
    public Optional<String> managementProblem() {
        return Optional.ofNullable(view.problem(supervisor.count()));
    }

    /** Problems of definitions, and of other objects that belong to no tenant. */
    public List<InstalledDefinitions.DefinitionProblem> definitionProblems() {
        return Stream.of(definitions.problems(), kkp.problems(), unreadableObjects())
                .flatMap(List::stream)
                .toList();
    }

    /** Those of no tenant; the others are problems of their tenants. */
    private List<InstalledDefinitions.DefinitionProblem> unreadableObjects() {
        return unreadable
                .find(key -> parts.fence().served().test(key.namespace())
                        && supervisor.running().in(key.namespace()).isEmpty())
                .stream()
                .map(finding -> new InstalledDefinitions.DefinitionProblem(
                        finding.object(),
                        Reason.ObjectUnreadable,
                        ReasonMessage.of("hub", finding).message()))
                .toList();
    }

    /** Tenants of KKP; without any outside of KKP mode. */
    public KkpCache kkp() {
        return kkp;
    }

    /** Problems of the tenants' namespaces that the hub has no permissions in, by namespace; those of this replica. */
    public Map<String, ReasonMessage> inaccessibleTenants() {
        return access.denied();
    }

    /** Why the hub has no permissions in a namespace, by a new review; empty if it has. Blocks. */
    public Optional<ReasonMessage> reviewAccess(String namespace) throws ApiFailure {
        return access.reviewNow(namespace);
    }

    /** Number of statuses waiting to be written. */
    @Override
    public int statusBacklog() {
        return statuses.backlog();
    }

    /** Number of cached objects of the management cluster, by kind. */
    @Override
    public Map<String, Integer> cached() {
        return Map.of(
                "namespaces", namespaces.all().size(),
                "operatingsystemprofiles", profiles.all().size(),
                "workerclusters", clusters.all().size(),
                "operatingsystemconfigs", configs.size());
    }

    /** Number of cached compiled profiles, by language. */
    @Override
    public Map<TemplateLanguage, Integer> compiledProfiles() {
        return compiled.countByLanguage();
    }

    /** Queries about single objects, including previews. */
    public HubQueries details() {
        return details;
    }

    /** Data for admission, about all tenants. */
    public AdmissionView admission() {
        return admission;
    }

    @Override
    public List<TenantView> tenants() {
        return supervisor.tenants();
    }

    @Override
    public Optional<TenantView> tenant(String namespace, String name) {
        return supervisor.tenant(namespace, name);
    }

    /**
     * External dependencies of a hub.
     *
     * @param management the management cluster
     * @param endpoint URL of the management cluster's API server, for messages
     * @param links creates links to worker clusters
     * @param queue for reconciling namespaces; separate from that of {@code environment}, whose runs wait for rendering
     * @param previews renders previews and admission trials; separate from the executor of {@code environment}
     * @param fence rejects writes for tenants that this replica does not serve
     * @param observer observes everything beyond single runs
     */
    public record HubDependencies(
            KubeApi management,
            String endpoint,
            WorkerLinkFactory links,
            WorkerSync.SyncEnvironment environment,
            WorkQueue queue,
            RenderExecutor previews,
            Function<TemplateLanguage, TemplateEngine> engines,
            WriteFence fence,
            HubObserver observer) {}

    record CompilationTimer(HubObserver observer, LongSupplier nanoTime)
            implements CompiledProfileCache.CompileInterceptor {
        @Override
        public CompiledProfile compile(TemplateLanguage language, Supplier<CompiledProfile> work) {
            long start = nanoTime.getAsLong();
            CompiledProfile made = work.get();
            observer.onProfileCompiled(language, Duration.ofNanos(nanoTime.getAsLong() - start));
            return made;
        }
    }

    /** Listeners for an inventory of the management cluster's objects, including those of other replicas' tenants. */
    public record StoredObjectListeners(
            StoredObjectListener<WorkerClusterRecord> workerClusters,
            StoredObjectListener<StoredProfile> profiles,
            StoredObjectListener<ListedConfig> configs) {

        public static StoredObjectListeners noop() {
            return new StoredObjectListeners(
                    StoredObjectListener.noop(), StoredObjectListener.noop(), StoredObjectListener.noop());
        }
    }

    /** Observes the hub beyond single runs, for metrics. Thread-safe; must not block or throw. */
    public interface HubObserver {
        /** Ignores everything. */
        HubObserver NONE = new HubObserver() {};

        /** A write was rejected because this replica's Lease was too old. */
        default void onWriteFenced() {}

        /** This replica took a namespace with a tenant from another replica after resharding. */
        default void onTakeover() {}

        default void onProfileCompiled(TemplateLanguage language, Duration took) {}

        /** A WorkerCluster was released although objects of the hub remain in the worker cluster. */
        default void onCleanupIncomplete() {}

        /** A status write was delayed by the management cluster's write budget. */
        default void onStatusDelayed(Duration wait) {}
    }
}
