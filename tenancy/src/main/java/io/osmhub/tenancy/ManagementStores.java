package io.osmhub.tenancy;

import io.osmhub.core.problem.Problem;
import io.osmhub.core.resource.ShippedDefinition;
import io.osmhub.tenancy.Hub.HubDependencies;
import io.osmhub.tenancy.Hub.StoredObjectListeners;
import io.osmhub.tenancy.catalog.ConfigCache;
import io.osmhub.tenancy.catalog.ExtensionCache;
import io.osmhub.tenancy.catalog.ProfileCache;
import io.osmhub.tenancy.crds.DefinitionController;
import io.osmhub.tenancy.crds.InstalledDefinitions;
import io.osmhub.tenancy.management.ManagementStore;
import io.osmhub.tenancy.management.ManagementStore.StoreListeners;
import io.osmhub.tenancy.management.ManagementWatchHealth;
import io.osmhub.tenancy.management.NamespaceCache;
import io.osmhub.tenancy.management.NoopListWatchListener;
import io.osmhub.tenancy.management.StatusWriter;
import io.osmhub.tenancy.management.StatusWriter.StatusPace;
import io.osmhub.tenancy.registry.KubeconfigSecretCache;
import io.osmhub.tenancy.registry.TenantAccess;
import io.osmhub.tenancy.registry.WorkerClusterRecord;
import io.osmhub.tenancy.registry.WorkerClusterStore;
import io.osmhub.tenancy.settings.HubSettings;
import io.osmhub.tenancy.settings.KkpCache;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.watch.ListWatchListener;
import io.osmhub.workersync.watch.RuntimeContext;
import io.osmhub.workersync.watch.UnreadableObjects;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The objects of the management cluster, and the statuses that are written to them. With a fixed WorkerCluster only profiles and
 * OperatingSystemConfigs of its namespace are read; the other stores stay empty. Thread-safe.
 */
final class ManagementStores {
    private final HubDependencies dependencies;
    private final @Nullable WorkerClusterRecord fixedRecord;
    private final ManagementEvents events;
    private final RuntimeContext runtimeContext;
    private final ManagementWatchHealth watchHealth;
    private final DefinitionController definitions;
    private final NamespaceCache namespaces;
    private final ProfileCache profiles;
    private final ExtensionCache extensions;
    private final ConfigCache configs;
    private final WorkerClusterStore workerClusters;
    private final TenantAccess access;
    private final KubeconfigSecretCache secrets;
    private final KkpCache kkp;
    private final StatusWriter statuses;

    /**
     * @param listeners receive the stored objects
     * @param events receives the changes
     * @param fixedRecord the only WorkerCluster, which is not stored; null to read those that are
     */
    ManagementStores(
            HubDependencies dependencies,
            HubSettings settings,
            StoredObjectListeners listeners,
            ManagementEvents events,
            @Nullable WorkerClusterRecord fixedRecord) {
        this.dependencies = dependencies;
        this.fixedRecord = fixedRecord;
        this.events = events;
        KubeApi management = dependencies.fence().ofManagement(dependencies.management());
        RuntimeContext runtimeContext = dependencies
                .environment()
                .runtimeContext()
                .reportingTo(new UnreadableObjects(key -> events.onTenantChanged(key.namespace())));
        this.runtimeContext = runtimeContext;
        ManagementWatchHealth health = new ManagementWatchHealth(runtimeContext.scheduler(), dependencies.endpoint());
        this.watchHealth = health;
        this.definitions = new DefinitionController(dependencies.management(), settings.installCrds(), runtimeContext);
        DefinitionController installed = definitions;
        String namespace = fixedRecord == null ? "" : fixedRecord.namespace();
        this.namespaces = new NamespaceCache(
                StoreListeners.of(events::onNamespaceChanged, hubListener("namespaces")), runtimeContext);
        this.profiles = new ProfileCache(
                namespace,
                namespaces::offersProfiles,
                () -> installed.installed().hasStatusSubresource(ShippedDefinition.OPERATING_SYSTEM_PROFILES),
                new StoreListeners<>(
                        events::onProfileChanged, listeners.profiles(), health.listener("operatingsystemprofiles")),
                runtimeContext);
        this.extensions = new ExtensionCache(
                installed::installed,
                StoreListeners.of(
                        events::onExtensionChanged,
                        new ManagementStore.AbsenceListener(
                                hubListener("operatingsystemprofileextensions"), events::onExtensionsReadable, true)),
                runtimeContext);
        this.configs = new ConfigCache(
                namespace,
                () -> installed.installed().hasStatusSubresource(ShippedDefinition.OPERATING_SYSTEM_CONFIGS),
                new StoreListeners<>(
                        events::onConfigChanged, listeners.configs(), health.listener("operatingsystemconfigs")),
                runtimeContext);
        this.workerClusters = new WorkerClusterStore(
                management,
                fixedRecord,
                new StoreListeners<>(
                        events::onWorkerClusterChanged, listeners.workerClusters(), hubListener("workerclusters")),
                runtimeContext);
        this.access = new TenantAccess(
                dependencies.management(),
                events::onTenantChanged,
                () -> health.listener("rolebindings " + TenantAccess.ROLE),
                runtimeContext);
        this.secrets = new KubeconfigSecretCache(
                settings.discovery(),
                access,
                events::onTenantChanged,
                selector -> health.listener("secrets with " + selector),
                runtimeContext);
        this.kkp = new KkpCache(settings.kkpNamespace(), events::onTenantChanged, health::listener, runtimeContext);
        this.statuses = new StatusWriter(
                management,
                new StatusPace(
                        settings.statusesPerSecond(),
                        dependencies.environment().runDependencies().queue()::isChangeWaiting),
                dependencies.fence().mayWrite(),
                dependencies.fence().served(),
                dependencies.observer()::onStatusDelayed,
                runtimeContext);
    }

