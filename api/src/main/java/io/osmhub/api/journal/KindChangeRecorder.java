package io.osmhub.api.journal;

import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.watch.ObjectChange;
import io.osmhub.workersync.watch.ObjectKey;
import io.osmhub.workersync.watch.ObservedObject;
import io.osmhub.workersync.watch.WatchEventListener;
import io.osmhub.workersync.watch.WatchHistory;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Records the changes of one kind from a watch, and reads earlier ones from the API server. */
final class KindChangeRecorder<T> implements WatchEventListener<T> {
    /** Each waits up to a second for events of the API server. */
    private static final int ATTEMPTS = 30;

    /** Derives events; {@code before} is null if the object is new or previous objects are not kept. */
    interface ChangeEventMapper<T> {
        List<ChangeEvent> toEvents(ObjectChange.Kind kind, @Nullable T before, T after);
    }

    private final JournalSource source;
    private final ChangeEventMapper<T> telling;
    private final boolean asksForBefore;
    private final Object lock;
    private final InstantSource clock;
    private final KindChangeLog log = new KindChangeLog();
    private final Object filling = new Object();

    /** Objects as of the last change, if the mapper needs them. */
    private final Map<ObjectKey, T> before = new HashMap<>();

    /** @param lock guards this recorder and its readers; notified of each change */
    KindChangeRecorder(
            JournalSource source,
            ChangeEventMapper<T> telling,
            boolean asksForBefore,
            Object lock,
            InstantSource clock) {
        this.source = source;
        this.telling = telling;
        this.asksForBefore = asksForBefore;
        this.lock = lock;
        this.clock = clock;
    }

    /** Call only while holding the lock. */
    KindChangeLog log() {
        return log;
    }

    // --- watch events

    @Override
    public void onListed(Collection<ObservedObject<T>> objects, String resourceVersion) {
        long[] versions = objects.stream()
                .mapToLong(seen -> number(seen.resourceVersion()))
                .sorted()
                .toArray();
        synchronized (lock) {
            log.reset(number(resourceVersion), versions);
            before.clear();
            if (asksForBefore) {
                objects.forEach(seen -> remember(seen.key(), seen.object()));
            }
            lock.notifyAll();
        }
    }

    @Override
    public void onUpserted(ObservedObject<T> seen, boolean added) {
        onChange(new ObjectChange<>(added ? ObjectChange.Kind.ADDED : ObjectChange.Kind.MODIFIED, seen));
    }

    @Override
    public void onDeleted(ObservedObject<T> last) {
        onChange(new ObjectChange<>(ObjectChange.Kind.DELETED, last));
    }

    @Override
    public void onBookmark(String resourceVersion) {
        synchronized (lock) {
            log.advanceTo(number(resourceVersion));
        }
    }

    private void onChange(ObjectChange<T> change) {
        Instant now = clock.instant();
        synchronized (lock) {
            JournalEntry entry = entry(change, before, now);
            if (entry != null) {
                log.append(entry);
                lock.notifyAll();
            }
        }
    }

    private void remember(ObjectKey key, @Nullable T object) {
        if (object == null) {
            before.remove(key);
        } else {
            before.put(key, object);
        }
    }

    private @Nullable JournalEntry entry(ObjectChange<T> change, Map<ObjectKey, T> known, Instant at) {
        ObservedObject<T> seen = change.seen();
        T after = seen.object();
        if (after == null) {
            return null;
        }
        List<ChangeEvent> events = telling.toEvents(change.kind(), known.get(seen.key()), after);
        if (asksForBefore) {
            if (change.kind() == ObjectChange.Kind.DELETED) {
                known.remove(seen.key());
            } else {
                known.put(seen.key(), after);
            }
        }
        return new JournalEntry(source, number(seen.resourceVersion()), at, events);
    }

    /** Resource versions are numbers of one server; Kubernetes guarantees it from 1.35 on, and etcd always did. */
    private static long number(String version) {
        try {
            return Long.parseLong(version);
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    // --- history

    /**
     * Ensures that the log contains every change after a version.
     *
     * @throws ApiFailure gone if the API server no longer has them
     */
    void backfill(WatchHistory<T> past, long after) throws ApiFailure, InterruptedException {
        // Only one thread reads; waiting threads then find the changes in the log.
        synchronized (filling) {
            long until;
            long[] changed;
            synchronized (lock) {
                if (after >= log.from()) {
                    return;
                }
                until = log.from();
                changed = Arrays.stream(log.listedAfter(after))
                        .filter(version -> version <= log.from())
                        .toArray();
            }
            List<ObjectChange<T>> changes = changes(past, after, until, changed);
            List<JournalEntry> entries = entries(past, after, changes);
            synchronized (lock) {
                if (log.from() == until) {
                    log.prepend(entries, after);
                }
            }
        }
    }

    /** @param awaited versions of changes that must be included */
    private List<ObjectChange<T>> changes(WatchHistory<T> past, long after, long until, long[] awaited)
            throws ApiFailure, InterruptedException {
        List<ObjectChange<T>> changes = new ArrayList<>();
        Set<Long> seen = new HashSet<>();
        long at = after;
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            WatchHistory.HistoryEnd end = past.readChanges(Long.toString(at), Long.toString(until), change -> {
                if (seen.add(number(change.seen().resourceVersion()))) {
                    changes.add(change);
                }
            });
            boolean complete = end == WatchHistory.HistoryEnd.REACHED
                    || Arrays.stream(awaited).allMatch(seen::contains);
            if (complete) {
                return changes;
            }
            if (changes.size() > KindChangeLog.MOST) {
                break;
            }
            if (!changes.isEmpty()) {
                at = number(changes.getLast().seen().resourceVersion());
            }
        }
        throw new ApiFailure(
                ApiFailure.ApiFailureKind.ANSWERED,
                410,
                "Expired",
                "the API server does not tell all that happened",
                null);
    }

    private List<JournalEntry> entries(WatchHistory<T> past, long after, List<ObjectChange<T>> changes)
            throws ApiFailure {
        Map<ObjectKey, T> known = new HashMap<>();
        Set<ObjectKey> looked = new HashSet<>();
        List<JournalEntry> entries = new ArrayList<>();
        Instant now = clock.instant();
        for (ObjectChange<T> change : changes) {
            ObjectKey key = change.seen().key();
            if (asksForBefore && looked.add(key) && change.kind() != ObjectChange.Kind.ADDED) {
                ObservedObject<T> old = past.readObject(key.namespace(), key.name(), Long.toString(after));
                if (old != null && old.object() != null) {
                    known.put(key, old.object());
                }
            }
            JournalEntry entry = entry(change, known, now);
            if (entry != null) {
                entries.add(entry);
            }
        }
        return entries;
    }
}
