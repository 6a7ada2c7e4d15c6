package io.osmhub.workersync.watch;

import io.osmhub.workersync.apiserver.MemoryBudget;
import io.osmhub.workersync.apiserver.MemoryBudget.MemoryShare;
import io.osmhub.workersync.apiserver.Resource;

/**
 * A selection of objects, and the cache that keeps them.
 *
 * @param limits of what is kept
 * @param memoryShare of the API server, for what is kept
 * @param optional whether the API server may not serve the kind; it is then requested less often
 */
public record CachedSelection<T>(
        Selection selection,
        ObjectDecoder<T> decoder,
        ObjectCache<T> cache,
        SelectionLimits limits,
        MemoryShare memoryShare,
        boolean optional) {
    /** Without limits, for the operator's own management cluster. */
    public static <T> CachedSelection<T> unlimited(
            Selection selection, ObjectDecoder<T> decoder, ObjectCache<T> cache, boolean optional) {
        return new CachedSelection<>(
                selection,
                decoder,
                cache,
                SelectionLimits.NONE,
                MemoryBudget.unlimited().createShare(),
                optional);
    }

    public Resource resource() {
        return selection.resource();
    }
}
