package io.osmhub.tenancy.settings;

import io.osmhub.core.cluster.ObjectLookup;
import io.osmhub.core.problem.ProblemFinding;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.Unreachable;
import io.osmhub.tenancy.watch.ManagementInformer;
import io.osmhub.tenancy.watch.NoopListWatchListener;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.watch.RuntimeContext;
import io.osmhub.workersync.watch.Selection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The Secrets and ConfigMaps that one tenant's settings reference, each watched by name. Reads nothing else of the namespace.
 * Thread-safe.
 */
public final class ReferencedObjectCache implements ObjectLookup {
    private final KubeApi management;
    private final RuntimeContext around;
    private final Runnable changed;
    private final Map<ObjectReference, ManagementInformer<ReferencedObject>> watches = new HashMap<>();
    private boolean closed;

    /** @param changed called when any object may have changed: read again */
    public ReferencedObjectCache(KubeApi management, Runnable changed, RuntimeContext around) {
        this.management = management;
        this.changed = changed;
        this.around = around;
    }

    /** Sets the objects to watch. */
    void setReferences(Set<ObjectReference> wanted) {
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
                    ManagementInformer<ReferencedObject> watch = watch(reference);
                    watches.put(reference, watch);
                    watch.start(management);
                }
            }
        }
    }

    private ManagementInformer<ReferencedObject> watch(ObjectReference reference) {
        return new ManagementInformer<>(
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

    /** Stops all watches. */
    public void close() {
        synchronized (watches) {
            closed = true;
            watches.values().forEach(ManagementInformer::stop);
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

    /** Keys of a Secret whose values are not valid UTF-8. */
    SortedSet<String> unreadable(String namespace, String name) {
        ReferencedObject object = find(new ObjectReference(Resource.SECRETS, namespace, name));
        return object == null ? new TreeSet<>() : object.unreadable();
    }

    /** @throws Unreachable while it is unknown whether the object exists */
    private @Nullable ReferencedObject find(ObjectReference reference) {
        ManagementInformer<ReferencedObject> watch;
        synchronized (watches) {
            watch = watches.get(reference);
        }
        if (watch == null) {
            return null;
        }
        if (!watch.isSynced()) {
            throw new Unreachable(new ProblemFinding(
                    Reason.InitialSyncPending.wireName(),
                    "",
                    "",
                    reference.kind().plural() + " " + reference.namespace() + "/" + reference.name() + " not read yet",
                    ""));
        }
        return watch.find(reference.namespace(), reference.name());
    }

    /** Only the end of the first list matters: a failed watch restarts on its own. */
    private final class Listener extends NoopListWatchListener {
        @Override
        public void onSynced() {
            changed.run();
        }
    }

    List<ObjectReference> watched() {
        synchronized (watches) {
            return List.copyOf(watches.keySet());
        }
    }
}
