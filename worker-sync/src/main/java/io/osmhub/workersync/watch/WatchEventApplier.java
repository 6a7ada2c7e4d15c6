package io.osmhub.workersync.watch;

/** Applies watch events: to the cache first, so that listeners find the change there. */
record WatchEventApplier<T>(ObjectCache<T> cache, WatchEventListener<T> feed) {
    /** @param ownChanges {@link ObjectCache#ownChangeCount} before the request */
    void applyList(WatchEvent.DecodedListPage<T> list, long ownChanges) {
        cache.replace(list.items(), list.resourceVersion(), ownChanges);
        feed.onListed(list.items(), list.resourceVersion());
    }

    /** Returns the version to resume from after an event; {@code otherwise} if the event has none. */
    String applyEvent(WatchEvent<T> event, String otherwise) {
        return switch (event) {
            case WatchEvent.Upserted<T>(ObservedObject<T> seen, boolean added) -> {
                cache.put(seen, ObjectCache.Origin.WATCHED);
                feed.onUpserted(seen, added);
                yield seen.resourceVersion();
            }
            case WatchEvent.Deleted<T>(ObservedObject<T> last) -> {
                cache.removeGone(last);
                feed.onDeleted(last);
                yield last.resourceVersion();
            }
            case WatchEvent.Bookmark<T>(String version) -> {
                feed.onBookmark(version);
                yield version;
            }
            case WatchEvent.Failed<T> _ -> otherwise;
        };
    }
}
