package io.osmhub.workersync.watch;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The objects of one selection, reduced. What the hub wrote is put in from the write's answer, so that the next look sees it
 * before the watch brings it; an event that is older than what is here is passed over. Safe for use by many threads.
 */
public final class ObjectCache<T> {
    /** Hears of each change, on the thread that brought it, under the cache's lock: it must hand over and return. */
    @FunctionalInterface
    public interface Changes<T> {
        /**
         * One object is another now, or was seen again.
         *
         * @param before null when there was none
         * @param after null when there is none any more
         */
        void changed(ObjectKey key, @Nullable T before, @Nullable T after, Origin origin);
    }

    /** Who brought a change. */
    public enum Origin {
        LISTED,
        WATCHED,
        /** The hub itself, from the answer to a write. */
        WRITTEN
    }

    private final Changes<T> changes;
    private final Map<ObjectKey, Seen<T>> objects = new HashMap<>();
    /** UIDs of objects that the hub deleted, until the watch says so: late events of theirs are about nothing. */
    private final Map<ObjectKey, String> deleted = new HashMap<>(0);

    public ObjectCache(Changes<T> changes) {
        this.changes = changes;
    }

    public synchronized @Nullable T get(ObjectKey key) {
        Seen<T> seen = objects.get(key);
        return seen == null ? null : seen.object();
    }

    public synchronized List<T> all() {
        List<T> all = new ArrayList<>(objects.size());
        for (Seen<T> seen : objects.values()) {
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

    /** Takes in the answer to a create, an update or a patch. */
    public synchronized void written(Seen<T> seen) {
        put(seen, Origin.WRITTEN);
    }

    /** The hub deleted the object with that UID. */
    public synchronized void deleted(ObjectKey key, String uid) {
        Seen<T> known = objects.get(key);
        if (known != null && known.uid().equals(uid)) {
            objects.remove(key);
            deleted.put(key, uid);
            changes.changed(key, known.object(), null, Origin.WRITTEN);
        }
    }

    /** The object is not there, whatever was seen of it before. */
    public synchronized void missing(ObjectKey key) {
        Seen<T> known = objects.get(key);
        if (known != null) {
            deleted(key, known.uid());
        }
    }

    /** Forgets everything, without telling anybody. */
    public synchronized void clear() {
        objects.clear();
        deleted.clear();
    }

    synchronized void put(Seen<T> seen, Origin origin) {
        ObjectKey key = seen.key();
        if (origin != Origin.WRITTEN && seen.uid().equals(deleted.get(key))) {
            return;
        }
        Seen<T> known = objects.get(key);
        if (known != null && known.uid().equals(seen.uid())) {
            if (known.resourceVersion().equals(seen.resourceVersion())) {
                if (origin == Origin.WRITTEN) {
                    // The watch was faster than the answer.
                    changes.changed(key, known.object(), known.object(), origin);
                }
                return;
            }
            if (Seen.isOlder(seen.resourceVersion(), known.resourceVersion())) {
                return;
            }
        }
        if (seen.object() == null) {
            if (known != null) {
                objects.remove(key);
                changes.changed(key, known.object(), null, origin);
            }
            return;
        }
        objects.put(key, seen);
        changes.changed(key, known == null ? null : known.object(), seen.object(), origin);
    }

    /** The watch says that an object is gone. */
    synchronized void gone(Seen<T> last) {
        ObjectKey key = last.key();
        deleted.remove(key, last.uid());
        Seen<T> known = objects.get(key);
        // A younger object of that name may be here already, from the hub's own write.
        if (known != null
                && (known.uid().equals(last.uid()) || !Seen.isOlder(last.resourceVersion(), known.resourceVersion()))) {
            objects.remove(key);
            changes.changed(key, known.object(), null, Origin.WATCHED);
        }
    }

    /** Takes in a whole list: what is not in it is gone, unless the hub wrote it after the list was made. */
    synchronized void replace(Collection<Seen<T>> listed, String resourceVersion) {
        Map<ObjectKey, Seen<T>> wanted = HashMap.newHashMap(listed.size());
        listed.forEach(seen -> wanted.put(seen.key(), seen));
        for (Seen<T> known : List.copyOf(objects.values())) {
            if (!wanted.containsKey(known.key()) && !Seen.isOlder(resourceVersion, known.resourceVersion())) {
                objects.remove(known.key());
                changes.changed(known.key(), known.object(), null, Origin.LISTED);
            }
        }
        // What was deleted before this list was made is not in it; what is in it was there when it was made.
        deleted.keySet().removeIf(key -> !wanted.containsKey(key));
        listed.forEach(seen -> put(seen, Origin.LISTED));
    }
}
