package io.osmhub.tenancy;

import io.osmhub.core.osp.ProfileExtension.Policy;
import io.osmhub.core.plan.HubIdentity;
import io.osmhub.core.plan.StoredConfig;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.resource.NullableCollections;
import io.osmhub.core.template.TemplateEngine;
import io.osmhub.core.template.language.TemplateLanguage;
import io.osmhub.tenancy.admission.AdmissionEndpoint;
import io.osmhub.tenancy.admission.AdmissionView;
import io.osmhub.tenancy.catalog.BundledProfile;
import io.osmhub.tenancy.catalog.ConfigCache.ListedConfig;
import io.osmhub.tenancy.catalog.DefaultProfileInstaller;
import io.osmhub.tenancy.catalog.ProfileController;
import io.osmhub.tenancy.catalog.ProfileReporter;
import io.osmhub.tenancy.catalog.ProfileUsageCounter;
import io.osmhub.tenancy.catalog.ProfileVerifier;
import io.osmhub.tenancy.catalog.StoredExtension;
import io.osmhub.tenancy.catalog.StoredProfile;
import io.osmhub.tenancy.connection.WorkerConnectionFactory;
import io.osmhub.tenancy.crds.InstalledDefinitions;
import io.osmhub.tenancy.kubeconfig.EgressPolicy;
import io.osmhub.tenancy.lease.WriteFence;
import io.osmhub.tenancy.management.NamespaceCache.NamespaceRecord;
import io.osmhub.tenancy.management.NamespaceEventRecorder;
import io.osmhub.tenancy.management.RenewalLoop;
import io.osmhub.tenancy.management.StoredObjectListener;
import io.osmhub.tenancy.registry.HubIdentityStore;
import io.osmhub.tenancy.registry.WorkerClusterRecord;
import io.osmhub.tenancy.settings.HubSettings;
import io.osmhub.tenancy.settings.KkpCache;
import io.osmhub.workersync.WorkerSync;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ExponentialBackoff;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.queue.WorkQueue;
import io.osmhub.workersync.reconcile.RenderExecutor;
import io.osmhub.workersync.watch.ObjectKey;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The hub: watches one management cluster and serves its tenants. Entry point of this module; its methods must not block. */
public final class Hub {
    private static final Logger LOG = LoggerFactory.getLogger(Hub.class);
    private static final ExponentialBackoff START_BACKOFF =
            new ExponentialBackoff(Duration.ofMillis(500), Duration.ofSeconds(30));
    private static final Duration UNTIL_SERVED = Duration.ofSeconds(1);
    /** Name of the WorkerCluster that represents the management cluster itself. */
    static final String LOCAL = "local";

    private final HubContext context;
    private final ManagementStores stores;
    private final ManagementEvents events;
    private final ProfileController profileController;
    private final TenantSupervisor tenantSupervisor;
    private final HubQueries queries;
    private final HubAdmission admission;
    /** Null until the management cluster was read, and with a fixed WorkerCluster. */
    private volatile @Nullable RenewalLoop startLoop;

    private volatile boolean stopped;
    /** Confined to {@link #startLoop}. */
    private boolean serving;

    /**
     * Creates a stopped hub.
     *
     * @param operatorWorkerCluster null to serve the worker clusters of kubeconfig Secrets
     * @param listeners notified about all stored objects, from the first list on
     * @param endpoint where worker clusters reach the hub's webhooks
     */
    public Hub(
            HubDependencies dependencies,
            HubSettings settings,
            @Nullable OperatorWorkerCluster operatorWorkerCluster,
            StoredObjectListeners listeners,
            AdmissionEndpoint endpoint) {
        WorkerClusterRecord fixedRecord = operatorWorkerCluster == null ? null : operatorWorkerCluster.fixedRecord();
        this.events = new ManagementEvents();
        this.stores = new ManagementStores(dependencies, settings, listeners, events, fixedRecord);
        this.context = new HubContext(dependencies, settings, stores, endpoint, operatorWorkerCluster);
        KubeApi management = dependencies.fence().ofManagement(dependencies.management());
        NamespaceEventRecorder eventRecorder = new NamespaceEventRecorder(
                management, stores.runtimeContext(), dependencies.environment().replica());
        ProfileReporter profileReporter = new ProfileReporter(
                stores.profiles(),
                stores.statuses(),
                eventRecorder,
                dependencies.fence().served());
        this.profileController = new ProfileController(
                new DefaultProfileInstaller(management, stores.profiles(), BundledProfile::all),
                profileReporter,
                fixedRecord != null
                        ? null
                        : new ProfileVerifier(
                                dependencies.previews(),
                                context.compiledProfiles(),
                                BundledProfile::hashes,
                                stores.runtimeContext().scheduler()::nanoTime),
                new ProfileUsageCounter(
                        stores.configs(),
                        profileReporter,
                        new ExtensionReporter(context, eventRecorder)::report,
                        stores.runtimeContext()),
                stores.runtimeContext(),
                dependencies.queue());
        this.tenantSupervisor = new TenantSupervisor(context, profileController, eventRecorder);
        this.queries = new HubQueryService(context, tenantSupervisor);
        this.admission = new HubAdmission(context, tenantSupervisor, queries);
    }

