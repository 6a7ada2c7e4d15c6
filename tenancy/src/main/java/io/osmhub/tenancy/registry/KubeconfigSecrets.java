package io.osmhub.tenancy.registry;

import io.osmhub.tenancy.watch.ManagementWatch;
import io.osmhub.tenancy.watch.QuietListener;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.watch.ObjectKey;
import io.osmhub.workersync.watch.Selection;
import io.osmhub.workersync.watch.Surroundings;
import io.osmhub.workersync.watch.WatchListener;
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
 * The Secrets of the management cluster that hold a kubeconfig. Few watches find almost all of them: by label, by type and, on
 * request, by the names that other products use; only what a WorkerCluster names beside those is watched by its own name. Safe
 * for use by many threads.
 */
public final class KubeconfigSecrets {
    private final Consumer<String> changed;
    private final Surroundings around;
    private final List<ManagementWatch<KubeconfigSecret>> wide = new ArrayList<>();
    private final Map<ObjectKey, ManagementWatch<KubeconfigSecret>> named = new HashMap<>();
    private @Nullable KubeApi management;

    /**
     * Watches nothing yet.
     *
     * @param changed gets the namespace in which something changed; hands over and returns
     * @param listener of a watch that finds Secrets by label, type or name, by what tells it from the others
     */
    public KubeconfigSecrets(
            Discovery discovery,
            Consumer<String> changed,
            Function<String, WatchListener> listener,
            Surroundings around) {
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
            // Other Secrets of this type hold keys of certificate authorities: they are passed over, never remembered.
            wide.add(where("type=" + KubeconfigSecret.CLUSTER_API_TYPE, KubeconfigSecret.CLUSTER_API_SUFFIX, listener));
        }
    }

    private ManagementWatch<KubeconfigSecret> where(
            String field, String suffix, Function<String, WatchListener> listener) {
        return watch(Selection.where(Resource.SECRETS, "", field), suffix, listener.apply(field));
    }

    private ManagementWatch<KubeconfigSecret> watch(Selection selection, String suffix, WatchListener listener) {
        return new ManagementWatch<>(
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
            wide.forEach(ManagementWatch::stop);
            named.values().forEach(ManagementWatch::stop);
        }
    }

    /** What is found by label and type is known. */
    public boolean isSynced() {
        return wide.stream().allMatch(ManagementWatch::isSynced);
    }

    /** Watches these Secrets of a namespace as well, and no other by name. */
    public void want(String namespace, Set<String> names) {
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

    private ManagementWatch<KubeconfigSecret> watchByName(ObjectKey key) {
        QuietListener listener = new QuietListener() {
            @Override
            public void synced() {
                changed.accept(key.namespace());
            }
        };
        ManagementWatch<KubeconfigSecret> watch =
                watch(Selection.where(Resource.SECRETS, key.namespace(), "metadata.name=" + key.name()), "", listener);
        if (management != null) {
            watch.start(management);
        }
        return watch;
    }

    /** Whether it is known if there is such a Secret. */
    public boolean isKnown(String namespace, String name) {
        synchronized (named) {
            ManagementWatch<KubeconfigSecret> own = named.get(new ObjectKey(namespace, name));
            return isSynced() && (own == null ? find(namespace, name) != null : own.isSynced());
        }
    }

    /** Null when there is none, or none that is watched. */
    public @Nullable KubeconfigSecret find(String namespace, String name) {
        KubeconfigSecret latest = null;
        for (ManagementWatch<KubeconfigSecret> watch : all()) {
            KubeconfigSecret one = watch.find(namespace, name);
            if (one != null && (latest == null || isLater(one, latest))) {
                latest = one;
            }
        }
        return latest;
    }

    /** All that are watched in a namespace. */
    public Collection<KubeconfigSecret> in(String namespace) {
        Map<String, KubeconfigSecret> secrets = new HashMap<>();
        for (ManagementWatch<KubeconfigSecret> watch : all()) {
            watch.in(namespace)
                    .values()
                    .forEach(secret ->
                            secrets.merge(secret.name(), secret, (known, one) -> isLater(one, known) ? one : known));
        }
        return secrets.values();
    }

    /** Namespaces that hold one. */
    public Set<String> namespaces() {
        Set<String> namespaces = new HashSet<>();
        for (ManagementWatch<KubeconfigSecret> watch : all()) {
            watch.keys().forEach(key -> namespaces.add(key.namespace()));
        }
        return namespaces;
    }

    private List<ManagementWatch<KubeconfigSecret>> all() {
        List<ManagementWatch<KubeconfigSecret>> all = new ArrayList<>(wide);
        synchronized (named) {
            all.addAll(named.values());
        }
        return all;
    }

    /** One Secret may be in two watches, of which one hears of a change first. */
    private static boolean isLater(KubeconfigSecret one, KubeconfigSecret other) {
        String version = one.head().resourceVersion();
        String known = other.head().resourceVersion();
        return version.length() != known.length() ? version.length() > known.length() : version.compareTo(known) > 0;
    }
}
