package io.osmhub.api.ops;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Whether the process does its work, in named parts. Asked on an event loop: a part answers at once. No worker cluster is a part,
 * because one bad tenant must not restart a hub that serves a thousand.
 */
public final class Health {
    private final Map<String, Supplier<@Nullable String>> parts = new LinkedHashMap<>();

    /**
     * Adds a part.
     *
     * @param failure says in a clause why the part has failed, null while it is right
     */
    public Health with(String name, Supplier<@Nullable String> failure) {
        parts.put(name, failure);
        return this;
    }

    /** What each part says now, but for the excluded ones. */
    Report report(Set<String> excluded) {
        Map<String, String> failures = new LinkedHashMap<>();
        parts.forEach((name, failure) -> {
            if (!excluded.contains(name)) {
                String why = failure.get();
                failures.put(name, why == null ? "" : why);
            }
        });
        return new Report(failures);
    }

    /** {@code failures} by part; empty text for one that is right. */
    record Report(Map<String, String> failures) {
        boolean ok() {
            return failures.values().stream().allMatch(String::isEmpty);
        }

        private List<String> failed() {
            return failures.entrySet().stream()
                    .filter(part -> !part.getValue().isEmpty())
                    .map(Map.Entry::getKey)
                    .toList();
        }

        String line() {
            return ok() ? "ok\n" : "failed: " + String.join(", ", failed()) + "\n";
        }

        String verbose() {
            return failures.entrySet().stream()
                            .map(part -> (part.getValue().isEmpty() ? "ok      " : "failed  ")
                                    + part.getKey()
                                    + (part.getValue().isEmpty() ? "" : ": " + part.getValue())
                                    + "\n")
                            .collect(Collectors.joining())
                    + line();
        }
    }
}