    /** Starts the hub; initial failures are retried. */
    public void start() {
        context.admissionEndpoint().addChangeListener(this::onLeadershipChanged);
        stores.start(this::onStoresSynced, this::onDefinitionsChanged);
    }

    private void onStoresSynced() {
        events.deliverTo(tenantSupervisor, profileController);
        LOG.info(
                "Management cluster caches synced: {} WorkerClusters",
                stores.workerClusters().all().size());
        OperatorWorkerCluster operated = context.operatorWorkerCluster();
        if (operated != null && operated.fixedRecord() != null) {
            tenantSupervisor.start();
            return;
        }
        stores.moveStatuses();
        RenewalLoop loop = new RenewalLoop(
                "Start of the hub",
                () -> START_BACKOFF,
                this::serve,
                (cause, inARow) -> LOG.atWarn()
                        .addKeyValue("cause", cause)
                        .log("Could not read the hub's identity or create WorkerCluster local, retrying"),
                stores.runtimeContext());
        startLoop = loop;
        if (!stopped) {
            loop.wake();
        }
    }

    private void onDefinitionsChanged() {
        events.onEverythingChanged();
        RenewalLoop loop = startLoop;
        if (loop != null) {
            loop.wake();
        }
    }

    private @Nullable Duration serve() throws ApiFailure {
        HubSettings settings = context.settings();
        if (!serving) {
            // Before any tenant is served: the identity decides which objects of a worker cluster are the hub's.
            context.setIdentity(readIdentity(settings.namespace()));
            stores.profiles()
                    .all()
                    .forEach(profile -> profileController.onProfileChanged(
                            new ObjectKey(profile.namespace(), profile.name()), null, profile));
            profileController.requestInstall(settings.sharedProfileNamespace());
            profileController.onUsersChanged();
            tenantSupervisor.start();
            serving = true;
        }
        if (!settings.single() || stores.workerClusters().find(settings.namespace(), LOCAL) != null) {
            return null;
        }
        if (!context.serves(settings.namespace())) {
            return UNTIL_SERVED;
        }
        stores.workerClusters().createLocal(settings.namespace(), LOCAL);
        return null;
    }

    private HubIdentity readIdentity(String namespace) throws ApiFailure {
        NamespaceRecord system = stores.namespaces().find("kube-system");
        // Not fenced: all replicas store the same.
        return new HubIdentityStore(context.dependencies().management(), namespace)
                .load(system == null ? "" : system.uid());
    }

    /**
     * Stops: starts nothing more, and running work fails at its next request. All state is in the clusters, so another process
     * can continue.
     */
    public void stop() {
        stopped = true;
        RenewalLoop loop = startLoop;
        if (loop != null) {
            loop.stop();
        }
        tenantSupervisor.stop();
        profileController.stop();
        stores.stop();
    }

    /** Applies changed settings at runtime: defaults, kubeconfig policy, selector. */
    public void settings(HubSettings changed) {
        context.setSettings(changed);
        events.onTenantsChanged();
    }

    /** Called when the served tenants or the webhooks' certificate authorities may have changed. */
    public void onLeadershipChanged() {
        if (startLoop != null) {
            stores.moveStatuses();
        }
        events.onEverythingChanged();
    }

    /** Current egress policy of a tenant's namespace. */
    public EgressPolicy egress(String namespace) {
        return context.egress(namespace);
    }

    // State

    /** Whether all initial lists are complete. */
    public boolean isReady() {
        return stores.watchHealth().isComplete();
    }