    /** For what is not read with a fixed WorkerCluster. */
    private ListWatchListener hubListener(String watch) {
        return fixedRecord == null ? watchHealth.listener(watch) : NoopListWatchListener.INSTANCE;
    }

    /**
     * @param synced called once, when everything was read; must not block
     * @param definitionsChanged called when other definitions are installed
     */
    void start(Runnable synced, Runnable definitionsChanged) {
        watchHealth.start(this::areSynced, synced);
        if (fixedRecord == null) {
            // Definitions first, because stored objects depend on them.
            definitions.start(this::startAll, () -> {
                profiles.onDefinitionChanged();
                extensions.onDefinitionChanged();
                events.onExtensionsReadable();
                configs.onDefinitionChanged();
                definitionsChanged.run();
            });
        } else {
            runtimeContext.blockingExecutor().execute(this::startFixed);
        }
    }

    private void startFixed() {
        if (definitions.readOnce()) {
            profiles.start(dependencies.management());
            configs.start(dependencies.management());
        }
    }

    private void startAll() {
        KubeApi management = dependencies.management();
        namespaces.start(management);
        profiles.start(management);
        extensions.start(management);
        configs.start(management);
        workerClusters.start();
        secrets.start(management);
        access.start(secrets::setScope, events::onTenantsChanged);
        kkp.start(management);
    }

    void stop() {
        definitions.stop();
        statuses.close();
        namespaces.stop();
        profiles.stop();
        extensions.stop();
        configs.stop();
        workerClusters.stop();
        access.stop();
        secrets.stop();
        kkp.stop();
    }

    /** Writes the statuses that were stored before the definitions changed to where they belong now. */
    void moveStatuses() {
        statuses.moveToPlace(profiles);
        statuses.moveToPlace(extensions);
        statuses.moveToPlace(configs);
    }

    private boolean areSynced() {
        return profiles.isSynced()
                && configs.isSynced()
                && (fixedRecord != null || extensions.isKnown())
                && (fixedRecord != null
                        || namespaces.isSynced() && workerClusters.isSynced() && secrets.isSynced() && kkp.isSynced());
    }

    /** Whether the only WorkerCluster is not stored. */
    boolean isFixed() {
        return fixedRecord != null;
    }

    /** Reports unreadable objects of the management cluster. */
    RuntimeContext runtimeContext() {
        return runtimeContext;
    }

    ManagementWatchHealth watchHealth() {
        return watchHealth;
    }

    NamespaceCache namespaces() {
        return namespaces;
    }

    ProfileCache profiles() {
        return profiles;
    }

    ExtensionCache extensions() {
        return extensions;
    }

    ConfigCache configs() {
        return configs;
    }

    WorkerClusterStore workerClusters() {
        return workerClusters;
    }

    TenantAccess access() {
        return access;
    }

    KubeconfigSecretCache secrets() {
        return secrets;
    }

    /** Tenants of KKP; without any outside of KKP mode. */
    KkpCache kkp() {
        return kkp;
    }

    /** Labels by which extensions select a tenant; those of KKP cannot be set by the tenant. */
    Map<String, String> labels(WorkerClusterRecord record) {
        Map<String, String> labels = new HashMap<>(record.head().labels());
        Stream.ofNullable(kkp.tenant(record.namespace())).forEach(tenant -> labels.putAll(tenant.labels()));
        return labels;
    }

    StatusWriter statuses() {
        return statuses;
    }

    /** Problems of definitions and of KKP's kinds. */
    Stream<InstalledDefinitions.DefinitionProblem> definitionProblems() {
        return Stream.concat(definitions.installed().problems().stream(), kkp.problems().stream());
    }

    /** Why objects of a namespace cannot be read. */
    List<Problem> unreadable(String namespace) {
        return runtimeContext.unreadable().find(key -> key.namespace().equals(namespace));
    }

    /** Number of cached objects, by kind. */
    Map<String, Integer> sizes() {
        return Map.of(
                "namespaces", namespaces.all().size(),
                "operatingsystemprofiles", profiles.all().size(),
                "operatingsystemprofileextensions", extensions.all().size(),
                "workerclusters", workerClusters.all().size(),
                "operatingsystemconfigs", configs.keys().size());
    }
}
