package io.osmhub.tenancy.settings;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.ProblemObject;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.settings.SettingsLayer;
import io.osmhub.tenancy.crds.InstalledDefinitions.DefinitionProblem;
import io.osmhub.tenancy.management.ManagementStore;
import io.osmhub.tenancy.settings.KkpTenant.ReducedCluster;
import io.osmhub.tenancy.settings.SettingsResolver.OwnSettings;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.watch.ListWatchListener;
import io.osmhub.workersync.watch.RuntimeContext;
import io.osmhub.workersync.watch.Selection;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
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
    private final List<KkpWatch<?>> watches = new ArrayList<>();
    private final @Nullable KkpWatch<ReducedCluster> clusterWatch;
    private final @Nullable KkpWatch<JsonNode> seedWatch;
    private final @Nullable KkpWatch<JsonNode> configurationWatch;
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
            this.clusterWatch = null;
            this.seedWatch = null;
            this.configurationWatch = null;
            return;
        }
        this.clusterWatch = new KkpWatch<>(Resource.KKP_CLUSTERS, "", ReducedCluster::of, listener);
        this.seedWatch = new KkpWatch<>(Resource.KKP_SEEDS, namespace, KkpTenant.Reducer::seed, listener);
        this.configurationWatch =
                new KkpWatch<>(Resource.KKP_CONFIGURATIONS, namespace, KkpTenant.Reducer::configuration, listener);
        watches.addAll(List.of(clusterWatch, seedWatch, configurationWatch));
    }

    /** Watches one kind. */
    private final class KkpWatch<T> {
        private final Resource resource;
        private final ManagementStore<T> managementStore;
        private volatile boolean absent;

        KkpWatch(
                Resource resource,
                String namespace,
                Function<JsonNode, @Nullable T> reduce,
                Function<String, ListWatchListener> listener) {
            this.resource = resource;
            this.managementStore = ManagementStore.optional(
                    Selection.all(resource, namespace),
                    ManagementStore.reducing(reduce),
                    (key, before, after, origin) -> {
                        // Statuses change all the time, what settings depend on rarely.
                        if (!Objects.equals(before, after)) {
                            invalidate();
                        }
                    },
                    new AbsenceListener(listener.apply(resource.plural() + "." + resource.group())),
                    runtimeContext);
        }

        boolean isKnown() {
            return absent || managementStore.isSynced();
        }

        /** A kind that is not served is a state, not a failure. */
        private final class AbsenceListener implements ListWatchListener {
            private final ListWatchListener listener;

            AbsenceListener(ListWatchListener listener) {
                this.listener = listener;
            }

            @Override
            public void onSynced() {
                absent = false;
                invalidate();
                listener.onSynced();
            }

            @Override
            public void onFailed(ApiFailure failure, int inARow) {
                if (!failure.isNotFound()) {
                    listener.onFailed(failure, inARow);
                } else if (!absent) {
                    absent = true;
                    invalidate();
                    listener.onRecovered();
                    listener.onSynced();
                }
            }

            @Override
            public void onAccessDenied(ApiFailure failure) {
                listener.onAccessDenied(failure);
            }

            @Override
            public void onShortWatches(int inARow) {
                listener.onShortWatches(inARow);
            }

            @Override
            public void onRecovered() {
                absent = false;
                listener.onRecovered();
            }

            @Override
            public void onRestarted(RestartReason why) {
                listener.onRestarted(why);
            }
        }
    }

    public void start(KubeApi management) {
        watches.forEach(watch -> watch.managementStore.start(management));
    }

    public void stop() {
        watches.forEach(watch -> watch.managementStore.stop());
    }

    /** Whether each kind is listed or known to be absent. */
    public boolean isSynced() {
        return watches.stream().allMatch(KkpWatch::isKnown);
    }

    /** Kinds that the management cluster does not serve. */
    public List<DefinitionProblem> problems() {
        return watches.stream()
                .filter(watch -> watch.absent)
                .map(watch -> watch.resource.plural() + "." + watch.resource.group())
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
        Problem unreadable = clusterWatch == null || !namespace.startsWith(NAMESPACE_PREFIX)
                ? null
                : clusterWatch.managementStore.unreadable("", namespace.substring(NAMESPACE_PREFIX.length()));
        if (unreadable != null && registered) {
            return new OwnSettings(SettingsLayer.EMPTY, List.of(unreadable));
        }
        return clusterWatch == null || !registered
                ? OwnSettings.of(SettingsLayer.EMPTY)
                : new OwnSettings(
                        SettingsLayer.EMPTY,
                        List.of(new Problem(
                                Reason.SettingsInvalid,
                                ProblemObject.of("Cluster", ""),
                                "status.namespaceName",
                                "no Cluster of kubermatic.k8c.io has namespace " + namespace
                                        + (clusterWatch.absent ? ", the kind is not served" : ""),
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
        if (clusterWatch == null || seedWatch == null || configurationWatch == null || !stale.getAndSet(false)) {
            return tenants;
        }
        Inputs now = new Inputs(
                List.copyOf(seedWatch.managementStore.all()),
                configurationWatch.managementStore.all().stream()
                        .min(Comparator.comparing(
                                object -> object.at("/metadata/name").asText()))
                        .orElse(null));
        boolean same = now.equals(inputs);
        inputs = now;
        Map<String, KkpTenant> derived = new HashMap<>();
        clusterWatch.managementStore.all().stream()
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
