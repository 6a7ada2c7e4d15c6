package io.osmhub.tenancy.settings;

import io.osmhub.core.cluster.ObjectLookup;
import io.osmhub.core.problem.Finding;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.Unreachable;
import io.osmhub.tenancy.watch.ManagementWatch;
import io.osmhub.tenancy.watch.QuietListener;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.watch.Selection;
import io.osmhub.workersync.watch.Surroundings;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The Secrets and ConfigMaps that one tenant's settings name, each watched by its name and no other. Nothing of the namespace
 * beside them is ever read. Safe for use by many threads.
 */
public final class ReferencedObjects implements ObjectLookup {
    private final KubeApi management;
    private final Surroundings around;
    private final Runnable changed;
    private final Map<ObjectReference, ManagementWatch<ReferencedObject>> watches = new HashMap<>();
    private boolean closed;

    /** @param changed called when anything may be different: the answers below are to be asked for again */
    public ReferencedObjects(KubeApi management, Runnable changed, Surroundings around) {
        this.management = management;
        this.changed = changed;
        this.around = around;
    }

    /** Watches these and no others from now on. */
    void want(Set<ObjectReference> wanted) {
        synchronized (watches) {
            if (closed) {
                return;
            }
            watches.entrySet().removeIf(entry -> {
                boolean unwanted = !wanted.contains(entry.getKey());
                if (unwanted) {
                    entry.getValue().stop();
                }
                return unwanted;
            });
            for (ObjectReference reference : wanted) {
                if (!watches.containsKey(reference)) {
                    ManagementWatch<ReferencedObject> watch = watch(reference);
                    watches.put(reference, watch);
                    watch.start(management);
                }
            }
        }
    }

    private ManagementWatch<ReferencedObject> watch(ObjectReference reference) {
        return new ManagementWatch<>(
                new Selection(
                        reference.kind(),
                        reference.namespace(),
                        Map.of("fieldSelector", "metadata.name=" + reference.name())),
                object -> ReferencedObject.of(reference.kind(), object),
                (key, before, after, origin) -> {
                    if (after == null || !after.equals(before)) {
                        changed.run();
                    }
                },
                new Listener(),
                around);
    }

    /** Nothing is watched any more. */
    public void close() {
        synchronized (watches) {
            closed = true;
            watches.values().forEach(ManagementWatch::stop);
            watches.clear();
        }
    }

    @Override
    public @Nullable Secret secret(String namespace, String name) {
        ReferencedObject object = find(new ObjectReference(Resource.SECRETS, namespace, name));
        return object == null ? null : new Secret(namespace, name, object.type(), object.data());
    }

    @Override
    public @Nullable Map<String, String> configMap(String namespace, String name) {
        ReferencedObject object = find(new ObjectReference(Resource.CONFIG_MAPS, namespace, name));
        return object == null ? null : object.data();
    }

    /** Keys of a Secret whose values are no text. */
    SortedSet<String> unreadable(String namespace, String name) {
        ReferencedObject object = find(new ObjectReference(Resource.SECRETS, namespace, name));
        return object == null ? new TreeSet<>() : object.unreadable();
    }

    /** @throws Unreachable while it is not known whether the object is there */
    private @Nullable ReferencedObject find(ObjectReference reference) {
        ManagementWatch<ReferencedObject> watch;
        synchronized (watches) {
            watch = watches.get(reference);
        }
        if (watch == null) {
            return null;
        }
        if (!watch.isSynced()) {
            throw new Unreachable(new Finding(
                    Reason.InitialSyncPending.word(),
                    "",
                    "",
                    reference.kind().plural() + " " + reference.namespace() + "/" + reference.name() + " not read yet",
                    ""));
        }
        return watch.find(reference.namespace(), reference.name());
    }

    /** Only the end of the first list is news: a watch that fails is begun again by itself. */
    private final class Listener extends QuietListener {
        @Override
        public void synced() {
            changed.run();
        }
    }

    List<ObjectReference> watched() {
        synchronized (watches) {
            return List.copyOf(watches.keySet());
        }
    }
}
