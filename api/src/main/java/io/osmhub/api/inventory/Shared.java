package io.osmhub.api.inventory;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** One copy of texts that many rows have: namespaces, profiles, operating systems. Comparing them then needs no look at their letters. */
final class Shared {
    /** More than any fleet has; names that nobody uses any more are forgotten with the others. */
    private static final int MOST = 50_000;

    private static final Map<String, String> TEXTS = new ConcurrentHashMap<>();

    private Shared() {}

    static String of(String text) {
        if (TEXTS.size() > MOST) {
            TEXTS.clear();
        }
        String known = TEXTS.putIfAbsent(text, text);
        return known == null ? text : known;
    }
}
