package io.osmhub.api.http;

import java.util.HashMap;
import java.util.Map;

/** Places that many take under a name: so many for each name, and so many for all together. Safe for use by many threads. */
final class Shares {
    private final int each;
    private final int all;
    private final Map<String, Integer> taken = new HashMap<>();
    private int sum;

    /** What became of who wanted a place. */
    enum Outcome {
        TAKEN,
        NAME_HAS_ALL,
        NONE_LEFT
    }

    Shares(int each, int all) {
        this.each = each;
        this.all = all;
    }

    synchronized Outcome take(String name) {
        int now = taken.getOrDefault(name, 0);
        if (now >= each) {
            return Outcome.NAME_HAS_ALL;
        }
        if (sum >= all) {
            return Outcome.NONE_LEFT;
        }
        taken.put(name, now + 1);
        sum++;
        return Outcome.TAKEN;
    }

    /** Gives back a place that was taken. */
    synchronized void free(String name) {
        taken.computeIfPresent(name, (same, now) -> now == 1 ? null : now - 1);
        sum--;
    }

    /** For whom anything is remembered. */
    synchronized int names() {
        return taken.size();
    }
}
