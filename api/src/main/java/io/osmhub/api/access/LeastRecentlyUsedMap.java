package io.osmhub.api.access;

import java.util.LinkedHashMap;
import java.util.Map;

/** A bounded map that evicts the least recently used entry. Not thread-safe. */
final class LeastRecentlyUsedMap<K, V> extends LinkedHashMap<K, V> {
    private static final long serialVersionUID = 1L;

    private final int most;

    LeastRecentlyUsedMap(int most) {
        super(16, 0.75f, true);
        this.most = most;
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
        return size() > most;
    }
}
