package io.osmhub.workersync.watch;

/** Takes in what the API server says: into the cache first, so that who hears of it finds it there. */
record Intake<T>(ObjectCache<T> cache, Feed<T> feed) {
    void replace(WatchEvent.Page<T> list) {
        cache.replace(list.items(), list.resourceVersion());
        feed.listed(list.items(), list.resourceVersion());
    }

    /** Where to go on from after an event; {@code otherwise} when it does not say. */
    String take(WatchEvent<T> event, String otherwise) {
        return switch (event) {
            case WatchEvent.Put<T>(Seen<T> seen, boolean added) -> {
                cache.put(seen, ObjectCache.Origin.WATCHED);
                feed.put(seen, added);
                yield seen.resourceVersion();
            }
            case WatchEvent.Gone<T>(Seen<T> last) -> {
                cache.gone(last);
                feed.gone(last);
                yield last.resourceVersion();
            }
            case WatchEvent.Bookmark<T>(String version) -> {
                cache.reached(version);
                feed.reached(version);
                yield version;
            }
            case WatchEvent.Failed<T> _ -> otherwise;
        };
    }
}
