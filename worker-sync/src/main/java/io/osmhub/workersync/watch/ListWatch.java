package io.osmhub.workersync.watch;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.osmhub.core.problem.MessageFormatter;
import io.osmhub.core.problem.Problem;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.apiserver.MemoryBudget.MemoryReservation;
import io.osmhub.workersync.apiserver.MetadataScanner;
import io.osmhub.workersync.apiserver.ObjectSource;
import io.osmhub.workersync.port.Scheduler;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Mirrors a selection in a cache: lists, then watches from that version, and lists again only when the version has expired.
 * Never spins, and detects stalled watches.
 *
 * <pre>
 *                    +---------- expired, invalid -----------+
 *                    v                                       |
 *  SUSPENDED ----> LISTING ---- list complete ---------> WATCHING
 *   ^  ^  resume     |  ^                                  |  ^
 *   |  |             |  +------- after a pause ------+     |  +-- ended: resumes at the last version
 *   |  |             +------> PAUSING <- broken, refused --+
 *   +--+--suspend---- (everything)
 * </pre>
 *
 * <p>{@link #resume} with another {@link ObjectSource} continues from the last version with the same cache. Sources: Kubernetes API
 * concepts, "Efficient detection of changes", "Watch bookmarks"; kube-apiserver sends a requested bookmark about every minute.
 */
public final class ListWatch<T> {
    private static final Logger LOG = LoggerFactory.getLogger(ListWatch.class);

    public enum Phase {
        SUSPENDED,
        LISTING,
        PAUSING,
        WATCHING
    }

    /** Twice the interval between bookmarks, plus a margin. */
    static final Duration SILENCE = Duration.ofSeconds(130);
    /** A server accepts a watch at once or not at all. */
    static final Duration OPENING = Duration.ofSeconds(30);
    /** A watch that ends sooner was useless. */
    static final Duration SHORT_LIFE = Duration.ofSeconds(1);
    /** A watch that lasts this long counts as healthy. */
    private static final Duration STEADY = Duration.ofSeconds(5);

    /** Delay before a list that only determines the size. */
    private static final Duration RECKONING = Duration.ofSeconds(1);

    private static final int SHORT_LIVES = 3;
    /** The API servers' own default. Shorter watches detect nothing that bookmarks do not, and each costs a request. */
    private static final long LEAST_WATCH_SECONDS = 1800;

    private static final long MORE_WATCH_SECONDS = 1800;

    private final CachedSelection<T> cachedSelection;
    private final ObjectCache<T> cache;
    private final ListWatchListener listener;
    private final RuntimeContext runtimeContext;
    private final ListPager<T> pager;
    /** Memory of the cache. */
    private final MemoryReservation cacheMemory;

    /** Held while unreadable objects are reported. */
    private final Object reporting = new Object();

    private boolean ended;

    private final Object lock = new Object();
    private Phase phase = Phase.SUSPENDED;
    private @Nullable ObjectSource source;
    /** Incremented with each step; callbacks of earlier steps are ignored. */
    private int step;

    private KubeApi.@Nullable Watch watch;
    private Scheduler.@Nullable ScheduledTask timer;
    /** Where to resume; empty to list first. */
    private String resourceVersion = "";

    private boolean synced;
    private boolean troubled;
    /** Notifications not delivered yet, in the order of the changes they report. */
    private final Queue<Runnable> notificationQueue = new ArrayDeque<>();

    private boolean delivering;
    private int failures;
    private int shortLives;
    private long begunAt;
    private long heardAt;
    private boolean opened;
    /** Bytes of events since the last list. */
    private long eventBytes;

    public ListWatch(CachedSelection<T> cachedSelection, ListWatchListener listener, RuntimeContext runtimeContext) {
        this.cachedSelection = cachedSelection;
        this.cache = cachedSelection.cache();
        this.listener = listener;
        this.runtimeContext = runtimeContext;
        this.pager = new ListPager<>(cachedSelection);
        this.cacheMemory = cachedSelection.memoryShare().createReservation();
        cache.onUnreadableChanged(this::onUnreadableChanged);
    }

    /** Starts, resumes, or switches to a new connection to the same API server. */
    public void resume(ObjectSource with) {
        synchronized (lock) {
            leaveStep();
            source = with;
            failures = 0;
            shortLives = 0;
            continueWatching();
        }
    }

    /** Suspends until {@link #resume}; keeps the cache. Delivers nothing afterwards. */
    public void suspend() {
        synchronized (lock) {
            leaveStep();
            phase = Phase.SUSPENDED;
            source = null;
        }
    }

    /** Stops permanently and releases the memory; the cache must not be used afterwards. */
    public void end() {
        synchronized (lock) {
            suspend();
            cacheMemory.close();
        }
        synchronized (reporting) {
            ended = true;
            runtimeContext.unreadable().forget(this);
        }
    }

    /** Called under the cache's lock, so it only schedules. */
    private void onUnreadableChanged(ObjectKey key) {
        runtimeContext.blockingExecutor().execute(() -> {
            synchronized (reporting) {
                Problem why = cache.unreadable(key);
                if (ended || !runtimeContext.unreadable().set(this, key, why)) {
                    return;
                }
                LOG.atWarn()
                        .addKeyValue("kind", cachedSelection.resource().kind())
                        .addKeyValue("namespace", key.namespace())
                        .addKeyValue("name", key.name())
                        .log(
                                "{}",
                                why == null
                                        ? "Object is readable again or deleted"
                                        : MessageFormatter.visible(why.toString()));
            }
        });
    }

    public Phase phase() {
        synchronized (lock) {
            return phase;
        }
    }

    /** Whether the first list is complete. */
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

    private void continueWatching() {
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
        timer = runtimeContext.scheduler().schedule(delay, () -> {
            synchronized (lock) {
                if (mine == step) {
                    leaveStep();
                    continueWatching();
                }
            }
        });
    }

    // Listing

    private void beginList() {
        ObjectSource current = source;
        if (current == null) {
            return;
        }
        phase = Phase.LISTING;
        int mine = step;
        runtimeContext.blockingExecutor().execute(() -> list(current, mine));
    }

    private void list(ObjectSource current, int mine) {
        long replacedBytes;
        synchronized (lock) {
            replacedBytes = cacheMemory.bytes();
        }
        try (MemoryReservation listMemory = cachedSelection.memoryShare().createReservation()) {
            long ownChanges = cache.ownChangeCount();
            WatchEvent.DecodedListPage<T> list =
                    pager.all(current, listMemory, replacedBytes, failure -> onSlowList(mine, failure));
            onListed(mine, list, ownChanges, listMemory);
        } catch (ApiFailure failure) {
            onWatchBroken(mine, failure, false);
        } catch (IOException e) {
            onWatchBroken(mine, unreadable(e), false);
        } catch (RuntimeException e) {
            // A bug in a decoder must not stop the watch permanently.
            LOG.error("Cannot process list of {}", cachedSelection.selection(), e);
            onWatchBroken(mine, unreadable(e), false);
        }
    }

    /** A page timed out: reported although the list continues with smaller ones. */
    private void onSlowList(int mine, ApiFailure failure) {
        synchronized (lock) {
            if (mine != step) {
                return;
            }
            troubled = true;
            notificationQueue.add(() -> listener.onFailed(failure, 1));
        }
        deliverNotifications();
    }

    /** Outside the lock, because listeners have locks of their own. One at a time, so that a delayed failure never follows a recovery. */
    private void deliverNotifications() {
        while (true) {
            Runnable next;
            synchronized (lock) {
                next = delivering ? null : notificationQueue.poll();
                if (next == null) {
                    return;
                }
                delivering = true;
            }
            try {
                next.run();
            } finally {
                synchronized (lock) {
                    delivering = false;
                }
            }
        }
    }

    private void onListed(int mine, WatchEvent.DecodedListPage<T> list, long ownChanges, MemoryReservation listMemory) {
        boolean first;
        synchronized (lock) {
            if (mine != step) {
                return;
            }
            // First the cache, so that listeners find the change there.
            cache.replace(list.items(), list.resourceVersion(), ownChanges);
            cacheMemory.transferFrom(listMemory);
            cacheMemory.tryResize(cache.bytes());
            resourceVersion = list.resourceVersion();
            eventBytes = 0;
            first = !synced;
            synced = true;
        }
        // Before the watch starts, so that listeners receive the list before any event.
        if (first) {
            listener.onSynced();
        }
        synchronized (lock) {
            if (mine == step) {
                leaveStep();
                beginWatch();
            }
        }
    }

    // Watching

    private void beginWatch() {
        ObjectSource current = source;
        if (current == null) {
            return;
        }
        phase = Phase.WATCHING;
        opened = false;
        begunAt = runtimeContext.scheduler().nanoTime();
        heardAt = begunAt;
        int mine = step;
        scheduleSilenceCheck(mine, OPENING);
        long seconds = LEAST_WATCH_SECONDS + runtimeContext.random().nextLong(MORE_WATCH_SECONDS);
        watch = current.watch(
                cachedSelection.selection().watch(resourceVersion, seconds), new ListWatchLineHandler(mine));
    }

    /** One timer per watch, set again only when it fires, so that events cost nothing. */
    private void scheduleSilenceCheck(int mine, Duration delay) {
        timer = runtimeContext.scheduler().schedule(delay, () -> {
            synchronized (lock) {
                if (mine != step) {
                    return;
                }
                Duration silent = Duration.ofNanos(runtimeContext.scheduler().nanoTime() - heardAt);
                Duration patience = opened ? SILENCE : OPENING;
                if (silent.compareTo(patience) < 0) {
                    scheduleSilenceCheck(mine, patience.minus(silent));
                    return;
                }
            }
            onWatchBroken(
                    mine,
                    ApiFailure.withoutResponse(
                            ApiFailure.ApiFailureKind.TIMED_OUT, "no watch events or bookmarks received"),
                    true);
        });
    }

    private final class ListWatchLineHandler implements KubeApi.WatchLineHandler {
        private final int mine;

        ListWatchLineHandler(int mine) {
            this.mine = mine;
        }

        @Override
        public void onOpened() {
            recordActivity(mine, true);
        }

        @Override
        public void onLine(byte[] json, UnaryOperator<String> redactor) {
            WatchEvent<T> event;
            try {
                event = WatchEvent.read(cachedSelection, json, redactor);
            } catch (IOException e) {
                onWatchBroken(mine, unreadable(e), false);
                return;
            }
            recordActivity(mine, false);
            applyEvent(mine, event, json.length);
        }

        @Override
        public void onTooLarge(MetadataScanner scanned, String why) {
            WatchEvent<T> event;
            try {
                event = WatchEvent.unreadable(cachedSelection, scanned, why);
            } catch (IOException e) {
                onWatchBroken(mine, unreadable(e), false);
                return;
            }
            recordActivity(mine, false);
            applyEvent(mine, event, 0);
        }

        @Override
        public void onEnded() {
            watchEnded(mine);
        }

        @Override
        public void onFailed(ApiFailure failure) {
            onWatchBroken(mine, failure, false);
        }
    }

    private void recordActivity(int mine, boolean opening) {
        synchronized (lock) {
            if (mine != step) {
                return;
            }
            heardAt = runtimeContext.scheduler().nanoTime();
            opened = true;
            boolean steady = forgetFailuresIfSteady();
            // A watch that always ends at once still opens normally, so opening alone is not a recovery.
            if (troubled && (steady || (opening && shortLives == 0))) {
                troubled = false;
                notificationQueue.add(listener::onRecovered);
            }
        }
        deliverNotifications();
    }

    private boolean forgetFailuresIfSteady() {
        boolean steady = phase == Phase.WATCHING
                && opened
                && runtimeContext.scheduler().nanoTime() - begunAt >= STEADY.toNanos();
        if (steady) {
            failures = 0;
            shortLives = 0;
        }
        return steady;
    }

    private void applyEvent(int mine, WatchEvent<T> event, int bytes) {
        if (event instanceof WatchEvent.Failed<T>(ApiFailure failure)) {
            onWatchBroken(mine, failure, false);
            return;
        }
        boolean tooMany;
        synchronized (lock) {
            if (mine != step) {
                return;
            }
            boolean fits = !(event instanceof WatchEvent.Upserted<T> put)
                    || cacheMemory.tryResize(cache.bytesWith(put.seen()));
            if (fits) {
                applyToCache(event);
                // Not as expected if the event was skipped, or if the hub wrote or deleted.
                fits = cacheMemory.tryResize(cache.bytes());
            }
            boolean current = !(event instanceof WatchEvent.Bookmark<T>(String version)) || cache.reached(version);
            eventBytes += bytes;
            SelectionLimits limits = cachedSelection.limits();
            tooMany = !limits.isWithin(cache.size(), 0);
            if (!tooMany && (!fits || !current || eventBytes > limits.bytes())) {
                resourceVersion = "";
                pause(RECKONING);
                notificationQueue.add(() -> listener.onRestarted(ListWatchListener.RestartReason.CLOSED));
            }
        }
        if (tooMany) {
            onWatchBroken(mine, cachedSelection.limits().limitExceeded(cachedSelection.selection()), false);
        } else {
            deliverNotifications();
        }
    }

    /** First the cache, so that listeners find the change there. */
    private void applyToCache(WatchEvent<T> event) {
        switch (event) {
            case WatchEvent.Upserted<T>(ObservedObject<T> seen) -> {
                cache.put(seen, ObjectCache.Origin.WATCHED);
                resourceVersion = seen.resourceVersion();
            }
            case WatchEvent.Deleted<T>(ObservedObject<T> last) -> {
                cache.removeGone(last);
                resourceVersion = last.resourceVersion();
            }
            case WatchEvent.Bookmark<T>(String version) -> resourceVersion = version;
            case WatchEvent.Failed<T> _ -> {
                // Reported by the caller.
            }
        }
    }

    private void watchEnded(int mine) {
        synchronized (lock) {
            if (mine != step) {
                return;
            }
            notificationQueue.add(() -> listener.onRestarted(ListWatchListener.RestartReason.CLOSED));
            forgetFailuresIfSteady();
            long life = runtimeContext.scheduler().nanoTime() - begunAt;
            shortLives = life < SHORT_LIFE.toNanos() ? shortLives + 1 : 0;
            if (shortLives >= SHORT_LIVES) {
                int spins = shortLives;
                troubled = true;
                notificationQueue.add(() -> listener.onShortWatches(spins));
                pause(RetryDelays.delayAfterShortWatches(shortLives - SHORT_LIVES + 1, runtimeContext.random()));
            } else {
                leaveStep();
                beginWatch();
            }
        }
        deliverNotifications();
    }

    // Failing

    /** Reports only the position, because a parser's message may contain a part of the object. */
    private static ApiFailure unreadable(Exception e) {
        String why =
                switch (e) {
                    case JsonProcessingException json
                    when json.getLocation() != null ->
                        "invalid JSON at byte " + json.getLocation().getByteOffset() + " of an object";
                    case JsonProcessingException _ -> "invalid JSON";
                    case IOException own -> String.valueOf(own.getMessage());
                    default -> e.getClass().getSimpleName();
                };
        return ApiFailure.withoutResponse(
                ApiFailure.ApiFailureKind.UNREADABLE, "unexpected response from the API server: " + why);
    }

    private void onWatchBroken(int mine, ApiFailure failure, boolean silent) {
        synchronized (lock) {
            if (mine != step) {
                return;
            }
            forgetFailuresIfSteady();
            failures++;
            if (failure.isGone() || failure.kind() == ApiFailure.ApiFailureKind.UNREADABLE) {
                resourceVersion = "";
            }
            // Expired versions are normal, and a server without bookmarks is often silent.
            boolean quiet = failures == 1 && (silent || failure.isGone());
            troubled |= !quiet;
            notificationQueue.add(() -> listener.onRestarted(
                    failure.isGone()
                            ? ListWatchListener.RestartReason.EXPIRED
                            : ListWatchListener.RestartReason.ERROR));
            if (failure.isUnauthorized() || failure.isForbidden()) {
                notificationQueue.add(() -> listener.onAccessDenied(failure));
            } else if (!quiet) {
                int inARow = failures;
                notificationQueue.add(() -> listener.onFailed(failure, inARow));
            }
            if (quiet && failure.isGone()) {
                leaveStep();
                beginList();
            } else {
                pause(RetryDelays.delayAfter(failure, failures, cachedSelection.optional(), runtimeContext.random()));
            }
        }
        deliverNotifications();
    }
}
