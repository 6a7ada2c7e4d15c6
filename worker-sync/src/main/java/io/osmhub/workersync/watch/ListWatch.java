package io.osmhub.workersync.watch;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.apiserver.MemoryBudget;
import io.osmhub.workersync.port.Timers;
import java.io.IOException;
import java.time.Duration;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a cache like the API server: lists, then watches from there, and lists again only when the server no longer knows
 * where. Never spins, however the server behaves, and notices a watch that has fallen silent.
 *
 * <pre>
 *                    +---------- too old, garbage -----------+
 *                    v                                       |
 *  RESTING ------> LISTING ---- list complete ---------> WATCHING
 *   ^  ^  resume     |  ^                                  |  ^
 *   |  |             |  +------- after a pause ------+     |  +-- ended: from the last version on
 *   |  |             +------> PAUSING <- broken, refused --+
 *   +--+--suspend---- (everything)
 * </pre>
 *
 * <p>It outlives its connection: {@link #resume} with another {@link KubeApi} goes on from the last version with the cache as
 * it is. Sources: Kubernetes API concepts, "Efficient detection of changes", "Watch bookmarks"; kube-apiserver sends a
 * bookmark about every minute to a watch that asks for them.
 */
public final class ListWatch<T> {
    private static final Logger LOG = LoggerFactory.getLogger(ListWatch.class);

    /** What it is doing. */
    public enum Phase {
        RESTING,
        LISTING,
        PAUSING,
        WATCHING
    }

    /** Twice the time between two bookmarks, and a little. */
    static final Duration SILENCE = Duration.ofSeconds(130);
    /** A server accepts a watch at once or not at all. */
    static final Duration OPENING = Duration.ofSeconds(30);
    /** A watch that ends sooner has served nobody. */
    static final Duration SHORT_LIFE = Duration.ofSeconds(1);
    /** After so long all is well, whatever was before. */
    private static final Duration STEADY = Duration.ofSeconds(5);

    /** Before a list that only tells how much there is. */
    private static final Duration RECKONING = Duration.ofSeconds(1);

    private static final int SHORT_LIVES = 3;
    /** As API servers choose when they are not asked. A shorter life finds nothing that the bookmarks do not, and each costs a request. */
    private static final long LEAST_WATCH_SECONDS = 1800;

    private static final long MORE_WATCH_SECONDS = 1800;

    private final Selection selection;
    private final Decoder<T> decoder;
    private final Intake<T> intake;
    private final WatchListener listener;
    private final Surroundings around;
    private final boolean optional;
    private final Bounds bounds;
    private final Pages<T> pages;
    private final KeptMemory kept;

    private final Object lock = new Object();
    private Phase phase = Phase.RESTING;
    private @Nullable KubeApi api;
    /** Each step has a number; what an earlier step still delivers is void. */
    private int step;

    private KubeApi.@Nullable Watch watch;
    private Timers.@Nullable Timer timer;
    /** Where to go on from; empty to list first. */
    private String resourceVersion = "";

    private boolean synced;
    private boolean troubled;
    private int failures;
    private int shortLives;
    private long begunAt;
    private long heardAt;
    private boolean opened;
    /** Bytes of events since the last list. */
    private long eventBytes;

    /** @param feed hears of everything after the cache did */
    public ListWatch(
            Selection selection,
            Decoder<T> decoder,
            ObjectCache<T> cache,
            Feed<T> feed,
            WatchListener listener,
            Surroundings around) {
        this(
                selection,
                decoder,
                cache,
                feed,
                listener,
                around,
                false,
                Bounds.NONE,
                MemoryBudget.unlimited().share());
    }

    /**
     * @param optional an API server that does not serve the kind is asked again less often
     * @param bounds what of it is taken at most
     * @param memory of its cluster, for what is kept
     */
    ListWatch(
            Selection selection,
            Decoder<T> decoder,
            ObjectCache<T> cache,
            Feed<T> feed,
            WatchListener listener,
            Surroundings around,
            boolean optional,
            Bounds bounds,
            MemoryBudget.Share memory) {
        this.selection = selection;
        this.decoder = decoder;
        this.intake = new Intake<>(cache, feed);
        this.listener = listener;
        this.around = around;
        this.optional = optional;
        this.bounds = bounds;
        this.pages = new Pages<>(selection, decoder, bounds);
        this.kept = new KeptMemory(memory);
    }

    /** Begins, goes on after a rest, or goes on with another connection to the same API server. */
    public void resume(KubeApi with) {
        synchronized (lock) {
            leaveStep();
            api = with;
            failures = 0;
            shortLives = 0;
            goOn();
        }
    }

    /** Rests until {@link #resume}; the cache stays. Nothing is delivered afterwards. */
    public void suspend() {
        synchronized (lock) {
            leaveStep();
            phase = Phase.RESTING;
            api = null;
        }
    }

    /** Rests for good, and gives its memory back; the cache is not used any more. */
    void end() {
        synchronized (lock) {
            suspend();
            kept.clear();
        }
    }

    public Phase phase() {
        synchronized (lock) {
            return phase;
        }
    }

    /** The first list is complete. */
    public boolean isSynced() {
        synchronized (lock) {
            return synced;
        }
    }

    private void leaveStep() {
        step++;
        if (watch != null) {
            watch.stop();
            watch = null;
        }
        if (timer != null) {
            timer.cancel();
            timer = null;
        }
    }

    private void goOn() {
        if (resourceVersion.isEmpty()) {
            beginList();
        } else {
            beginWatch();
        }
    }

    private void pause(Duration delay) {
        leaveStep();
        phase = Phase.PAUSING;
        int mine = step;
        timer = around.timers().after(delay, () -> {
            synchronized (lock) {
                if (mine == step) {
                    leaveStep();
                    goOn();
                }
            }
        });
    }

    // Listing

    private void beginList() {
        KubeApi current = api;
        if (current == null) {
            return;
        }
        phase = Phase.LISTING;
        int mine = step;
        around.waiting().execute(() -> list(current, mine));
    }

    private void list(KubeApi current, int mine) {
        KeptMemory.Listing memory;
        synchronized (lock) {
            memory = kept.listing();
        }
        boolean used = false;
        try {
            used = listed(mine, pages.all(current, memory, failure -> slow(mine, failure)), memory);
        } catch (ApiFailure failure) {
            broken(mine, failure, false);
        } catch (IOException e) {
            broken(mine, unreadable(e), false);
        } catch (RuntimeException e) {
            // A fault of a decoder must not end the watch for good.
            LOG.error("a list of {} could not be taken", selection, e);
            broken(mine, unreadable(e), false);
        } finally {
            if (!used) {
                memory.abandon();
            }
        }
    }

    /** A page was not received in time: reported, although the list goes on with smaller ones. */
    private void slow(int mine, ApiFailure failure) {
        synchronized (lock) {
            if (mine != step) {
                return;
            }
            troubled = true;
        }
        listener.failed(failure, 1);
    }

    private boolean listed(int mine, WatchEvent.Page<T> list, KeptMemory.Listing memory) {
        boolean first;
        synchronized (lock) {
            if (mine != step) {
                return false;
            }
            intake.replace(list);
            kept.replaced(memory);
            resourceVersion = list.resourceVersion();
            eventBytes = 0;
            first = !synced;
            synced = true;
        }
        // Before the watch begins: who hears of an event has heard of the list.
        if (first) {
            listener.synced();
        }
        synchronized (lock) {
            if (mine == step) {
                leaveStep();
                beginWatch();
            }
        }
        return true;
    }

    // Watching

    private void beginWatch() {
        KubeApi current = api;
        if (current == null) {
            return;
        }
        phase = Phase.WATCHING;
        opened = false;
        begunAt = around.timers().nanoTime();
        heardAt = begunAt;
        int mine = step;
        awaitSound(mine, OPENING);
        long seconds = LEAST_WATCH_SECONDS + around.random().nextLong(MORE_WATCH_SECONDS);
        KubeApi.Watch begun = current.watch(selection.watch(resourceVersion, seconds), new Lines(mine));
        if (mine == step) {
            watch = begun;
        } else {
            // It ended before it was handed over.
            begun.stop();
        }
    }

    /** One timer for a watch, set again only when it rings: an event costs nothing. */
    private void awaitSound(int mine, Duration delay) {
        timer = around.timers().after(delay, () -> {
            synchronized (lock) {
                if (mine != step) {
                    return;
                }
                Duration silent = Duration.ofNanos(around.timers().nanoTime() - heardAt);
                Duration patience = opened ? SILENCE : OPENING;
                if (silent.compareTo(patience) < 0) {
                    awaitSound(mine, patience.minus(silent));
                    return;
                }
            }
            broken(mine, ApiFailure.noAnswer(ApiFailure.Cause.TIMED_OUT, "the watch has fallen silent"), true);
        });
    }

    /** Receives one watch. */
    private final class Lines implements KubeApi.WatchLines {
        private final int mine;

        Lines(int mine) {
            this.mine = mine;
        }

        @Override
        public void opened() {
            outside(() -> heard(mine, true));
        }

        @Override
        public void line(byte[] json, UnaryOperator<String> redactor) {
            WatchEvent<T> event;
            try {
                event = WatchEvent.read(json, decoder, redactor);
            } catch (IOException e) {
                broken(mine, unreadable(e), false);
                return;
            }
            heard(mine, false);
            take(mine, event, json.length);
        }

        @Override
        public void ended() {
            outside(() -> watchEnded(mine));
        }

        @Override
        public void failed(ApiFailure failure) {
            outside(() -> broken(mine, failure, false));
        }

        /** A watch may end while it is being begun, which is under the lock; who hears of it has locks of its own. */
        private void outside(Runnable news) {
            if (Thread.holdsLock(lock)) {
                around.waiting().execute(news);
            } else {
                news.run();
            }
        }
    }

    private void heard(int mine, boolean opening) {
        boolean recovered = false;
        synchronized (lock) {
            if (mine != step) {
                return;
            }
            heardAt = around.timers().nanoTime();
            opened = true;
            boolean steady = forgetFailuresIfSteady();
            // A watch that always ends at once opens well each time: that alone is no recovery.
            if (troubled && (steady || (opening && shortLives == 0))) {
                troubled = false;
                recovered = true;
            }
        }
        if (recovered) {
            listener.recovered();
        }
    }

    private boolean forgetFailuresIfSteady() {
        boolean steady = phase == Phase.WATCHING && opened && around.timers().nanoTime() - begunAt >= STEADY.toNanos();
        if (steady) {
            failures = 0;
            shortLives = 0;
        }
        return steady;
    }

    private void take(int mine, WatchEvent<T> event, int bytes) {
        if (event instanceof WatchEvent.Failed<T>(ApiFailure failure)) {
            broken(mine, failure, false);
            return;
        }
        boolean tooMany;
        boolean longAgo = false;
        synchronized (lock) {
            if (mine != step) {
                return;
            }
            ObjectCache<T> cache = intake.cache();
            boolean fits = !(event instanceof WatchEvent.Put<T> put) || kept.hold(cache.bytesWith(put.seen()));
            if (fits) {
                resourceVersion = intake.take(event, resourceVersion);
                // Other than expected if the event was passed over, or if the hub has written or deleted.
                fits = kept.hold(cache.bytes());
            }
            eventBytes += bytes;
            tooMany = !bounds.areKept(cache.size(), 0);
            if (!tooMany && (!fits || eventBytes > bounds.bytes())) {
                longAgo = true;
                resourceVersion = "";
                pause(RECKONING);
            }
        }
        if (tooMany) {
            broken(mine, bounds.exceeded(selection), false);
        } else if (longAgo) {
            listener.restarted(WatchListener.Restart.CLOSED);
        }
    }

    private void watchEnded(int mine) {
        int spins = 0;
        synchronized (lock) {
            if (mine != step) {
                return;
            }
            forgetFailuresIfSteady();
            long life = around.timers().nanoTime() - begunAt;
            shortLives = life < SHORT_LIFE.toNanos() ? shortLives + 1 : 0;
            if (shortLives >= SHORT_LIVES) {
                spins = shortLives;
                troubled = true;
                pause(Pauses.afterShortLives(shortLives - SHORT_LIVES + 1, around.random()));
            } else {
                leaveStep();
                beginWatch();
            }
        }
        listener.restarted(WatchListener.Restart.CLOSED);
        if (spins > 0) {
            listener.endsAtOnce(spins);
        }
    }

    // Failing

    /** A parser's own message may hold a part of the object, so only its place is told. */
    private static ApiFailure unreadable(Exception e) {
        String why =
                switch (e) {
                    case JsonProcessingException json
                    when json.getLocation() != null ->
                        "no readable JSON at byte " + json.getLocation().getByteOffset() + " of an object";
                    case JsonProcessingException _ -> "no readable JSON";
                    case IOException own -> String.valueOf(own.getMessage());
                    default -> e.getClass().getSimpleName();
                };
        return ApiFailure.noAnswer(
                ApiFailure.Cause.UNREADABLE, "the answer is not what a Kubernetes API server sends: " + why);
    }

    private void broken(int mine, ApiFailure failure, boolean silent) {
        boolean refused = failure.isUnauthorized() || failure.isForbidden();
        boolean quiet;
        int inARow;
        synchronized (lock) {
            if (mine != step) {
                return;
            }
            forgetFailuresIfSteady();
            failures++;
            inARow = failures;
            if (failure.isGone() || failure.why() == ApiFailure.Cause.UNREADABLE) {
                resourceVersion = "";
            }
            // A server that forgets is not wrong, and one that sends no bookmarks is silent by nature.
            quiet = inARow == 1 && (silent || failure.isGone());
            troubled |= !quiet;
            if (quiet && failure.isGone()) {
                leaveStep();
                beginList();
            } else {
                pause(Pauses.after(failure, failures, optional, around.random()));
            }
        }
        listener.restarted(failure.isGone() ? WatchListener.Restart.EXPIRED : WatchListener.Restart.ERROR);
        if (refused) {
            listener.refused(failure);
        } else if (!quiet) {
            listener.failed(failure, inARow);
        }
    }
}
