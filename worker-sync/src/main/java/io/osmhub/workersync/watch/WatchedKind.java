package io.osmhub.workersync.watch;

import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.Backoff;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.port.Timers;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * One of the lists of {@link WorkerObjects}: how it stands by itself, and when one that was refused is tried again. Safe for use by
 * many threads.
 */
final class WatchedKind<T> implements WatchListener {
    /** A right that was granted is noticed within a minute, a mended credential by the owner. */
    private static final Backoff FORBIDDEN = new Backoff(Duration.ofSeconds(10), Duration.ofMinutes(1));

    private static final Backoff UNAUTHORIZED = new Backoff(Duration.ofMinutes(1), Duration.ofMinutes(5));

    private final ListWatch<T> watch;
    private final Resource resource;
    /** There is another source, or people are told what is missing. */
    private final boolean optional;

    private final Owner owner;
    private final Surroundings around;

    /** Null while it rests, and for good once nobody wants it any more. */
    private @Nullable KubeApi api;

    private int refusals;
    private Timers.@Nullable Timer probe;

    /** Forbidden where there is another source: it counts as empty. */
    private volatile boolean doneWithout;

    private volatile @Nullable ApiFailure trouble;

    /** Hears of it; hands over and returns. */
    interface Owner {
        /** It is listed, or it is known that it will not be. */
        void done();

        /** {@link #trouble} is another; null when it works again. */
        void trouble(Resource resource, @Nullable ApiFailure failure);

        void restarted(Resource resource, Restart why);
    }

    WatchedKind(
            Selection selection,
            Decoder<T> decoder,
            ObjectCache<T> cache,
            boolean optional,
            Owner owner,
            Surroundings around) {
        this.resource = selection.resource();
        this.optional = optional;
        this.owner = owner;
        this.around = around;
        this.watch = new ListWatch<>(selection, decoder, cache, Feed.toNobody(), this, around);
    }

    synchronized void resume(KubeApi with) {
        cancelProbe();
        api = with;
        trouble = null;
        watch.resume(with);
    }

    synchronized void suspend() {
        cancelProbe();
        api = null;
        watch.suspend();
    }

    private void cancelProbe() {
        if (probe != null) {
            probe.cancel();
            probe = null;
        }
    }

    Resource resource() {
        return resource;
    }

    boolean isDone() {
        return doneWithout || watch.isSynced();
    }

    boolean isListed() {
        return watch.isSynced();
    }

    /** Its latest failure; null while it works. */
    @Nullable ApiFailure trouble() {
        return trouble;
    }

    @Override
    public void synced() {
        owner.done();
    }

    @Override
    public void failed(ApiFailure failure, int inARow) {
        is(failure);
    }

    @Override
    public void refused(ApiFailure failure) {
        synchronized (this) {
            refusals++;
            doneWithout = failure.isForbidden() && optional;
            Backoff backoff = failure.isForbidden() ? FORBIDDEN : UNAUTHORIZED;
            if (api != null) {
                cancelProbe();
                probe = around.timers().after(backoff.after(refusals, around.random()), this::probe);
            }
        }
        is(failure);
        owner.done();
    }

    private synchronized void probe() {
        KubeApi current = api;
        if (current != null && probe != null) {
            probe = null;
            watch.resume(current);
        }
    }

    @Override
    public void endsAtOnce(int inARow) {
        is(ApiFailure.noAnswer(ApiFailure.Cause.UNREADABLE, "the server ends the watch at once, " + inARow + " times"));
    }

    @Override
    public void recovered() {
        synchronized (this) {
            refusals = 0;
        }
        is(null);
    }

    private void is(@Nullable ApiFailure failure) {
        trouble = failure;
        owner.trouble(resource, failure);
    }

    @Override
    public void restarted(Restart why) {
        owner.restarted(resource, why);
    }
}
