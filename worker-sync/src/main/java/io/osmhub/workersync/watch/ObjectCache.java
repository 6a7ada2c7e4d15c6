package io.osmhub.workersync.watch;

import io.osmhub.core.problem.Problem;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Predicate;
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
         * An object changed or was seen again. Both versions are null if it exists, but no version of it could be read.
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
    /** Receives each object that became unreadable, or is no longer; under the cache's lock. */
    private Consumer<ObjectKey> unreadable = key -> {};

    private final Map<ObjectKey, ObservedObject<T>> objects = new HashMap<>();
    /** Objects that the hub deleted, until the watch or a later list confirms it: late events about them are ignored. */
    private final Map<ObjectKey, OwnDeletion> deleted = new HashMap<>(0);

    /** Responses that the watch has not confirmed yet, numbered in the order of the hub's changes. */
    private final Map<ObjectKey, Long> unconfirmed = new HashMap<>(0);

    private long ownChangeCount;
    /** {@link #ownChangeCount} at the latest bookmark. */
    private long bookmarked;

    /** The list and the watch are complete up to this version; empty before the first list. */
    private String reached = "";
    /** Memory of the objects. */
    private long bytes;

    /** Number of deletions reported by the watch. */
    private int deletionCount;

    /** @param number in the order of the hub's changes */
    private record OwnDeletion(String uid, long number) {}

    public ObjectCache(CacheChangeListener<T> changes) {
        this.changes = changes;
    }

    public synchronized @Nullable T get(ObjectKey key) {
        ObservedObject<T> seen = objects.get(key);
        return seen == null ? null : seen.object();
    }

    synchronized void onUnreadableChanged(Consumer<ObjectKey> listener) {
        unreadable = listener;
    }

    /** Why an existing object cannot be read, which may be cached in an earlier version; null if it can, or does not exist. */
    public synchronized @Nullable Problem unreadable(ObjectKey key) {
        ObservedObject<T> seen = objects.get(key);
        return seen == null ? null : seen.unreadable();
    }

    /** Returns null unless the cache holds the object in exactly this version. */
    synchronized @Nullable ObservedObject<T> find(ObjectVersion version) {
        ObservedObject<T> seen = objects.get(version.key());
        return seen != null
                        && !version.resourceVersion().isEmpty()
                        && seen.uid().equals(version.uid())
                        && seen.resourceVersion().equals(version.resourceVersion())
                ? seen
                : null;
    }

    /** Returns null if the object is not cached. */
    public synchronized @Nullable ObservedObject<T> observed(ObjectKey key) {
        return objects.get(key);
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

    /** Including those that cannot be read. */
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
        return bytes + seen.cachedBytes() - (known == null ? 0 : known.cachedBytes());
    }

    private void remove(ObservedObject<T> known) {
        objects.remove(known.key());
        unconfirmed.remove(known.key());
        bytes -= known.cachedBytes();
        report(known.key(), known, null);
    }

    private void report(ObjectKey key, @Nullable ObservedObject<T> before, @Nullable ObservedObject<T> after) {
        Problem was = before == null ? null : before.unreadable();
        Problem now = after == null ? null : after.unreadable();
        if (!Objects.equals(was, now)) {
            unreadable.accept(key);
        }
    }

    /**
     * Stores the response to a create, an update or a patch, unless the watch has already delivered something newer, including
     * the object's deletion.
     */
    public synchronized void putWritten(ObservedObject<T> seen) {
        ObservedObject<T> known = objects.get(seen.key());
        boolean same = known != null && known.uid().equals(seen.uid());
        if (known != null && same && known.unreadable() != null) {
            // The watch delivers this version too; its limits are lower than those of a response.
            return;
        }
        if (same || !seen.isCoveredBy(reached)) {
            put(seen, Origin.WRITTEN);
            boolean delivered = known != null && same && known.resourceVersion().equals(seen.resourceVersion());
            if (!delivered && objects.get(seen.key()) == seen) {
                unconfirmed.put(seen.key(), ++ownChangeCount);
            }
        }
    }

    /**
     * As {@link #putWritten}, for a built-in kind: any watch delivers its objects as the response does, so that a version that
     * the watch has delivered already is not decoded again.
     *
     * @throws IOException if the response is not an object
     */
    public void putWritten(byte[] response, ObjectDecoder<T> decoder) throws IOException {
        ObservedObject<T> cached = find(WatchEvent.version(response));
        putWritten(cached != null ? cached : WatchEvent.item(response, decoder));
    }

    /**
     * As {@link #putWritten}, for a write that did not change the spec.
     *
     * @throws IOException if the response is not an object
     */
    public void putWrittenStatus(byte[] response, ObjectDecoder<T> decoder) throws IOException {
        putWritten(WatchEvent.item(
                response, decoder, get(WatchEvent.version(response).key())));
    }

    /** For {@link #putIfUnchanged}; read it before sending the request. */
    public synchronized int deletionCount() {
        return deletionCount;
    }

    /**
     * Stores the response to a read of one object, which may be outside this selection and of the watch. It replaces
     * what was cached before the request in any version: that may be a false response to an earlier request.
     *
     * @param known {@link #observed} before the request
     * @param before {@link #deletionCount} before the request
     * @return false if any object was deleted meanwhile: read again to find out whether it was this one
     */
    public synchronized boolean putIfUnchanged(ObservedObject<T> seen, @Nullable ObservedObject<T> known, int before) {
        ObservedObject<T> current = objects.get(seen.key());
        if (deletionCount != before && current == null) {
            return false;
        }
        if (current != null && current == known) {
            unconfirmed.remove(seen.key());
            store(current, seen, Origin.WRITTEN);
        } else {
            put(seen, Origin.WRITTEN);
        }
        return true;
    }

    /**
     * The watch is complete up to this version.
     *
     * @return false if it has not delivered a response since the bookmark before, so that the cache must be listed again
     */
    synchronized boolean reached(String resourceVersion) {
        reached = resourceVersion;
        long before = bookmarked;
        bookmarked = ownChangeCount;
        return unconfirmed.values().stream().noneMatch(number -> number <= before);
    }

    /** The hub deleted the object with this UID, or found it deleted. */
    public synchronized void deleted(ObjectKey key, String uid) {
        ObservedObject<T> known = objects.get(key);
        if (known != null && known.uid().equals(uid)) {
            remove(known);
            deleted.put(key, new OwnDeletion(uid, ++ownChangeCount));
            changes.onChanged(key, known.object(), null, Origin.WRITTEN);
        }
    }

    /** Clears the cache without notifying the listener. */
    public synchronized void clear() {
        objects.clear();
        bytes = 0;
        deleted.clear();
        unconfirmed.clear();
        reached = "";
    }

    synchronized void put(ObservedObject<T> seen, Origin origin) {
        ObjectKey key = seen.key();
        if (origin == Origin.WATCHED) {
            reached = seen.resourceVersion();
        }
        if (origin != Origin.WRITTEN && wasDeleted(key, seen.uid())) {
            return;
        }
        ObservedObject<T> known = objects.get(key);
        if (known != null && known.uid().equals(seen.uid())) {
            if (known.resourceVersion().equals(seen.resourceVersion())) {
                if (origin == Origin.WRITTEN) {
                    // The watch was faster than the response. The response decides: a watch that began before a change
                    // of the
                    // CustomResourceDefinition delivers objects without the fields that the older one lacks.
                    store(known, seen, origin);
                } else {
                    unconfirmed.remove(key);
                }
                return;
            }
            // The watch delivers in order, so only a response can be ahead of it.
            boolean ahead = origin == Origin.WRITTEN || unconfirmed.containsKey(key);
            if (ahead && seen.isOlderThan(known)) {
                return;
            }
        }
        store(known, seen, origin);
    }

    private void store(@Nullable ObservedObject<T> known, ObservedObject<T> seen, Origin origin) {
        if (!seen.isKept()) {
            if (known != null) {
                remove(known);
                changes.onChanged(seen.key(), known.object(), null, origin);
            }
            return;
        }
        bytes = bytesWith(seen);
        if (origin != Origin.WRITTEN) {
            unconfirmed.remove(seen.key());
        }
        objects.put(seen.key(), seen);
        report(seen.key(), known, seen);
        changes.onChanged(seen.key(), known == null ? null : known.object(), seen.object(), origin);
    }

    /** The watch reports that an object was deleted. */
    synchronized void removeGone(ObservedObject<T> last) {
        deletionCount++;
        reached = last.resourceVersion();
        ObjectKey key = last.key();
        if (wasDeleted(key, last.uid())) {
            deleted.remove(key);
        }
        ObservedObject<T> known = objects.get(key);
        // A newer object of that name may be cached already, from the hub's own write.
        if (known != null
                && (known.uid().equals(last.uid())
                        || !unconfirmed.containsKey(key)
                        || !ObservedObject.isOlder(last.resourceVersion(), known.resourceVersion()))) {
            remove(known);
            changes.onChanged(key, known.object(), null, Origin.WATCHED);
        }
    }

    private boolean wasDeleted(ObjectKey key, String uid) {
        OwnDeletion deletion = deleted.get(key);
        return deletion != null && deletion.uid().equals(uid);
    }

    /** For {@link #replace}; read it before requesting the list. */
    synchronized long ownChangeCount() {
        return ownChangeCount;
    }

    /**
     * Replaces everything with a consistent list, but for what the hub wrote after it was requested and made. Versions
     * decide nothing else: the API server's data may be restored, and an earlier response or event may have been false.
     *
     * @param before {@link #ownChangeCount} before the request
     */
    synchronized void replace(Collection<ObservedObject<T>> listed, String resourceVersion, long before) {
        Map<ObjectKey, ObservedObject<T>> wanted = HashMap.newHashMap(listed.size());
        listed.forEach(seen -> wanted.put(seen.key(), seen));
        Predicate<ObservedObject<T>> writtenLater = known -> unconfirmed.getOrDefault(known.key(), 0L) > before
                && ObservedObject.isOlder(resourceVersion, known.resourceVersion());
        for (ObservedObject<T> known : List.copyOf(objects.values())) {
            if (!wanted.containsKey(known.key()) && !writtenLater.test(known)) {
                remove(known);
                changes.onChanged(known.key(), known.object(), null, Origin.LISTED);
            }
        }
        // The list decides: what was deleted before it is absent from it, and objects in it exist.
        deleted.entrySet()
                .removeIf(entry -> entry.getValue().number() <= before || !wanted.containsKey(entry.getKey()));
        for (ObservedObject<T> seen : listed) {
            ObservedObject<T> known = objects.get(seen.key());
            if (known != null && known.hasSameState(seen)) {
                unconfirmed.remove(seen.key());
            } else if (!wasDeleted(seen.key(), seen.uid()) && (known == null || !writtenLater.test(known))) {
                store(known, seen, Origin.LISTED);
            }
        }
        reached = resourceVersion;
        deletionCount++;
    }
}
