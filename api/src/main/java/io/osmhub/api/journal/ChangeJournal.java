package io.osmhub.api.journal;

import io.osmhub.api.inventory.ChangeEventFactory;
import io.osmhub.api.schema.StreamEvent;
import io.osmhub.tenancy.catalog.ConfigCache.ListedConfig;
import io.osmhub.tenancy.catalog.StoredProfile;
import io.osmhub.tenancy.registry.WorkerClusterRecord;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.watch.ObjectKey;
import io.osmhub.workersync.watch.ObservedObject;
import io.osmhub.workersync.watch.WatchEventListener;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The latest changes of stored objects that this process received, in order. A reader whose position is not among them has to list
 * again: after a restart, at another replica, after a watch was listed again, or when it is too slow. Thread-safe.
 */
public final class ChangeJournal {
    /** Maximum number of events in memory. */
    private static final int MOST = 60_000;

    private static final int BATCH = 100;
    private static final Pattern ID = Pattern.compile("([0-9a-f]{16})-(\\d{1,18})");
    /** Maximum number of events read for the latest events. */
    private static final int MOST_LOOKED_AT = 15_000;
    /** Statuses are often written without a change in content. */
    private static final int REPEATS = 8;
    /** An immutable object is replaced by a deletion and, milliseconds later, a creation. */
    private static final Duration REPLACEMENT = Duration.ofSeconds(1);

    private final Object lock = new Object();
    private final long process = new SecureRandom().nextLong();
    private final NavigableMap<Long, JournalEvent> events = new TreeMap<>();
    private final InstantSource clock;
    private final Duration replacement;
    private final ChangeRecorder<WorkerClusterRecord> workerClusters =
            new ChangeRecorder<>(ChangeEventFactory::of, true);
    private final ChangeRecorder<StoredProfile> profiles = new ChangeRecorder<>(ChangeEventFactory::of, true);
    private final ChangeRecorder<ListedConfig> configs =
            new ChangeRecorder<>((type, before, after) -> ChangeEventFactory.of(type, after), false);
    /** Every event after this one is retained. */
    private long from;

    private long end;

    public ChangeJournal(InstantSource clock) {
        this(clock, REPLACEMENT);
    }

    /** @param replacement for how long a deletion is held back, because a creation would make it one change */
    ChangeJournal(InstantSource clock, Duration replacement) {
        this.clock = clock;
        this.replacement = replacement;
    }

    /** Receives worker clusters. */
    public WatchEventListener<WorkerClusterRecord> workerClusters() {
        return workerClusters;
    }

    /** Receives profiles. */
    public WatchEventListener<StoredProfile> profiles() {
        return profiles;
    }

    /** Receives configurations. */
    public WatchEventListener<ListedConfig> configs() {
        return configs;
    }

    /** Relation of a position to the retained events. */
    public enum PositionState {
        /** Not everything was read once. */
        NOT_READY,
        /** All later events are retained. */
        KNOWN,
        /** Later events are not retained, or the position belongs to another process. */
        LOST
    }

    /**
     * One event.
     *
     * @param number the position after it
     */
    public record JournalEvent(long number, StreamEvent event) {}

    /** Position after the last event. */
    public long endPosition() {
        synchronized (lock) {
            recordDeletions();
            return end;
        }
    }

    /** The id of the last event before a position. */
    public String idOf(long position) {
        return HexFormat.of().toHexDigits(process) + "-" + position;
    }

    /** The position after the event with an id; negative if another process issued it, empty if it is not valid. */
    public OptionalLong positionOf(String id) {
        Matcher parts = ID.matcher(id);
        if (!parts.matches()) {
            return OptionalLong.empty();
        }
        boolean own = HexFormat.fromHexDigitsToLong(parts.group(1)) == process;
        return OptionalLong.of(own ? Long.parseLong(parts.group(2)) : -1);
    }

    public PositionState checkPosition(long position) {
        synchronized (lock) {
            if (!workerClusters.listed || !profiles.listed || !configs.listed) {
                return PositionState.NOT_READY;
            }
            return position >= from && position <= end ? PositionState.KNOWN : PositionState.LOST;
        }
    }

    /**
     * Waits for the next events after a position; empty on timeout.
     *
     * @param position a KNOWN position
     */
    public List<JournalEvent> awaitNext(long position, Duration timeout) throws InterruptedException {
        synchronized (lock) {
            long deadline = System.nanoTime() + timeout.toNanos();
            recordDeletions();
            while (position == end) {
                long left = deadline - System.nanoTime();
                if (left <= 0) {
                    break;
                }
                long nanos = holdsDeletions() ? Math.min(left, replacement.toNanos()) : left;
                lock.wait(Math.max(1, nanos / 1_000_000));
                recordDeletions();
            }
            return events.tailMap(position, false).values().stream()
                    .limit(BATCH)
                    .toList();
        }
    }

