package io.osmhub.workersync.watch;

import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.MemoryBudget;
import io.osmhub.workersync.apiserver.ObjectSource;
import io.osmhub.workersync.apiserver.Resource;
import org.jspecify.annotations.Nullable;

/** One of the lists of {@link WorkerInformers} and its state. Thread-safe. */
final class ResourceWatch<T> implements ListWatchListener {
    private final ListWatch<T> watch;
    private final Resource resource;
    /** There is another source, or the missing kind is reported. */
    private final boolean optional;

    private final ResourceWatchListener resourceWatchListener;

    /** Forbidden or not served, and optional: counts as empty. */
    private volatile boolean doneWithout;

    private volatile @Nullable ApiFailure latestFailure;

    /** Must not block. */
    interface ResourceWatchListener {
        /** The list is complete, or will stay unavailable. */
        void onInitialized();

        /** Null when it works again. */
        void onFailureChanged(Resource resource, @Nullable ApiFailure failure);

        void onRestarted(Resource resource, RestartReason why);
    }

    ResourceWatch(
            Selection selection,
            ObjectDecoder<T> decoder,
            ObjectCache<T> cache,
            boolean optional,
            ResourceWatchListener resourceWatchListener,
            RuntimeContext around,
            SelectionLimits bounds,
            MemoryBudget.MemoryShare memory) {
        this.resource = selection.resource();
        this.optional = optional;
        this.resourceWatchListener = resourceWatchListener;
        this.watch = new ListWatch<>(
                selection, decoder, cache, WatchEventListener.noop(), this, around, optional, bounds, memory);
    }

    void resume(ObjectSource with) {
        latestFailure = null;
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

    /** Null while it works. */
    @Nullable ApiFailure latestFailure() {
        return latestFailure;
    }

    @Override
    public void onSynced() {
        resourceWatchListener.onInitialized();
    }

    @Override
    public void onFailed(ApiFailure failure, int inARow) {
        if (failure.isNotFound() && optional) {
            // The API server does not serve the kind; the connection is fine.
            doneWithout = true;
            if (latestFailure != null) {
                setFailure(null);
            }
            resourceWatchListener.onInitialized();
        } else {
            setFailure(failure);
        }
    }

    @Override
    public void onAccessDenied(ApiFailure failure) {
        doneWithout = failure.isForbidden() && optional;
        setFailure(failure);
        resourceWatchListener.onInitialized();
    }

    @Override
    public void onShortWatches(int inARow) {
        setFailure(ApiFailure.withoutResponse(
                ApiFailure.ApiFailureKind.UNREADABLE,
                "the server ended the watch at once, " + inARow + " times in a row"));
    }

    @Override
    public void onRecovered() {
        setFailure(null);
    }

    private void setFailure(@Nullable ApiFailure failure) {
        latestFailure = failure;
        resourceWatchListener.onFailureChanged(resource, failure);
    }

    @Override
    public void onRestarted(RestartReason why) {
        resourceWatchListener.onRestarted(resource, why);
    }
}
