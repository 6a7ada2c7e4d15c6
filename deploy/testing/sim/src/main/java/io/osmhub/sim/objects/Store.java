package io.osmhub.sim.objects;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The etcd of one simulated cluster: objects by kind and key, one revision counter, a bounded history for watches. A read-modify-write
 * runs under {@link #runLocked}; watchers are notified under the same lock, in order of revisions, and must not block. Thread-safe.
 */
public final class Store {
    // Real revisions are rarely small; this reveals code that treats small numbers specially.
    private static final long FIRST_REVISION = 100;

    private final ReentrantLock lock = new ReentrantLock();
    private final Map<ResourceKey, NavigableMap<String, StoredObject>> tables = new HashMap<>();
    private final Map<ResourceKey, Set<Consumer<StoreEvent>>> watchers = new HashMap<>();
    private final List<Consumer<StoreEvent>> observers = new ArrayList<>();
    private final Deque<StoreEvent> history = new ArrayDeque<>();
    private final int historyEvents;
    private final long historyBytes;
    private long bytesInHistory;
    private long revision = FIRST_REVISION;
    private long compactedTo = FIRST_REVISION - 1;

    /** Both parameters limit the history of past changes. */
    public Store(int historyEvents, long historyBytes) {
        this.historyEvents = historyEvents;
        this.historyBytes = historyBytes;
    }

    /** Runs a step atomically. */
    public <T extends @Nullable Object> T runLocked(Supplier<T> step) {
        lock.lock();
        try {
            return step.get();
        } finally {
            lock.unlock();
        }
    }

    /** The revision of the last change. */
    public long revision() {
        return runLocked(() -> revision);
    }

    /** The oldest revision from which a watch can start. */
    public long compactedTo() {
        return runLocked(() -> compactedTo);
    }

    /** Null if there is none. */
    public @Nullable StoredObject get(ResourceKey resource, String namespace, String name) {
        return runLocked(() -> {
            NavigableMap<String, StoredObject> table = tables.get(resource);
            return table == null ? null : table.get(key(namespace, name));
        });
    }

    /** The objects of a kind after a key (exclusive; empty for all), in key order; an empty namespace means all. */
    public Collection<StoredObject> listAfter(ResourceKey resource, String namespace, String key) {
        return runLocked(() -> {
            NavigableMap<String, StoredObject> table = tables.get(resource);
            if (table == null) {
                return List.of();
            }
            String from = namespace.isEmpty() || key.compareTo(namespace + "/") > 0 ? key : namespace + "/";
            if (namespace.isEmpty()) {
                return new ArrayList<>(table.tailMap(from, false).values());
            }
            // '0' follows '/', so this ends after the last name in the namespace.
            String to = namespace + "0";
            return from.compareTo(to) >= 0
                    ? List.of()
                    : new ArrayList<>(table.subMap(from, false, to, false).values());
        });
    }

    public Collection<StoredObject> all(ResourceKey resource) {
        return listAfter(resource, "", "");
    }

    /** All objects of a kind at a past revision, in key order; null if it is older than the history. */
    public @Nullable Collection<StoredObject> at(ResourceKey resource, long past) {
        return runLocked(() -> {
            if (past < compactedTo) {
                return null;
            }
            NavigableMap<String, StoredObject> then = new TreeMap<>(tables.getOrDefault(resource, new TreeMap<>()));
            for (StoreEvent event : history.reversed()) {
                if (event.revision() <= past) {
                    break;
                }
                if (event.resource().equals(resource)) {
                    String key = key(event.object().namespace(), event.object().name());
                    if (event.previous() == null) {
                        then.remove(key);
                    } else {
                        then.put(key, event.previous());
                    }
                }
            }
            return then.values();
        });
    }

    /** The kinds that have objects. */
    public Set<ResourceKey> kinds() {
        return runLocked(() -> {
            Set<ResourceKey> kinds = new LinkedHashSet<>();
            tables.forEach((key, table) -> {
                if (!table.isEmpty()) {
                    kinds.add(key);
                }
            });
            return kinds;
        });
    }

    /** Creates or replaces an object at the next revision, which is also written to the tree. */
    public StoredObject put(ResourceKey resource, ObjectNode tree) {
        return runLocked(() -> {
            StoredObject object = next(tree);
            StoredObject previous = tables.computeIfAbsent(resource, _ -> new TreeMap<>())
                    .put(key(object.namespace(), object.name()), object);
            StoreEvent.Type type = previous == null ? StoreEvent.Type.ADDED : StoreEvent.Type.MODIFIED;
            record(new StoreEvent(resource, type, object, previous));
            return object;
        });
    }

    /** Removes an object; {@code tree} is its last state. */
    public StoredObject remove(ResourceKey resource, ObjectNode tree) {
        return runLocked(() -> {
            StoredObject object = next(tree);
            NavigableMap<String, StoredObject> table = tables.computeIfAbsent(resource, _ -> new TreeMap<>());
            StoredObject previous = table.remove(key(object.namespace(), object.name()));
            record(new StoreEvent(resource, StoreEvent.Type.DELETED, object, previous));
            return object;
        });
    }

    /**
     * Notifies a watcher of every change of a kind after a revision: of past ones before this returns, of later ones as they happen.
     *
     * @return ends the watch; null if the revision is older than the history
     */
    public @Nullable Runnable watch(ResourceKey resource, long afterRevision, Consumer<StoreEvent> watcher) {
        return runLocked(() -> {
            if (afterRevision < compactedTo) {
                return null;
            }
            for (StoreEvent event : history) {
                if (event.revision() > afterRevision && event.resource().equals(resource)) {
                    watcher.accept(event);
                }
            }
            watchers.computeIfAbsent(resource, _ -> new LinkedHashSet<>()).add(watcher);
            return (Runnable) () -> runLocked(() -> {
                Set<Consumer<StoreEvent>> rest = watchers.get(resource);
                return rest != null && rest.remove(watcher);
            });
        });
    }

    /** Notifies an observer of every later change of any kind, under the lock, for the life of the store. */
    public void observe(Consumer<StoreEvent> observer) {
        runLocked(() -> observers.add(observer));
    }

    /** Discards the history, as etcd does every few minutes: watches cannot start from older revisions. */
    public void compact() {
        runLocked(() -> {
            history.clear();
            bytesInHistory = 0;
            compactedTo = revision;
            return compactedTo;
        });
    }

    public static String key(String namespace, String name) {
        return namespace.isEmpty() ? name : namespace + "/" + name;
    }

    private StoredObject next(ObjectNode tree) {
        revision++;
        JsonTrees.child(tree, "metadata").put("resourceVersion", Long.toString(revision));
        return StoredObject.of(tree, revision);
    }

    private void record(StoreEvent event) {
        history.addLast(event);
        bytesInHistory += weight(event);
        while (history.size() > historyEvents || (bytesInHistory > historyBytes && history.size() > 1)) {
            StoreEvent oldest = history.removeFirst();
            bytesInHistory -= weight(oldest);
            compactedTo = oldest.revision();
        }
        Set<Consumer<StoreEvent>> interested = watchers.get(event.resource());
        if (interested != null) {
            List.copyOf(interested).forEach(watcher -> watcher.accept(event));
        }
        observers.forEach(observer -> observer.accept(event));
    }

    // Current objects are in the tables anyway; only the history holds previous states.
    private static long weight(StoreEvent event) {
        StoredObject previous = event.previous();
        long before = previous == null ? 0 : previous.body().length;
        return before
                + (event.type() == StoreEvent.Type.DELETED ? event.object().body().length : 0);
    }

    /** One change. {@code previous} is null for a new object. A deletion has the last state at the revision of the deletion. */
    public record StoreEvent(
            ResourceKey resource,
            Type type,
            StoredObject object,
            @Nullable StoredObject previous) {
        public enum Type {
            ADDED,
            MODIFIED,
            DELETED
        }

        public long revision() {
            return object.revision();
        }
    }
}