    /**
     * The latest retained events, newest first, without repeated content.
     *
     * @param wanted called under a lock; must not block
     */
    public List<StreamEvent> findLatest(Predicate<StreamEvent> wanted, int most) {
        List<StreamEvent> found;
        synchronized (lock) {
            recordDeletions();
            found = events.descendingMap().values().stream()
                    .limit(MOST_LOOKED_AT)
                    .map(JournalEvent::event)
                    .filter(wanted)
                    .limit((long) most * REPEATS)
                    .toList();
        }
        List<StreamEvent> latest = new ArrayList<>();
        for (int at = 0; at < found.size() && latest.size() < most; at++) {
            StreamEvent one = found.get(at);
            boolean repeats = found.subList(at + 1, found.size()).stream()
                    .filter(older -> Objects.equals(older.object(), one.object()) && older.kind() == one.kind())
                    .findFirst()
                    .filter(older -> hasSameContent(one, older))
                    .isPresent();
            if (!repeats) {
                latest.add(one);
            }
        }
        return latest;
    }

    /** Records the deletions of objects that were not created again. */
    private void recordDeletions() {
        workerClusters.recordDeletions();
        profiles.recordDeletions();
        configs.recordDeletions();
    }

    private boolean holdsDeletions() {
        return Stream.of(workerClusters, profiles, configs).anyMatch(recorder -> !recorder.deleted.isEmpty());
    }

    private static boolean hasSameContent(StreamEvent event, StreamEvent older) {
        return event.type() == StreamEvent.Type.MODIFIED
                && older.type() != StreamEvent.Type.DELETED
                && event.problem() == null
                && event.state() == older.state()
                && event.newNodes() == older.newNodes()
                && Objects.equals(event.summary(), older.summary());
    }

    /** The kind of object that recipients of an event must be able to see. */
    public static Resource sourceResource(StreamEvent event) {
        return switch (event.object() == null ? "" : event.object().kind()) {
            case "MachineDeployment", "OperatingSystemConfig" -> Resource.OPERATING_SYSTEM_CONFIGS;
            case "OperatingSystemProfile" -> Resource.OPERATING_SYSTEM_PROFILES;
            default -> Resource.WORKER_CLUSTERS;
        };
    }

    /** Derives events; {@code before} is null if the object is new or previous objects are not kept. */
    private interface ChangeEventMapper<T> {
        List<StreamEvent> toEvents(StreamEvent.Type type, @Nullable T before, T after);
    }

    /** Records the changes of one kind. */
    private final class ChangeRecorder<T> implements WatchEventListener<T> {
        private final ChangeEventMapper<T> mapper;
        private final boolean needsBefore;
        /** Objects as of the last change, if the mapper needs them. */
        private final Map<ObjectKey, T> before = new HashMap<>();
        /** Deleted objects that may be created again, in the order of their deletion. */
        private final Map<ObjectKey, Deletion<T>> deleted = new LinkedHashMap<>();

        private boolean listed;

        private record Deletion<T>(T last, Instant at) {}

        ChangeRecorder(ChangeEventMapper<T> mapper, boolean needsBefore) {
            this.mapper = mapper;
            this.needsBefore = needsBefore;
        }

        @Override
        public void onListed(Collection<ObservedObject<T>> objects, String resourceVersion) {
            synchronized (lock) {
                if (listed) {
                    // Changes since the watch ended are unknown.
                    end++;
                    from = end;
                }
                listed = true;
                deleted.clear();
                before.clear();
                objects.forEach(seen -> remember(seen.key(), seen.object()));
                lock.notifyAll();
            }
        }

        @Override
        public void onUpserted(ObservedObject<T> seen, boolean added) {
            T after = seen.object();
            if (after == null) {
                return;
            }
            synchronized (lock) {
                recordDeletions();
                boolean replaced = deleted.remove(seen.key()) != null;
                StreamEvent.Type type = added && !replaced ? StreamEvent.Type.ADDED : StreamEvent.Type.MODIFIED;
                append(type, seen.key(), after, clock.instant());
                remember(seen.key(), after);
            }
        }

        @Override
        public void onDeleted(ObservedObject<T> last) {
            T object = last.object();
            if (object == null) {
                return;
            }
            synchronized (lock) {
                deleted.put(last.key(), new Deletion<>(object, clock.instant()));
                recordDeletions();
                // Readers wait no longer than until the deletion is due.
                lock.notifyAll();
            }
        }

        @Override
        public void onBookmark(String resourceVersion) {}

        private void recordDeletions() {
            Instant due = clock.instant().minus(replacement);
            Iterator<Map.Entry<ObjectKey, Deletion<T>>> entries =
                    deleted.entrySet().iterator();
            while (entries.hasNext()) {
                Map.Entry<ObjectKey, Deletion<T>> entry = entries.next();
                Deletion<T> deletion = entry.getValue();
                if (deletion.at().isAfter(due)) {
                    return;
                }
                entries.remove();
                append(StreamEvent.Type.DELETED, entry.getKey(), deletion.last(), deletion.at());
                remember(entry.getKey(), null);
            }
        }

        private void append(StreamEvent.Type type, ObjectKey key, T object, Instant at) {
            for (StreamEvent event : mapper.toEvents(type, before.get(key), object)) {
                end++;
                events.put(end, new JournalEvent(end, event.sent(idOf(end), at)));
            }
            while (events.size() > MOST) {
                from = Math.max(from, events.pollFirstEntry().getKey());
            }
            lock.notifyAll();
        }

        private void remember(ObjectKey key, @Nullable T object) {
            if (object == null) {
                before.remove(key);
            } else if (needsBefore) {
                before.put(key, object);
            }
        }
    }
}
