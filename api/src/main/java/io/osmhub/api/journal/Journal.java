package io.osmhub.api.journal;

import io.osmhub.tenancy.StoredPast;
import io.osmhub.tenancy.catalog.ListedConfig;
import io.osmhub.tenancy.catalog.StoredProfile;
import io.osmhub.tenancy.registry.WorkerClusterRecord;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.watch.Feed;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * All changes of what is stored, for whoever follows them. Of each kind the changes come in the API server's order, and a place
 * among them is a version of each kind: so a place outlives the process, and whoever goes on from one, here or elsewhere, gets every
 * later change once. What is older than this process, or too much to keep, is asked from the API server. Safe for use by many
 * threads.
 */
public final class Journal {
    private static final int BATCH = 100;
    /** Of each kind, when somebody asks what happened last. */
    private static final int MOST_LOOKED_AT = 5_000;
    /** Statuses are written more often than they say something else. */
    private static final int REPEATS = 8;

    private final Object lock = new Object();
    private final KindFeed<WorkerClusterRecord> workerClusters;
    private final KindFeed<StoredProfile> profiles;
    private final KindFeed<ListedConfig> configs;
    private final Supplier<StoredPast> past;

    /** @param past asked only by who goes on from a place that is older than what is kept */
    public Journal(Supplier<StoredPast> past, InstantSource clock) {
        this.past = past;
        this.workerClusters = new KindFeed<>(Source.WORKER_CLUSTERS, Tellings::of, true, lock, clock);
        this.profiles = new KindFeed<>(Source.PROFILES, Tellings::of, true, lock, clock);
        this.configs =
                new KindFeed<>(Source.CONFIGS, (kind, before, after) -> Tellings.of(kind, after), false, lock, clock);
    }

    /** Hears of worker clusters. */
    public Feed<WorkerClusterRecord> workerClusters() {
        return workerClusters;
    }

    /** Hears of profiles. */
    public Feed<StoredProfile> profiles() {
        return profiles;
    }

    /** Hears of configurations. */
    public Feed<ListedConfig> configs() {
        return configs;
    }

    /** How a place stands to what is kept. */
    public enum Standing {
        /** Not everything was read once. */
        NOT_READY,
        /** What follows is here. */
        KNOWN,
        /** What follows is older than what is kept. */
        OLDER,
        /** It is later than anything that was heard here. */
        AHEAD
    }

    /** One thing to tell, and the place after it. */
    public record Step(Told told, Instant at, Position after) {}

    /**
     * What follows a place.
     *
     * @param after the place to go on from; another one also when there is nothing to tell
     */
    public record Steps(List<Step> steps, Position after) {}

    /** The end of what was heard. */
    public Position end() {
        synchronized (lock) {
            return Position.at(
                    workerClusters.log().reached(),
                    profiles.log().reached(),
                    configs.log().reached());
        }
    }

    public Standing standing(Position position) {
        synchronized (lock) {
            if (!logs().stream().allMatch(KindLog::hasBegun)) {
                return Standing.NOT_READY;
            }
            boolean older = false;
            boolean ahead = false;
            for (Source source : Source.values()) {
                older |= position.of(source) < log(source).from();
                ahead |= position.of(source) > log(source).reached();
            }
            return older ? Standing.OLDER : ahead ? Standing.AHEAD : Standing.KNOWN;
        }
    }

    /**
     * Gets what is older than what is kept from the API server; waits for it, so only on a virtual thread.
     *
     * @throws ApiFailure gone when the API server has forgotten it
     */
    public void fill(Position from) throws ApiFailure, InterruptedException {
        StoredPast stored = past.get();
        workerClusters.fill(stored.workerClusters(), from.of(Source.WORKER_CLUSTERS));
        profiles.fill(stored.profiles(), from.of(Source.PROFILES));
        configs.fill(stored.configs(), from.of(Source.CONFIGS));
    }

    /**
     * The next changes after a place, once there are any; none when there are none in time.
     *
     * @param from a place that is KNOWN
     */
    public Steps next(Position from, Duration patience) throws InterruptedException {
        List<Entry> entries = new ArrayList<>();
        synchronized (lock) {
            long deadline = System.nanoTime() + patience.toNanos();
            while (nothingAfter(from)) {
                long left = deadline - System.nanoTime();
                if (left <= 0) {
                    break;
                }
                lock.wait(Math.max(1, left / 1_000_000));
            }
            if (from.told() > 0) {
                // What was begun is told to its end before anything else.
                entries.addAll(log(from.inside()).after(from.of(from.inside()), 1));
            } else {
                for (Source source : Source.values()) {
                    entries.addAll(log(source).after(from.of(source), BATCH));
                }
            }
        }
        // The order in which they happened, as far as kinds can be compared; within a kind it is exact.
        entries.sort(Comparator.comparingLong(Entry::version).thenComparing(Entry::source));
        List<Step> steps = new ArrayList<>();
        Position at = from;
        for (Entry entry : entries) {
            at = tell(entry, at, steps);
        }
        return new Steps(steps, at);
    }

    private static Position tell(Entry entry, Position from, List<Step> steps) {
        Source source = entry.source();
        Position at = from;
        for (int i = from.toldOf(source); i < entry.told().size(); i++) {
            boolean last = i + 1 == entry.told().size();
            at = last ? from.after(source, entry.version()) : from.within(source, i + 1);
            steps.add(new Step(entry.told().get(i), entry.at(), at));
        }
        return from.after(source, entry.version());
    }

    private boolean nothingAfter(Position position) {
        for (Source source : Source.values()) {
            if (log(source).hasAfter(position.of(source))
                    || position.of(source) < log(source).from()) {
                return false;
            }
        }
        return true;
    }

    private KindLog log(Source source) {
        return switch (source) {
            case WORKER_CLUSTERS -> workerClusters.log();
            case PROFILES -> profiles.log();
            case CONFIGS -> configs.log();
        };
    }

    private List<KindLog> logs() {
        return List.of(workerClusters.log(), profiles.log(), configs.log());
    }

    /** Something that happened, and when this process learnt of it. */
    public record Happened(Told told, Instant at) {}

    /**
     * What happened last among what is kept, the newest first. What says of an object what was said of it before is left out.
     *
     * @param wanted asked under a lock: returns at once
     */
    public List<Happened> latest(Predicate<Told> wanted, int most) {
        List<Happened> found = new ArrayList<>();
        synchronized (lock) {
            for (KindLog log : logs()) {
                int looked = 0;
                int taken = 0;
                for (Entry entry : log.newestFirst()) {
                    if (++looked > MOST_LOOKED_AT || taken > most * REPEATS) {
                        break;
                    }
                    for (Told told : entry.told()) {
                        if (wanted.test(told)) {
                            found.add(new Happened(told, entry.at()));
                            taken++;
                        }
                    }
                }
            }
        }
        found.sort(Comparator.comparing(Happened::at).reversed());
        List<Happened> latest = new ArrayList<>();
        for (int at = 0; at < found.size() && latest.size() < most; at++) {
            Happened one = found.get(at);
            boolean repeats = found.subList(at + 1, found.size()).stream()
                    .filter(older -> older.told().object().equals(one.told().object())
                            && older.told().kind() == one.told().kind())
                    .findFirst()
                    .filter(older -> older.told().saysTheSame(one.told()))
                    .isPresent();
            if (!repeats) {
                latest.add(one);
            }
        }
        return latest;
    }
}
