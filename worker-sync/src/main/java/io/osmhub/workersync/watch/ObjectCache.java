package io.osmhub.workersync.watch;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The reduced objects of one selection. Responses to the hub's writes are stored at once, so that the next read includes them
 * before the watch delivers them; events older than the cache are ignored. Thread-safe.
 */
public final class ObjectCache<T> {
    /** Called on the thread that made the change, under the cache's lock; must not block. */
    @FunctionalInterface
    public interface CacheChangeListener<T> {
        /**
         * An object changed or was seen again.
         *
         * @param before null if it did not exist
         * @param after null if it was deleted
         */
        void onChanged(ObjectKey key, @Nullable T before, @Nullable T after, Origin origin);
    }

    /** Source of a change. */
    public enum Origin {
        LISTED,
        WATCHED,
        /** The response to the hub's own write. */
        WRITTEN
    }

    private final CacheChangeListener<T> changes;
    private final Map<ObjectKey, ObservedObject<T>> objects = new HashMap<>();
    /** UIDs of objects that the hub deleted, until the watch confirms it: late events about them are ignored. */
    private final Map<ObjectKey, String> deleted = new HashMap<>(0);
    /** The list and the watch are complete up to this version; empty before the first list. */
    private String reached = "";
    /** Memory of the objects. */
    private long bytes;

    /** Number of deletions reported by the watch. */
    private int deletionCount;

    public ObjectCache(CacheChangeListener<T> changes) {
        this.changes = changes;
    }

    public synchronized @Nullable T get(ObjectKey key) {
        ObservedObject<T> seen = objects.get(key);
        return seen == null ? null : seen.object();
    }

    /** Returns null if the object is not cached. */
    public synchronized @Nullable String uid(ObjectKey key) {
        ObservedObject<T> seen = objects.get(key);
        return seen == null ? null : seen.uid();
    }

    public synchronized List<T> all() {
        List<T> all = new ArrayList<>(objects.size());
        for (ObservedObject<T> seen : objects.values()) {
            if (seen.object() != null) {
                all.add(seen.object());
            }
        }
        return all;
    }

    public synchronized List<ObjectKey> keys() {
        return List.copyOf(objects.keySet());
    }

    public synchronized int size() {
        return objects.size();
    }

    /** Approximate memory of the objects. */
    synchronized long bytes() {
        return bytes;
    }

    /** As {@link #bytes}, after storing this object. */
    synchronized long bytesWith(ObservedObject<T> seen) {
        ObservedObject<T> known = objects.get(seen.key());
        return bytes + CacheMemory.bytes(seen) - (known == null ? 0 : CacheMemory.bytes(known));
    }

    private void remove(ObservedObject<T> known) {
        objects.remove(known.key());
        bytes -= CacheMemory.bytes(known);
    }

    /**
     * Stores the response to a create, an update or a patch, unless the watch has already delivered something newer, including
     * the object's deletion.
     */
    public synchronized void putWritten(ObservedObject<T> seen) {
        ObservedObject<T> known = objects.get(seen.key());
        boolean same = known != null && known.uid().equals(seen.uid());
        if (same || !seen.isCoveredBy(reached)) {
            put(seen, Origin.WRITTEN);
        }
    }

    /** For {@link #putIfUnchanged}; read it before sending the request. */
    public synchronized int deletionCount() {
        return deletionCount;
    }

    /**
     * Stores the response to a read of one object outside this selection, which the watch does not deliver.
     *
     * @param before {@link #deletionCount} before the request
     * @return false if any object was deleted meanwhile: read again to find out whether it was this one
     */
    public synchronized boolean putIfUnchanged(ObservedObject<T> seen, int before) {
        if (deletionCount != before && !objects.containsKey(seen.key())) {
            return false;
        }
        put(seen, Origin.WRITTEN);
        return true;
    }

    /** The watch is complete up to this version. */
    synchronized void reached(String resourceVersion) {
        reached = resourceVersion;
    }

    /** The hub deleted the object with this UID, or found it deleted. */
    public synchronized void deleted(ObjectKey key, String uid) {
        ObservedObject<T> known = objects.get(key);
        if (known != null && known.uid().equals(uid)) {
            remove(known);
            deleted.put(key, uid);
            changes.onChanged(key, known.object(), null, Origin.WRITTEN);
        }
    }

    /** Clears the cache without notifying the listener. */
    public synchronized void clear() {
        objects.clear();
        bytes = 0;
        deleted.clear();
        reached = "";
    }

    synchronized void put(ObservedObject<T> seen, Origin origin) {
        ObjectKey key = seen.key();
        if (origin == Origin.WATCHED) {
            reached = seen.resourceVersion();
        }
        if (origin != Origin.WRITTEN && seen.uid().equals(deleted.get(key))) {
            return;
        }
        ObservedObject<T> known = objects.get(key);
        if (known != null && known.uid().equals(seen.uid())) {
            if (known.resourceVersion().equals(seen.resourceVersion())) {
                if (origin == Origin.WRITTEN) {
                    // The watch was faster than the response.
                    changes.onChanged(key, known.object(), known.object(), origin);
                }
                return;
            }
            if (ObservedObject.isOlder(seen.resourceVersion(), known.resourceVersion())) {
                return;
            }
        }
        if (seen.object() == null) {
            if (known != null) {
                remove(known);
                changes.onChanged(key, known.object(), null, origin);
            }
            return;
        }
        bytes = bytesWith(seen);
        objects.put(key, seen);
        changes.onChanged(key, known == null ? null : known.object(), seen.object(), origin);
    }

    /** The watch reports that an object was deleted. */
    synchronized void removeGone(ObservedObject<T> last) {
        deletionCount++;
        reached = last.resourceVersion();
        ObjectKey key = last.key();
        deleted.remove(key, last.uid());
        ObservedObject<T> known = objects.get(key);
        // A newer object of that name may be cached already, from the hub's own write.
        if (known != null
                && (known.uid().equals(last.uid())
                        || !ObservedObject.isOlder(last.resourceVersion(), known.resourceVersion()))) {
            remove(known);
            changes.onChanged(key, known.object(), null, Origin.WATCHED);
        }
    }

    /** Replaces everything with a list; keeps objects that the hub wrote after the list was made. */
    synchronized void replace(Collection<ObservedObject<T>> listed, String resourceVersion) {
        Map<ObjectKey, ObservedObject<T>> wanted = HashMap.newHashMap(listed.size());
        listed.forEach(seen -> wanted.put(seen.key(), seen));
        for (ObservedObject<T> known : List.copyOf(objects.values())) {
            if (!wanted.containsKey(known.key()) && !ObservedObject.isOlder(resourceVersion, known.resourceVersion())) {
                remove(known);
                changes.onChanged(known.key(), known.object(), null, Origin.LISTED);
            }
        }
        // The list decides: objects deleted before it are absent from it, and objects in it exist.
        deleted.keySet().removeIf(key -> !wanted.containsKey(key));
        listed.forEach(seen -> put(seen, Origin.LISTED));
        reached = resourceVersion;
        deletionCount++;
    }
}
