package io.osmhub.api.console;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What an operation answered, as the tree that a client of the API reads: pages show nothing that the API would not send. Paths are
 * field names of the contract, joined by dots; what is absent reads as empty.
 */
record Answer(Map<String, Object> tree) {
    static final Answer NONE = new Answer(Map.of());

    /** The value at a path, or null. */
    @Nullable Object value(String path) {
        Object at = tree;
        for (String field : path.split("\\.", -1)) {
            at = at instanceof Map<?, ?> map ? map.get(field) : null;
        }
        return at;
    }

    boolean has(String path) {
        return !Helpers.isEmpty(value(path));
    }

    String text(String path) {
        return Helpers.text(value(path));
    }

    long number(String path) {
        return Helpers.number(value(path));
    }

    boolean truth(String path) {
        return Boolean.TRUE.equals(value(path));
    }

    Optional<Instant> moment(String path) {
        return Moments.read(value(path));
    }

    /** The object at a path; an empty one when there is none. */
    Answer at(String path) {
        return value(path) instanceof Map<?, ?> map ? new Answer(copy(map)) : NONE;
    }

    /** The objects of the list at a path. */
    List<Answer> list(String path) {
        return value(path) instanceof List<?> list
                ? list.stream()
                        .filter(Map.class::isInstance)
                        .map(item -> new Answer(copy((Map<?, ?>) item)))
                        .toList()
                : List.of();
    }

    /** The texts of the list at a path. */
    List<String> texts(String path) {
        return value(path) instanceof List<?> list
                ? list.stream().filter(Objects::nonNull).map(Object::toString).toList()
                : List.of();
    }

    /** A copy that a page may add to. */
    Map<String, Object> open() {
        return new LinkedHashMap<>(tree);
    }

    private static Map<String, Object> copy(Map<?, ?> map) {
        Map<String, Object> copy = new LinkedHashMap<>();
        map.forEach((key, value) -> copy.put(key.toString(), value));
        return copy;
    }
}
