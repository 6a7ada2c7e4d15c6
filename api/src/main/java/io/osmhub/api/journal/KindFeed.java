package io.osmhub.api.journal;

import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.watch.Change;
import io.osmhub.workersync.watch.Feed;
import io.osmhub.workersync.watch.ObjectKey;
import io.osmhub.workersync.watch.Past;
import io.osmhub.workersync.watch.Seen;
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

/** Writes down the changes of one kind as the API server tells them, and reads from its past what was before. */
final class KindFeed<T> implements Feed<T> {
    /** Each waits a second at most for what the API server has yet to tell. */
    private static final int ATTEMPTS = 30;

    /** What there is to tell of a change; {@code before} is null when there was none, or when nobody asks for it. */
    interface Telling<T> {
        List<Told> of(Change.Kind kind, @Nullable T before, T after);
    }

    private final Source source;
    private final Telling<T> telling;
    private final boolean asksForBefore;
    private final Object lock;
    private final InstantSource clock;
    private final KindLog log = new KindLog();
    private final Object filling = new Object();

    /** The objects as of the last change, when the telling asks for them. */
    private final Map<ObjectKey, T> before = new HashMap<>();

    /** @param lock guards this and what hears of it; is notified of each change */
    KindFeed(Source source, Telling<T> telling, boolean asksForBefore, Object lock, InstantSource clock) {
        this.source = source;
        this.telling = telling;
        this.asksForBefore = asksForBefore;
        this.lock = lock;
        this.clock = clock;
    }

    /** Only under the lock. */
    KindLog log() {
        return log;
    }

    // Hearing

    @Override
    public void listed(Collection<Seen<T>> objects, String resourceVersion) {
        long[] versions = objects.stream()
                .mapToLong(seen -> number(seen.resourceVersion()))
                .sorted()
                .toArray();
        synchronized (lock) {
            log.begin(number(resourceVersion), versions);
            before.clear();
            if (asksForBefore) {
                objects.forEach(seen -> remember(seen.key(), seen.object()));
            }
            lock.notifyAll();
        }
    }

    @Override
    public void put(Seen<T> seen, boolean added) {
        heard(new Change<>(added ? Change.Kind.ADDED : Change.Kind.MODIFIED, seen));
    }

    @Override
    public void gone(Seen<T> last) {
        heard(new Change<>(Change.Kind.DELETED, last));
    }

    @Override
    public void reached(String resourceVersion) {
        synchronized (lock) {
            log.reach(number(resourceVersion));
        }
    }

    private void heard(Change<T> change) {
        Instant now = clock.instant();
        synchronized (lock) {
            Entry entry = entry(change, before, now);
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

    private @Nullable Entry entry(Change<T> change, Map<ObjectKey, T> known, Instant at) {
        Seen<T> seen = change.seen();
        T after = seen.object();
        if (after == null) {
            return null;
        }
        List<Told> told = telling.of(change.kind(), known.get(seen.key()), after);
        if (asksForBefore) {
            if (change.kind() == Change.Kind.DELETED) {
                known.remove(seen.key());
            } else {
                known.put(seen.key(), after);
            }
        }
        return new Entry(source, number(seen.resourceVersion()), at, told);
    }

    /** Versions are numbers of one server; Kubernetes promises it from 1.35 on, and etcd always has. */
    private static long number(String version) {
        try {
            return Long.parseLong(version);
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    // The past

    /**
     * Makes sure that everything after a version is in the log.
     *
     * @throws ApiFailure gone when the API server has forgotten it
     */
    void fill(Past<T> past, long after) throws ApiFailure, InterruptedException {
        // One reads, and who waits finds what it asked for.
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
            List<Change<T>> changes = changes(past, after, until, changed);
            List<Entry> entries = entries(past, after, changes);
            synchronized (lock) {
                if (log.from() == until) {
                    log.prepend(entries, after);
                }
            }
        }
    }

    /** @param awaited versions of changes that must be among them */
    private List<Change<T>> changes(Past<T> past, long after, long until, long[] awaited)
            throws ApiFailure, InterruptedException {
        List<Change<T>> changes = new ArrayList<>();
        Set<Long> seen = new HashSet<>();
        long at = after;
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            Past.End end = past.changes(Long.toString(at), Long.toString(until), change -> {
                if (seen.add(number(change.seen().resourceVersion()))) {
                    changes.add(change);
                }
            });
            boolean complete = end == Past.End.REACHED || Arrays.stream(awaited).allMatch(seen::contains);
            if (complete) {
                return changes;
            }
            if (changes.size() > KindLog.MOST) {
                break;
            }
            if (!changes.isEmpty()) {
                at = number(changes.getLast().seen().resourceVersion());
            }
        }
        throw new ApiFailure(
                ApiFailure.Cause.ANSWERED, 410, "Expired", "the API server does not tell all that happened", null);
    }

    private List<Entry> entries(Past<T> past, long after, List<Change<T>> changes) throws ApiFailure {
        Map<ObjectKey, T> known = new HashMap<>();
        Set<ObjectKey> looked = new HashSet<>();
        List<Entry> entries = new ArrayList<>();
        Instant now = clock.instant();
        for (Change<T> change : changes) {
            ObjectKey key = change.seen().key();
            if (asksForBefore && looked.add(key) && change.kind() != Change.Kind.ADDED) {
                Seen<T> old = past.at(key.namespace(), key.name(), Long.toString(after));
                if (old != null && old.object() != null) {
                    known.put(key, old.object());
                }
            }
            Entry entry = entry(change, known, now);
            if (entry != null) {
                entries.add(entry);
            }
        }
        return entries;
    }
}
