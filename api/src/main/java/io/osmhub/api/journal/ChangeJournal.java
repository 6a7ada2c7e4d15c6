package io.osmhub.api.journal;

import io.osmhub.tenancy.ManagementHistory;
import io.osmhub.tenancy.catalog.ListedConfig;
import io.osmhub.tenancy.catalog.StoredProfile;
import io.osmhub.tenancy.registry.WorkerClusterRecord;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.watch.WatchEventListener;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Journal of all changes to stored objects. Changes of a kind are in the API server's order; a position holds one resource version per
 * kind, so it outlives the process, and a reader resuming from it in any process gets every later change once. Changes from before
 * this process, or evicted ones, are read from the API server. Thread-safe.
 */
public final class ChangeJournal {
    private static final int BATCH = 100;
    /** Maximum number of entries per kind read for the latest events. */
    private static final int MOST_LOOKED_AT = 5_000;
    /** Statuses are often written without a change in content. */
    private static final int REPEATS = 8;

    private final Object lock = new Object();
    private final KindChangeRecorder<WorkerClusterRecord> workerClusters;
    private final KindChangeRecorder<StoredProfile> profiles;
    private final KindChangeRecorder<ListedConfig> configs;
    private final Supplier<ManagementHistory> past;

    /** @param past read only to resume from a position older than the retained changes */
    public ChangeJournal(Supplier<ManagementHistory> past, InstantSource clock) {
        this.past = past;
        this.workerClusters =
                new KindChangeRecorder<>(JournalSource.WORKER_CLUSTERS, ChangeEventFactory::of, true, lock, clock);
        this.profiles = new KindChangeRecorder<>(JournalSource.PROFILES, ChangeEventFactory::of, true, lock, clock);
        this.configs = new KindChangeRecorder<>(
                JournalSource.CONFIGS, (kind, before, after) -> ChangeEventFactory.of(kind, after), false, lock, clock);
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

    /** Relation of a position to the retained changes. */
    public enum PositionState {
        /** Not everything was read once. */
        NOT_READY,
        /** Later changes are retained. */
        KNOWN,
        /** Later changes were evicted. */
        OLDER,
        /** Later than any change received here. */
        AHEAD
    }

    /** One event and the position after it. */
    public record JournalEvent(ChangeEvent event, Instant at, JournalPosition after) {}

    /**
     * Events after a position.
     *
     * @param after position to continue from; may advance without events
     */
    public record JournalBatch(List<JournalEvent> events, JournalPosition after) {}

    /** Position after the last received change. */
    public JournalPosition endPosition() {
        synchronized (lock) {
            return JournalPosition.at(
                    workerClusters.log().reached(),
                    profiles.log().reached(),
                    configs.log().reached());
        }
    }

    public PositionState checkPosition(JournalPosition position) {
        synchronized (lock) {
            if (!logs().stream().allMatch(KindChangeLog::isInitialized)) {
                return PositionState.NOT_READY;
            }
            boolean older = false;
            boolean ahead = false;
            for (JournalSource source : JournalSource.values()) {
                older |= position.of(source) < log(source).from();
                ahead |= position.of(source) > log(source).reached();
            }
            return older ? PositionState.OLDER : ahead ? PositionState.AHEAD : PositionState.KNOWN;
        }
    }

    /**
     * Reads evicted changes from the API server. Blocks, so call it only on a virtual thread.
     *
     * @throws ApiFailure gone if the API server no longer has them
     */
    public void backfill(JournalPosition from) throws ApiFailure, InterruptedException {
        ManagementHistory stored = past.get();
        workerClusters.backfill(stored.workerClusters(), from.of(JournalSource.WORKER_CLUSTERS));
        profiles.backfill(stored.profiles(), from.of(JournalSource.PROFILES));
        configs.backfill(stored.configs(), from.of(JournalSource.CONFIGS));
    }

    /**
     * Waits for the next changes after a position; empty on timeout.
     *
     * @param from a KNOWN position
     */
    public JournalBatch awaitNext(JournalPosition from, Duration timeout) throws InterruptedException {
        List<JournalEntry> entries = new ArrayList<>();
        synchronized (lock) {
            long deadline = System.nanoTime() + timeout.toNanos();
            while (isAtEnd(from)) {
                long left = deadline - System.nanoTime();
                if (left <= 0) {
                    break;
                }
                lock.wait(Math.max(1, left / 1_000_000));
            }
            if (from.eventsSent() > 0) {
                // A partly sent change is completed first.
                entries.addAll(log(from.inside()).after(from.of(from.inside()), 1));
            } else {
                for (JournalSource source : JournalSource.values()) {
                    entries.addAll(log(source).after(from.of(source), BATCH));
                }
            }
        }
        // Ordered by time across kinds, which is approximate; within a kind the order is exact.
        entries.sort(Comparator.comparingLong(JournalEntry::version).thenComparing(JournalEntry::source));
        List<JournalEvent> steps = new ArrayList<>();
        JournalPosition at = from;
        for (JournalEntry entry : entries) {
            at = appendEvents(entry, at, steps);
        }
        return new JournalBatch(steps, at);
    }

    private static JournalPosition appendEvents(JournalEntry entry, JournalPosition from, List<JournalEvent> steps) {
        JournalSource source = entry.source();
        JournalPosition at = from;
        for (int i = from.eventsSentOf(source); i < entry.events().size(); i++) {
            boolean last = i + 1 == entry.events().size();
            at = last ? from.after(source, entry.version()) : from.within(source, i + 1);
            steps.add(new JournalEvent(entry.events().get(i), entry.at(), at));
        }
        return from.after(source, entry.version());
    }

    private boolean isAtEnd(JournalPosition position) {
        for (JournalSource source : JournalSource.values()) {
            if (log(source).hasAfter(position.of(source))
                    || position.of(source) < log(source).from()) {
                return false;
            }
        }
        return true;
    }

    private KindChangeLog log(JournalSource source) {
        return switch (source) {
            case WORKER_CLUSTERS -> workerClusters.log();
            case PROFILES -> profiles.log();
            case CONFIGS -> configs.log();
        };
    }

    private List<KindChangeLog> logs() {
        return List.of(workerClusters.log(), profiles.log(), configs.log());
    }

    /** An event and when this process received it. */
    public record RecentEvent(ChangeEvent event, Instant at) {}

    /**
     * The latest retained events, newest first, without repeated content.
     *
     * @param wanted called under a lock; must not block
     */
    public List<RecentEvent> findLatest(Predicate<ChangeEvent> wanted, int most) {
        List<RecentEvent> found = new ArrayList<>();
        synchronized (lock) {
            for (KindChangeLog log : logs()) {
                int looked = 0;
                int taken = 0;
                for (JournalEntry entry : log.newestFirst()) {
                    if (++looked > MOST_LOOKED_AT || taken > most * REPEATS) {
                        break;
                    }
                    for (ChangeEvent event : entry.events()) {
                        if (wanted.test(event)) {
                            found.add(new RecentEvent(event, entry.at()));
                            taken++;
                        }
                    }
                }
            }
        }
        found.sort(Comparator.comparing(RecentEvent::at).reversed());
        List<RecentEvent> latest = new ArrayList<>();
        for (int at = 0; at < found.size() && latest.size() < most; at++) {
            RecentEvent one = found.get(at);
            boolean repeats = found.subList(at + 1, found.size()).stream()
                    .filter(older -> older.event().object().equals(one.event().object())
                            && older.event().kind() == one.event().kind())
                    .findFirst()
                    .filter(older -> older.event().hasSameContent(one.event()))
                    .isPresent();
            if (!repeats) {
                latest.add(one);
            }
        }
        return latest;
    }
}
