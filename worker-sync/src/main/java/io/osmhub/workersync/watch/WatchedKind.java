package io.osmhub.workersync.watch;

import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.apiserver.MemoryBudget;
import io.osmhub.workersync.apiserver.Resource;
import org.jspecify.annotations.Nullable;

/**
 * One of the lists of {@link WorkerObjects}, and how it stands by itself. Safe for use by many threads.
 */
final class WatchedKind<T> implements WatchListener {
    private final ListWatch<T> watch;
    private final Resource resource;
    /** There is another source, or people are told what is missing. */
    private final boolean optional;

    private final Owner owner;

    /** Forbidden or not served where there is another source: it counts as empty. */
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
            Surroundings around,
            Bounds bounds,
            MemoryBudget.Share memory) {
        this.resource = selection.resource();
        this.optional = optional;
        this.owner = owner;
        this.watch =
                new ListWatch<>(selection, decoder, cache, Feed.toNobody(), this, around, optional, bounds, memory);
    }

    void resume(KubeApi with) {
        trouble = null;
        watch.resume(with);
    }

    void suspend() {
        watch.suspend();
    }

    void end() {
        watch.end();
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
        if (failure.isNotFound() && optional) {
            // This API server does not serve the kind, which is not a fault of the connection.
            doneWithout = true;
            if (trouble != null) {
                is(null);
            }
            owner.done();
        } else {
            is(failure);
        }
    }

    @Override
    public void refused(ApiFailure failure) {
        doneWithout = failure.isForbidden() && optional;
        is(failure);
        owner.done();
    }

    @Override
    public void endsAtOnce(int inARow) {
        is(ApiFailure.noAnswer(ApiFailure.Cause.UNREADABLE, "the server ends the watch at once, " + inARow + " times"));
    }

    @Override
    public void recovered() {
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
