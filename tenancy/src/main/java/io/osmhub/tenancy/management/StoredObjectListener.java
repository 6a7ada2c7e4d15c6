package io.osmhub.tenancy.management;

import io.osmhub.workersync.watch.ObjectKey;
import io.osmhub.workersync.watch.ObservedObject;
import io.osmhub.workersync.watch.WatchEventListener;
import java.util.Collection;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Receives the stored objects of one kind: each cached form as soon as it is known, including responses to the hub's own writes,
 * and all events of the API server in order. Called under a lock; must not block.
 */
public interface StoredObjectListener<T> extends WatchEventListener<T> {
    /** An object changed; {@code after} is null if it was deleted. */
    void onChanged(ObjectKey key, @Nullable T after);

    /** Passes cached forms to the first consumer, then API server events to the second, which can rely on the first. */
    static <T> StoredObjectListener<T> of(BiConsumer<ObjectKey, @Nullable T> remembered, WatchEventListener<T> told) {
        return new StoredObjectListener<>() {
            @Override
            public void onChanged(ObjectKey key, @Nullable T after) {
                remembered.accept(key, after);
            }

            @Override
            public void onListed(Collection<ObservedObject<T>> objects, String resourceVersion) {
                told.onListed(objects, resourceVersion);
            }

            @Override
            public void onUpserted(ObservedObject<T> seen, boolean added) {
                told.onUpserted(seen, added);
            }

            @Override
            public void onDeleted(ObservedObject<T> last) {
                told.onDeleted(last);
            }

            @Override
            public void onBookmark(String resourceVersion) {
                told.onBookmark(resourceVersion);
            }
        };
    }

    static <T> StoredObjectListener<T> noop() {
        return of((key, after) -> {}, WatchEventListener.noop());
    }
}
