package io.osmhub.tenancy.registry;

import io.osmhub.core.problem.Problem;
import io.osmhub.tenancy.management.ManagementStore;
import io.osmhub.tenancy.management.NoopListWatchListener;
import io.osmhub.tenancy.registry.NamespaceRegistrations.SecretDiscovery;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.watch.ListWatchListener;
import io.osmhub.workersync.watch.RuntimeContext;
import io.osmhub.workersync.watch.Selection;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The Secrets of the management cluster that contain a kubeconfig. If the hub may read the Secrets of all namespaces, a few watches
 * find almost all of them: by label, by type and, if configured, by the names that other products use. Otherwise these watches
 * run in each accessible tenant namespace, except that by the hub's own type. Others that a WorkerCluster names are watched
 * individually. Thread-safe.
 */
public final class KubeconfigSecretCache {
    private final Consumer<String> changed;
    private final Function<String, ListWatchListener> listener;
    private final TenantAccess access;
    private final RuntimeContext runtimeContext;
    private final List<SecretSelection> selections = new ArrayList<>();
    private final Map<String, NamespaceWatches> namespaces = new ConcurrentHashMap<>();
    /** Watches of all namespaces; empty while only some are accessible. */
    private volatile List<ManagementStore<KubeconfigSecret>> wide = List.of();

    private final Object lock = new Object();
    private List<ListWatchListener> wideListeners = List.of();
    private @Nullable KubeApi managementApi;

    /**
     * Secrets that may register a worker cluster.
     *
     * @param namespacePrefix only in such namespaces
     * @param suffix of their names; others may contain keys of certificate authorities and are never cached
     * @param ownType written by the hub: found by the WorkerClusters that name them where namespaces are watched individually
     */
    private record SecretSelection(
            String parameter, String selector, String namespacePrefix, String suffix, boolean ownType) {
        Selection in(String namespace) {
            return new Selection(Resource.SECRETS, namespace, Map.of(parameter, selector));
        }

        String displayName() {
            return parameter.equals("labelSelector") ? "label " + selector : selector;
        }
    }

    /** The watches of one namespace. {@code common} is null until the namespace is watched on its own. */
    private static final class NamespaceWatches {
        volatile @Nullable List<ManagementStore<KubeconfigSecret>> common;
        volatile boolean suspended;
        final Map<String, ManagementStore<KubeconfigSecret>> named = new ConcurrentHashMap<>();

        Stream<ManagementStore<KubeconfigSecret>> all() {
            List<ManagementStore<KubeconfigSecret>> own = common;
            return Stream.concat(own == null ? Stream.empty() : own.stream(), named.values().stream());
        }
    }

    /**
     * Creates a cache without watches.
     *
     * @param changed receives the namespace of each change; must not block
     * @param listener creates the listener of a watch of all namespaces, by its displayed selector
     */
    public KubeconfigSecretCache(
            SecretDiscovery discovery,
            TenantAccess access,
            Consumer<String> changed,
            Function<String, ListWatchListener> listener,
            RuntimeContext runtimeContext) {
        this.access = access;
        this.changed = changed;
        this.listener = listener;
        this.runtimeContext = runtimeContext;
        selections.add(new SecretSelection("labelSelector", KubeconfigSecret.LABEL, "", "", false));
        selections.add(field("type=" + KubeconfigSecret.OWN_TYPE, "", "", true));
        if (!discovery.kkp().isEmpty()) {
            selections.add(field("metadata.name=" + discovery.kkp(), KubeconfigSecret.KKP_NAMESPACE_PREFIX, "", false));
        }
        if (discovery.clusterApi()) {
            selections.add(
                    field("type=" + KubeconfigSecret.CLUSTER_API_TYPE, "", KubeconfigSecret.CLUSTER_API_SUFFIX, false));
        }
    }

    private static SecretSelection field(String selector, String namespacePrefix, String suffix, boolean ownType) {
        return new SecretSelection("fieldSelector", selector, namespacePrefix, suffix, ownType);
    }

