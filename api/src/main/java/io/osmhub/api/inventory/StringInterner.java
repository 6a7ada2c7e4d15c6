package io.osmhub.api.inventory;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Interns texts shared by many rows: namespaces, profiles, operating systems. Comparing them then needs no character comparison. */
final class StringInterner {
    /** More than any fleet needs; unused names are evicted with the others. */
    private static final int MOST = 50_000;

    private static final Map<String, String> TEXTS = new ConcurrentHashMap<>();

    private StringInterner() {}

    static String intern(String text) {
        if (TEXTS.size() > MOST) {
            TEXTS.clear();
        }
        String known = TEXTS.putIfAbsent(text, text);
        return known == null ? text : known;
    }
}
