package io.osmhub.core.resource;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Collections of wire records, where absent and empty differ: immutable copies, and from one to the other. */
public final class Copies {
    private Copies() {}

    public static <T> @Nullable List<T> of(@Nullable List<T> list) {
        return list == null ? null : List.copyOf(list);
    }

    /** In the order given, so that an object is written as it was read. */
    public static <V> @Nullable Map<String, V> of(@Nullable Map<String, V> map) {
        return map == null ? null : Collections.unmodifiableMap(new LinkedHashMap<>(map));
    }

    /** An empty list is left out when written. */
    public static <T> @Nullable List<T> nullIfEmpty(List<T> list) {
        return list.isEmpty() ? null : list;
    }

    /** An empty map is left out when written; the others come in the order of their keys, so that output is stable. */
    public static <V> @Nullable Map<String, V> nullIfEmpty(Map<String, V> map) {
        return map.isEmpty() ? null : new TreeMap<>(map);
    }

    /** An empty text is left out when written. */
    public static @Nullable String nullIfEmpty(String text) {
        return text.isEmpty() ? null : text;
    }

    /** The items; none when the list is absent. */
    public static <T> Stream<T> stream(@Nullable List<T> list) {
        return list == null ? Stream.empty() : list.stream();
    }
}