    private ManagementStore<KubeconfigSecret> watch(
            Selection selection, String suffix, ListWatchListener watchListener) {
        return new ManagementStore<>(
                selection,
                object -> object.path("metadata").path("name").asText().endsWith(suffix)
                        ? KubeconfigSecret.of(object)
                        : null,
                (key, before, after, origin) -> changed.accept(key.namespace()),
                watchListener,
                runtimeContext);
    }

    public void start(KubeApi with) {
        synchronized (lock) {
            managementApi = with;
        }
    }

    /** Watches all namespaces with a few watches, or each tenant namespace with its own. Forgets what was read before. */
    public void setScope(boolean everywhere) {
        synchronized (lock) {
            wide.forEach(ManagementStore::close);
            wideListeners.forEach(ListWatchListener::onRecovered);
            namespaces.values().forEach(watches -> watches.all().forEach(ManagementStore::close));
            namespaces.clear();
            wideListeners = everywhere
                    ? selections.stream()
                            .map(selection -> listener.apply(selection.displayName()))
                            .toList()
                    : List.of();
            List<ManagementStore<KubeconfigSecret>> watches = new ArrayList<>();
            for (int i = 0; i < wideListeners.size(); i++) {
                SecretSelection selection = selections.get(i);
                watches.add(watch(selection.in(""), selection.suffix(), new WideListener(wideListeners.get(i))));
            }
            wide = List.copyOf(watches);
            if (managementApi != null) {
                KubeApi with = managementApi;
                wide.forEach(watch -> watch.start(with));
            }
        }
    }

    public void stop() {
        synchronized (lock) {
            managementApi = null;
            wide.forEach(ManagementStore::stop);
            namespaces.values().forEach(watches -> watches.all().forEach(ManagementStore::stop));
        }
    }

    /** Whether the watches of all namespaces are synced, or it is known which namespaces to watch. */
    public boolean isSynced() {
        List<ManagementStore<KubeconfigSecret>> watches = wide;
        return watches.isEmpty() ? access.areBindingsSynced() : watches.stream().allMatch(ManagementStore::isSynced);
    }

    /** Watches the Secrets of an accessible namespace: those with these names, and those that register a worker cluster. */
    public void watch(String namespace, Set<String> names) {
        synchronized (lock) {
            NamespaceWatches watches = namespaces.computeIfAbsent(namespace, added -> new NamespaceWatches());
            if (watches.common == null && wide.isEmpty()) {
                watches.common = selections.stream()
                        .filter(selection -> !selection.ownType() && namespace.startsWith(selection.namespacePrefix()))
                        .map(selection ->
                                started(watch(selection.in(namespace), selection.suffix(), listenerIn(namespace))))
                        .toList();
            }
            if (watches.suspended) {
                watches.suspended = false;
                watches.all().forEach(this::started);
            }
            Set<String> wanted = new HashSet<>(names);
            wanted.removeIf(name -> common(watches).stream().anyMatch(watch -> watch.find(namespace, name) != null));
            watches.named.entrySet().removeIf(entry -> {
                boolean unwanted = !wanted.contains(entry.getKey());
                if (unwanted) {
                    entry.getValue().close();
                }
                return unwanted;
            });
            wanted.forEach(name -> watches.named.computeIfAbsent(
                    name,
                    added -> started(watch(
                            Selection.where(Resource.SECRETS, namespace, "metadata.name=" + name),
                            "",
                            listenerIn(namespace)))));
        }
    }

    private ManagementStore<KubeconfigSecret> started(ManagementStore<KubeconfigSecret> watch) {
        if (managementApi != null) {
            watch.start(managementApi);
        }
        return watch;
    }

    /** The namespace is not accessible: keeps what was read, because the Secrets still exist. */
    public void suspend(String namespace) {
        synchronized (lock) {
            NamespaceWatches watches = namespaces.get(namespace);
            if (watches != null) {
                watches.suspended = true;
                watches.all().forEach(ManagementStore::stop);
            }
        }
    }

    /** This replica serves no tenant in the namespace. */
    public void forget(String namespace) {
        synchronized (lock) {
            NamespaceWatches watches = namespaces.remove(namespace);
            if (watches != null) {
                watches.all().forEach(ManagementStore::close);
            }
        }
    }

