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
    /** Up to here the list and the watch have told everything; empty before the first list. */
    private String reached = "";
    /** Memory of the objects. */
    private long bytes;

    /** How often the watch has said that an object is gone. */
    private int goings;

    public ObjectCache(Changes<T> changes) {
        this.changes = changes;
    }

    public synchronized @Nullable T get(ObjectKey key) {
        Seen<T> seen = objects.get(key);
        return seen == null ? null : seen.object();
    }

    /** Null when there is no object, as far as is known. */
    public synchronized @Nullable String uid(ObjectKey key) {
        Seen<T> seen = objects.get(key);
        return seen == null ? null : seen.uid();
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

    /** Memory that the objects take, about. */
    synchronized long bytes() {
        return bytes;
    }

    /** As {@link #bytes}, once this is in the place of what there is of its name. */
    synchronized long bytesWith(Seen<T> seen) {
        Seen<T> known = objects.get(seen.key());
        return bytes + KeptMemory.bytes(seen) - (known == null ? 0 : KeptMemory.bytes(known));
    }

    private void remove(Seen<T> known) {
        objects.remove(known.key());
        bytes -= KeptMemory.bytes(known);
    }

    /**
     * Takes in the answer to a create, an update or a patch. The watch may have been faster than the answer, even in telling that
     * somebody else has deleted the object meanwhile: then it stays gone.
     */
    public synchronized void written(Seen<T> seen) {
        Seen<T> known = objects.get(seen.key());
        boolean same = known != null && known.uid().equals(seen.uid());
        if (same || !seen.isToldBy(reached)) {
            put(seen, Origin.WRITTEN);
        }
    }

    /** For {@link #found}: to be asked before the question. */
    public synchronized int goings() {
        return goings;
    }

    /**
     * Takes in the answer to a read of one object, which this selection may not have: it is not expected from the watch.
     *
     * @param before {@link #goings} before it was asked for
     * @return false if some object has gone meanwhile: whether it was this one, only another read tells
     */
    public synchronized boolean found(Seen<T> seen, int before) {
        if (goings != before && !objects.containsKey(seen.key())) {
            return false;
        }
        put(seen, Origin.WRITTEN);
        return true;
    }

    /** The watch has told everything up to that version, and said nothing with it. */
    synchronized void reached(String resourceVersion) {
        reached = resourceVersion;
    }

    /** The hub deleted the object with that UID, or found it gone. */
    public synchronized void deleted(ObjectKey key, String uid) {
        Seen<T> known = objects.get(key);
        if (known != null && known.uid().equals(uid)) {
            remove(known);
            deleted.put(key, uid);
            changes.changed(key, known.object(), null, Origin.WRITTEN);
        }
    }

    /** Forgets everything, without telling anybody. */
    public synchronized void clear() {
        objects.clear();
        bytes = 0;
        deleted.clear();
        reached = "";
    }

    synchronized void put(Seen<T> seen, Origin origin) {
        ObjectKey key = seen.key();
        if (origin == Origin.WATCHED) {
            reached = seen.resourceVersion();
        }
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
                remove(known);
                changes.changed(key, known.object(), null, origin);
            }
            return;
        }
        bytes = bytesWith(seen);
        objects.put(key, seen);
        changes.changed(key, known == null ? null : known.object(), seen.object(), origin);
    }

    /** The watch says that an object is gone. */
    synchronized void gone(Seen<T> last) {
        goings++;
        reached = last.resourceVersion();
        ObjectKey key = last.key();
        deleted.remove(key, last.uid());
        Seen<T> known = objects.get(key);
        // A younger object of that name may be here already, from the hub's own write.
        if (known != null
                && (known.uid().equals(last.uid()) || !Seen.isOlder(last.resourceVersion(), known.resourceVersion()))) {
            remove(known);
            changes.changed(key, known.object(), null, Origin.WATCHED);
        }
    }

    /** Takes in a whole list: what is not in it is gone, unless the hub wrote it after the list was made. */
    synchronized void replace(Collection<Seen<T>> listed, String resourceVersion) {
        Map<ObjectKey, Seen<T>> wanted = HashMap.newHashMap(listed.size());
        listed.forEach(seen -> wanted.put(seen.key(), seen));
        for (Seen<T> known : List.copyOf(objects.values())) {
            if (!wanted.containsKey(known.key()) && !Seen.isOlder(resourceVersion, known.resourceVersion())) {
                remove(known);
                changes.changed(known.key(), known.object(), null, Origin.LISTED);
            }
        }
        // What was deleted before this list was made is not in it; what is in it was there when it was made.
        deleted.keySet().removeIf(key -> !wanted.containsKey(key));
        listed.forEach(seen -> put(seen, Origin.LISTED));
        reached = resourceVersion;
        goings++;
    }
}