    /** Incomplete initial lists; empty once ready. */
    public List<String> missingLists() {
        return stores.watchHealth().missingLists();
    }

    /** Problem with the management cluster to report; empty if there is none. */
    public Optional<Problem> managementProblem() {
        return Optional.ofNullable(
                stores.watchHealth().problem(tenantSupervisor.all().size()));
    }

    /** Problems of definitions, and of other objects that belong to no tenant. */
    public List<InstalledDefinitions.DefinitionProblem> definitionProblems() {
        return Stream.concat(stores.definitionProblems(), unreadableObjects()).toList();
    }

    /** Those of no tenant; the others are problems of their tenants. */
    private Stream<InstalledDefinitions.DefinitionProblem> unreadableObjects() {
        return stores
                .runtimeContext()
                .unreadable()
                .find(key -> context.serves(key.namespace())
                        && tenantSupervisor.in(key.namespace()).isEmpty())
                .stream()
                .map(finding -> new InstalledDefinitions.DefinitionProblem(
                        finding.object().toString(), finding.inTenant("hub", "")));
    }

    /** Tenants of KKP; without any outside of KKP mode. */
    public KkpCache kkp() {
        return stores.kkp();
    }

    /** Problems of the tenants' namespaces that the hub has no permissions in, by namespace; those of this replica. */
    public Map<String, Problem> inaccessibleTenants() {
        return stores.access().denied();
    }

    /** Why the hub has no permissions in a namespace, by a new review; empty if it has. Blocks. */
    public Optional<Problem> reviewAccess(String namespace) throws ApiFailure {
        return stores.access().reviewNow(namespace);
    }

    /** Number of statuses waiting to be written. */
    public int statusBacklog() {
        return stores.statuses().backlog();
    }

    /** Number of cached objects of the management cluster, by kind. */
    public Map<String, Integer> cached() {
        return stores.sizes();
    }

    /** Number of extensions that can be read, by policy. */
    public Map<Policy, Integer> extensions() {
        Map<Policy, Integer> counts = new EnumMap<>(Policy.class);
        stores.extensions().all().forEach(stored -> stored.policy()
                .ifPresent(policy -> counts.merge(policy, 1, Integer::sum)));
        return counts;
    }

    /** Number of MachineDeployments published with an extension, by policy. */
    public Map<Policy, Integer> extendedMachineDeployments() {
        Map<Policy, Integer> counts = new EnumMap<>(Policy.class);
        for (StoredConfig config : stores.configs().configs()) {
            NullableCollections.stream(config.source().extensions())
                    .map(StoredExtension::keyOf)
                    .map(key -> stores.extensions().find(key.namespace(), key.name()))
                    .flatMap(stored -> stored == null ? Stream.empty() : stored.policy().stream())
                    .distinct()
                    .forEach(policy -> counts.merge(policy, 1, Integer::sum));
        }
        return counts;
    }

    /** Number of cached compiled profiles, by language. */
    public Map<TemplateLanguage, Integer> compiledProfiles() {
        return context.compiledProfiles().countByLanguage();
    }

    /** Queries about single objects, including previews. */
    public HubQueries details() {
        return queries;
    }

    /** Data for admission, about all tenants. */
    public AdmissionView admission() {
        return admission;
    }

    /** This replica's tenants by namespace and name. */
    public List<TenantView> tenants() {
        return tenantSupervisor.views();
    }

    /** Empty if this replica does not serve it. */
    public Optional<TenantView> tenant(String namespace, String name) {
        return tenantSupervisor.view(namespace, name);
    }

    /**
     * External dependencies of a hub.
     *
     * @param management the management cluster
     * @param endpoint URL of the management cluster's API server, for messages
     * @param connections opens connections to worker clusters
     * @param queue for reconciling namespaces; separate from that of {@code environment}, whose runs wait for rendering
     * @param previews renders previews and admission trials; separate from the executor of {@code environment}
     * @param fence rejects writes for tenants that this replica does not serve
     * @param observer observes everything beyond single runs
     */
    public record HubDependencies(
            KubeApi management,
            String endpoint,
            WorkerConnectionFactory connections,
            WorkerSync.SyncEnvironment environment,
            WorkQueue queue,
            RenderExecutor previews,
            Function<TemplateLanguage, TemplateEngine> engines,
            WriteFence fence,
            HubObserver observer) {}

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
