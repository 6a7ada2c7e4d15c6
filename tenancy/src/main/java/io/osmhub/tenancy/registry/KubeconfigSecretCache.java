package io.osmhub.tenancy.registry;

import io.osmhub.tenancy.registry.NamespaceRegistrations.SecretDiscovery;
import io.osmhub.tenancy.watch.ManagementInformer;
import io.osmhub.tenancy.watch.NoopListWatchListener;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.watch.ListWatchListener;
import io.osmhub.workersync.watch.ObjectKey;
import io.osmhub.workersync.watch.RuntimeContext;
import io.osmhub.workersync.watch.Selection;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The Secrets of the management cluster that contain a kubeconfig. A few watches find almost all of them: by label, by type and,
 * if configured, by the names that other products use; others that a WorkerCluster names are watched individually. Thread-safe.
 */
public final class KubeconfigSecretCache {
    private final Consumer<String> changed;
    private final RuntimeContext around;
    private final List<ManagementInformer<KubeconfigSecret>> wide = new ArrayList<>();
    private final Map<ObjectKey, ManagementInformer<KubeconfigSecret>> named = new HashMap<>();
    private @Nullable KubeApi management;

    /**
     * @param changed receives the namespace of each change; must not block
     * @param listener creates the listener of a watch by label, type or name
     */
    public KubeconfigSecretCache(
            SecretDiscovery discovery,
            Consumer<String> changed,
            Function<String, ListWatchListener> listener,
            RuntimeContext around) {
        this.changed = changed;
        this.around = around;
        wide.add(watch(
                Selection.labelled(Resource.SECRETS, "", KubeconfigSecret.LABEL),
                "",
                listener.apply("label " + KubeconfigSecret.LABEL)));
        wide.add(where("type=" + KubeconfigSecret.OWN_TYPE, "", listener));
        if (discovery.kkp()) {
            wide.add(where("metadata.name=" + KubeconfigSecret.KKP_NAME, "", listener));
        }
        if (discovery.clusterApi()) {
            // Other Secrets of this type contain keys of certificate authorities: they are never cached.
            wide.add(where("type=" + KubeconfigSecret.CLUSTER_API_TYPE, KubeconfigSecret.CLUSTER_API_SUFFIX, listener));
        }
    }

    private ManagementInformer<KubeconfigSecret> where(
            String field, String suffix, Function<String, ListWatchListener> listener) {
        return watch(Selection.where(Resource.SECRETS, "", field), suffix, listener.apply(field));
    }

    private ManagementInformer<KubeconfigSecret> watch(Selection selection, String suffix, ListWatchListener listener) {
        return new ManagementInformer<>(
                selection,
                object -> object.path("metadata").path("name").asText().endsWith(suffix)
                        ? KubeconfigSecret.of(object)
                        : null,
                (key, before, after, origin) -> changed.accept(key.namespace()),
                listener,
                around);
    }

    public void start(KubeApi with) {
        synchronized (named) {
            management = with;
            wide.forEach(watch -> watch.start(with));
            named.values().forEach(watch -> watch.start(with));
        }
    }

    public void stop() {
        synchronized (named) {
            management = null;
            wide.forEach(ManagementInformer::stop);
            named.values().forEach(ManagementInformer::stop);
        }
    }

    /** Whether the watches by label and type are synced. */
    public boolean isSynced() {
        return wide.stream().allMatch(ManagementInformer::isSynced);
    }

    /** Sets the Secrets of a namespace to watch by name. */
    public void watchNames(String namespace, Set<String> names) {
        Set<ObjectKey> wanted = new HashSet<>();
        for (String name : names) {
            if (wide.stream().noneMatch(watch -> watch.find(namespace, name) != null)) {
                wanted.add(new ObjectKey(namespace, name));
            }
        }
        synchronized (named) {
            named.entrySet().removeIf(entry -> {
                boolean unwanted = entry.getKey().namespace().equals(namespace) && !wanted.contains(entry.getKey());
                if (unwanted) {
                    entry.getValue().stop();
                }
                return unwanted;
            });
            wanted.forEach(key -> named.computeIfAbsent(key, this::watchByName));
        }
    }

    private ManagementInformer<KubeconfigSecret> watchByName(ObjectKey key) {
        NoopListWatchListener listener = new NoopListWatchListener() {
            @Override
            public void onSynced() {
                changed.accept(key.namespace());
            }
        };
        ManagementInformer<KubeconfigSecret> watch =
                watch(Selection.where(Resource.SECRETS, key.namespace(), "metadata.name=" + key.name()), "", listener);
        if (management != null) {
            watch.start(management);
        }
        return watch;
    }

    /** Whether it is known if the Secret exists. */
    public boolean isKnown(String namespace, String name) {
        synchronized (named) {
            ManagementInformer<KubeconfigSecret> own = named.get(new ObjectKey(namespace, name));
            return isSynced() && (own == null ? find(namespace, name) != null : own.isSynced());
        }
    }

    /** Null if it does not exist or is not watched. */
    public @Nullable KubeconfigSecret find(String namespace, String name) {
        KubeconfigSecret latest = null;
        for (ManagementInformer<KubeconfigSecret> watch : all()) {
            KubeconfigSecret one = watch.find(namespace, name);
            if (one != null && (latest == null || isLater(one, latest))) {
                latest = one;
            }
        }
        return latest;
    }

    /** All watched Secrets of a namespace. */
    public Collection<KubeconfigSecret> in(String namespace) {
        Map<String, KubeconfigSecret> secrets = new HashMap<>();
        for (ManagementInformer<KubeconfigSecret> watch : all()) {
            watch.in(namespace)
                    .values()
                    .forEach(secret ->
                            secrets.merge(secret.name(), secret, (known, one) -> isLater(one, known) ? one : known));
        }
        return secrets.values();
    }

    /** Namespaces that have one. */
    public Set<String> namespaces() {
        Set<String> namespaces = new HashSet<>();
        for (ManagementInformer<KubeconfigSecret> watch : all()) {
            watch.keys().forEach(key -> namespaces.add(key.namespace()));
        }
        return namespaces;
    }

    private List<ManagementInformer<KubeconfigSecret>> all() {
        List<ManagementInformer<KubeconfigSecret>> all = new ArrayList<>(wide);
        synchronized (named) {
            all.addAll(named.values());
        }
        return all;
    }

    /** A Secret may be in two watches, of which one delivers a change first. */
    private static boolean isLater(KubeconfigSecret one, KubeconfigSecret other) {
        String version = one.head().resourceVersion();
        String known = other.head().resourceVersion();
        return version.length() != known.length() ? version.length() > known.length() : version.compareTo(known) > 0;
    }
}
