package io.osmhub.core.resource;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Collections of wire records, where absent and empty differ: immutable copies and conversions. */
public final class NullableCollections {
    private NullableCollections() {}

    public static <T> @Nullable List<T> copyOf(@Nullable List<T> list) {
        return list == null ? null : List.copyOf(list);
    }

    /** An absent list is read as an empty one. */
    public static <T> List<T> emptyIfNull(@Nullable List<T> list) {
        return list == null ? List.of() : List.copyOf(list);
    }

    /** An empty list is left out when written. */
    public static <T> @Nullable List<T> nullIfEmpty(List<T> list) {
        return list.isEmpty() ? null : list;
    }

    /** An empty map is left out when written; others are sorted by key, so that output is stable. */
    public static <V> @Nullable Map<String, V> nullIfEmpty(Map<String, V> map) {
        return map.isEmpty() ? null : new TreeMap<>(map);
    }

    /** An empty text is left out when written. */
    public static @Nullable String nullIfEmpty(String text) {
        return text.isEmpty() ? null : text;
    }

    /** The items; none if the list is absent. */
    public static <T> Stream<T> stream(@Nullable List<T> list) {
        return list == null ? Stream.empty() : list.stream();
    }
}