    /** Reports a forbidden request, so that the permissions are reviewed. */
    private NoopListWatchListener listenerIn(String namespace) {
        return new NoopListWatchListener() {
            @Override
            public void onSynced() {
                changed.accept(namespace);
            }

            @Override
            public void onAccessDenied(ApiFailure failure) {
                if (failure.isForbidden()) {
                    access.onForbidden(namespace);
                }
            }
        };
    }

    /** Forwards everything; a forbidden request also causes a review of where Secrets are accessible. */
    private final class WideListener extends NoopListWatchListener {
        private final ListWatchListener reportingListener;

        WideListener(ListWatchListener reportingListener) {
            this.reportingListener = reportingListener;
        }

        @Override
        public void onSynced() {
            reportingListener.onSynced();
        }

        @Override
        public void onFailed(ApiFailure failure, int inARow) {
            reportingListener.onFailed(failure, inARow);
        }

        @Override
        public void onAccessDenied(ApiFailure failure) {
            reportingListener.onAccessDenied(failure);
            if (failure.isForbidden()) {
                access.onForbiddenEverywhere();
            }
        }

        @Override
        public void onRecovered() {
            reportingListener.onRecovered();
        }
    }

    /** Why an existing Secret cannot be read, of which no version is known; null if it can, or does not exist. */
    public @Nullable Problem unreadable(String namespace, String name) {
        return find(namespace, name) != null
                ? null
                : all(namespace)
                        .map(watch -> watch.unreadable(namespace, name))
                        .filter(Objects::nonNull)
                        .findFirst()
                        .orElse(null);
    }

    /** Whether it is known if the Secret exists, and its content. */
    public boolean isKnown(String namespace, String name) {
        NamespaceWatches watches = namespaces.get(namespace);
        List<ManagementStore<KubeconfigSecret>> common = common(watches);
        ManagementStore<KubeconfigSecret> own = watches == null ? null : watches.named.get(name);
        return isSynced()
                && unreadable(namespace, name) == null
                && !common.isEmpty()
                && common.stream().allMatch(ManagementStore::isSynced)
                && (own == null ? find(namespace, name) != null : own.isSynced());
    }

    /** Null if it does not exist or is not watched. */
    public @Nullable KubeconfigSecret find(String namespace, String name) {
        return in(namespace).stream()
                .filter(secret -> secret.name().equals(name))
                .findFirst()
                .orElse(null);
    }

    /** All watched Secrets of a namespace. */
    public Collection<KubeconfigSecret> in(String namespace) {
        Map<String, KubeconfigSecret> secrets = new HashMap<>();
        all(namespace).forEach(watch -> watch.in(namespace)
                .values()
                .forEach(secret ->
                        secrets.merge(secret.name(), secret, (known, one) -> isLater(one, known) ? one : known)));
        return secrets.values();
    }

    /** Namespaces that have one. */
    public Set<String> namespaces() {
        Set<String> found = new HashSet<>();
        wide.forEach(watch -> watch.keys().forEach(key -> found.add(key.namespace())));
        found.addAll(namespaces.keySet());
        return found;
    }

    /** The watches that several Secrets of a namespace may be in: its own, or those of all namespaces. */
    private List<ManagementStore<KubeconfigSecret>> common(@Nullable NamespaceWatches watches) {
        List<ManagementStore<KubeconfigSecret>> own = watches == null ? null : watches.common;
        return own == null ? wide : own;
    }

    private Stream<ManagementStore<KubeconfigSecret>> all(String namespace) {
        NamespaceWatches watches = namespaces.get(namespace);
        return Stream.concat(
                common(watches).stream(), watches == null ? Stream.empty() : watches.named.values().stream());
    }

    /** A Secret may be in two watches, of which one delivers a change first. */
    private static boolean isLater(KubeconfigSecret one, KubeconfigSecret other) {
        String version = one.head().resourceVersion();
        String known = other.head().resourceVersion();
        return version.length() != known.length() ? version.length() > known.length() : version.compareTo(known) > 0;
    }
}
