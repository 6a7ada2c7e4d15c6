package io.osmhub.workersync.watch;

import java.util.Collection;

/**
 * Receives all events of a selection from the API server, in order. The hub's own writes appear only when the server delivers
 * them. Called under a lock; must not block.
 */
public interface WatchEventListener<T> {
    /** All objects at one version. Changes between the previous call and this one are unknown. */
    void onListed(Collection<ObservedObject<T>> objects, String resourceVersion);

    /** An object was created or changed. {@code added}: the name did not exist before. */
    void onUpserted(ObservedObject<T> seen, boolean added);

    /** An object was deleted; {@code last} has the version of its deletion. */
    void onDeleted(ObservedObject<T> last);

    /** All changes up to this version were delivered. */
    void onBookmark(String resourceVersion);

    static <T> WatchEventListener<T> noop() {
        return new WatchEventListener<>() {
            @Override
            public void onListed(Collection<ObservedObject<T>> objects, String resourceVersion) {}

            @Override
            public void onUpserted(ObservedObject<T> seen, boolean added) {}

            @Override
            public void onDeleted(ObservedObject<T> last) {}

            @Override
            public void onBookmark(String resourceVersion) {}
        };
    }
}
