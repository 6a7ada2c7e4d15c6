package io.osmhub.api.console;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An operation's response as an API client reads it: pages show only what the API sends. Paths are field names of the contract
 * joined by dots; absent values read as empty.
 */
record ReplyTree(Map<String, Object> tree) {
    static final ReplyTree NONE = new ReplyTree(Map.of());

    /** The value at a path, or null. */
    @Nullable Object value(String path) {
        Object at = tree;
        for (String field : path.split("\\.", -1)) {
            at = at instanceof Map<?, ?> map ? map.get(field) : null;
        }
        return at;
    }

    boolean has(String path) {
        return !TemplateHelpers.isEmpty(value(path));
    }

    String text(String path) {
        return TemplateHelpers.text(value(path));
    }

    long number(String path) {
        return TemplateHelpers.number(value(path));
    }

    boolean flag(String path) {
        return Boolean.TRUE.equals(value(path));
    }

    Optional<Instant> instant(String path) {
        return TimeFormats.read(value(path));
    }

    /** The object at a path; an empty one if absent. */
    ReplyTree at(String path) {
        return value(path) instanceof Map<?, ?> map ? new ReplyTree(copy(map)) : NONE;
    }

    List<ReplyTree> list(String path) {
        return value(path) instanceof List<?> list
                ? list.stream()
                        .filter(Map.class::isInstance)
                        .map(item -> new ReplyTree(copy((Map<?, ?>) item)))
                        .toList()
                : List.of();
    }

    List<String> texts(String path) {
        return value(path) instanceof List<?> list
                ? list.stream().filter(Objects::nonNull).map(Object::toString).toList()
                : List.of();
    }

    /** A mutable copy. */
    Map<String, Object> toMutableMap() {
        return new LinkedHashMap<>(tree);
    }

    private static Map<String, Object> copy(Map<?, ?> map) {
        Map<String, Object> copy = new LinkedHashMap<>();
        map.forEach((key, value) -> copy.put(key.toString(), value));
        return copy;
    }
}
