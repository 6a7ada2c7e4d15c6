package io.osmhub.tenancy.settings;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.ProblemObject;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.settings.SettingsLayer;
import io.osmhub.tenancy.crds.InstalledDefinitions.DefinitionProblem;
import io.osmhub.tenancy.management.ManagementStore;
import io.osmhub.tenancy.management.ManagementStore.AbsenceListener;
import io.osmhub.tenancy.settings.KkpTenant.ReducedCluster;
import io.osmhub.tenancy.settings.SettingsResolver.OwnSettings;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.watch.ListWatchListener;
import io.osmhub.workersync.watch.RuntimeContext;
import io.osmhub.workersync.watch.Selection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * KKP's objects in the management cluster, and the tenants that follow from them, by namespace. A kind that the management cluster
 * does not serve counts as having no objects; one that served objects before keeps them. Thread-safe.
 */
public final class KkpCache {
    /** KKP names the namespace of a control plane after the Cluster. */
    private static final String NAMESPACE_PREFIX = "cluster-";

    private final Consumer<String> changeListener;
    private final RuntimeContext runtimeContext;
    private final Map<Resource, ManagementStore<?>> stores = new LinkedHashMap<>();
    private final @Nullable ManagementStore<ReducedCluster> clusterStore;
    private final @Nullable ManagementStore<JsonNode> seedStore;
    private final @Nullable ManagementStore<JsonNode> configurationStore;
    private final AtomicBoolean notifying = new AtomicBoolean();
    /** Set without a lock: by watches, which hold one that {@link #tenants} acquires. */
    private final AtomicBoolean stale = new AtomicBoolean(true);

    private Inputs inputs = new Inputs(List.of(), null);
    private Map<String, KkpTenant> tenants = Map.of();
    /** The tenants of the last notification. */
    private Map<String, KkpTenant> notified = Map.of();

    /** What all tenants depend on. */
    private record Inputs(List<JsonNode> seeds, @Nullable JsonNode configuration) {}

    /**
     * @param namespace of Seeds and the KubermaticConfiguration; empty without KKP
     * @param changeListener receives the namespace of each tenant whose settings or state changed; must not block
     * @param listener creates the listener of the watch of a kind
     */
    public KkpCache(
            String namespace,
            Consumer<String> changeListener,
            Function<String, ListWatchListener> listener,
            RuntimeContext runtimeContext) {
        this.changeListener = changeListener;
        this.runtimeContext = runtimeContext;
        if (namespace.isEmpty()) {
            this.clusterStore = null;
            this.seedStore = null;
            this.configurationStore = null;
            return;
        }
        this.clusterStore = watch(Resource.KKP_CLUSTERS, "", ReducedCluster::of, listener);
        this.seedStore = watch(Resource.KKP_SEEDS, namespace, KkpTenant.Reducer::seed, listener);
        this.configurationStore =
                watch(Resource.KKP_CONFIGURATIONS, namespace, KkpTenant.Reducer::configuration, listener);
    }

    private <T> ManagementStore<T> watch(
            Resource resource,
            String namespace,
            Function<JsonNode, @Nullable T> reduce,
            Function<String, ListWatchListener> listener) {
        ManagementStore<T> store = new ManagementStore<>(
                Selection.all(resource, namespace),
                reduce,
                (key, before, after, origin) -> {
                    // Statuses change all the time, what settings depend on rarely.
                    if (!Objects.equals(before, after)) {
                        invalidate();
                    }
                },
                new AbsenceListener(listener.apply(definition(resource)), () -> invalidate(), false),
                runtimeContext);
        stores.put(resource, store);
        return store;
    }

    private static String definition(Resource resource) {
        return resource.plural() + "." + resource.group();
    }

    public void start(KubeApi management) {
        stores.values().forEach(store -> store.start(management));
    }

    public void stop() {
        stores.values().forEach(ManagementStore::stop);
    }

    /** Whether each kind is listed or known to be absent. */
    public boolean isSynced() {
        return stores.values().stream().allMatch(ManagementStore::isKnown);
    }

    /** Kinds that the management cluster does not serve. */
    public List<DefinitionProblem> problems() {
        return stores.entrySet().stream()
                .filter(entry -> entry.getValue().isAbsent())
                .map(entry -> definition(entry.getKey()))
                .map(definition -> new DefinitionProblem(definition, Reason.KKPKindMissing.with("crd", definition)))
                .toList();
    }

    // Tenants

    /** The tenant whose control plane is in a namespace; null if KKP has none there. */
    public @Nullable KkpTenant tenant(String namespace) {
        return tenants().get(namespace);
    }

    /**
     * The settings that KKP's objects give a tenant.
     *
     * @param registered whether KKP registered the tenant, so that it must not be rendered without its Cluster
     */
    public OwnSettings settings(String namespace, boolean registered) {
        KkpTenant tenant = tenant(namespace);
        if (tenant != null) {
            return tenant.settings();
        }
        Problem unreadable = clusterStore == null || !namespace.startsWith(NAMESPACE_PREFIX)
                ? null
                : clusterStore.unreadable("", namespace.substring(NAMESPACE_PREFIX.length()));
        if (unreadable != null && registered) {
            return new OwnSettings(SettingsLayer.EMPTY, List.of(unreadable));
        }
        return clusterStore == null || !registered
                ? OwnSettings.of(SettingsLayer.EMPTY)
                : new OwnSettings(
                        SettingsLayer.EMPTY,
                        List.of(new Problem(
                                Reason.SettingsInvalid,
                                ProblemObject.of("Cluster", ""),
                                "status.namespaceName",
                                "no Cluster of kubermatic.k8c.io has namespace " + namespace
                                        + (clusterStore.isAbsent() ? ", the kind is not served" : ""),
                                "restore the Cluster, or delete the WorkerCluster")));
    }

    private void invalidate() {
        stale.set(true);
        if (notifying.compareAndSet(false, true)) {
            runtimeContext.blockingExecutor().execute(this::notifyChanges);
        }
    }

    private void notifyChanges() {
        notifying.set(false);
        Set<String> affected = new HashSet<>();
        synchronized (this) {
            Map<String, KkpTenant> now = tenants();
            Map<String, KkpTenant> before = notified;
            affected.addAll(now.keySet());
            affected.addAll(before.keySet());
            affected.removeIf(namespace -> Objects.equals(before.get(namespace), now.get(namespace)));
            notified = now;
        }
        affected.forEach(changeListener);
    }

    /** Derived when it is needed, so that a caller never sees objects of different ages. */
    private synchronized Map<String, KkpTenant> tenants() {
        if (clusterStore == null || seedStore == null || configurationStore == null || !stale.getAndSet(false)) {
            return tenants;
        }
        Inputs now = new Inputs(
                List.copyOf(seedStore.all()),
                configurationStore.all().stream()
                        .min(Comparator.comparing(
                                object -> object.at("/metadata/name").asText()))
                        .orElse(null));
        boolean same = now.equals(inputs);
        inputs = now;
        Map<String, KkpTenant> derived = new HashMap<>();
        clusterStore.all().stream()
                .filter(cluster -> !cluster.namespace().isEmpty())
                .sorted(Comparator.comparing(ReducedCluster::name))
                .forEach(cluster -> {
                    KkpTenant known = tenants.get(cluster.namespace());
                    derived.putIfAbsent(
                            cluster.namespace(),
                            same && known != null && known.cluster().equals(cluster)
                                    ? known
                                    : KkpTenant.of(cluster, now.seeds(), now.configuration()));
                });
        tenants = Map.copyOf(derived);
        return tenants;
    }
}
