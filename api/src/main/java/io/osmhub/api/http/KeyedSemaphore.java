package io.osmhub.api.http;

import java.util.HashMap;
import java.util.Map;

/** A semaphore with a limit per key and a total limit. Thread-safe. */
final class KeyedSemaphore {
    private final int each;
    private final int all;
    private final Map<String, Integer> taken = new HashMap<>();
    private int sum;

    /** Result of an attempt. */
    enum AcquireResult {
        TAKEN,
        NAME_HAS_ALL,
        NONE_LEFT
    }

    KeyedSemaphore(int each, int all) {
        this.each = each;
        this.all = all;
    }

    synchronized AcquireResult tryAcquire(String name) {
        int now = taken.getOrDefault(name, 0);
        if (now >= each) {
            return AcquireResult.NAME_HAS_ALL;
        }
        if (sum >= all) {
            return AcquireResult.NONE_LEFT;
        }
        taken.put(name, now + 1);
        sum++;
        return AcquireResult.TAKEN;
    }

    /** Returns a permit. */
    synchronized void release(String name) {
        taken.computeIfPresent(name, (same, now) -> now == 1 ? null : now - 1);
        sum--;
    }
}
