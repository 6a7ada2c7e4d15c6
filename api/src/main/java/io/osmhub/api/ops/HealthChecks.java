package io.osmhub.api.ops;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Health of the process, in named parts. Checks run on an event loop and must not block. Worker clusters are not part of it, because
 * one broken tenant must not restart a hub that serves a thousand.
 */
public final class HealthChecks {
    private final Map<String, Supplier<@Nullable String>> parts = new LinkedHashMap<>();

    /**
     * Adds a check.
     *
     * @param failure returns the reason of a failure as a clause, null if healthy
     */
    public HealthChecks addCheck(String name, Supplier<@Nullable String> failure) {
        parts.put(name, failure);
        return this;
    }

    /** Runs all checks except the excluded ones. */
    HealthReport report(Set<String> excluded) {
        Map<String, String> failures = new LinkedHashMap<>();
        parts.forEach((name, failure) -> {
            if (!excluded.contains(name)) {
                String why = failure.get();
                failures.put(name, why == null ? "" : why);
            }
        });
        return new HealthReport(failures);
    }

    /** {@code failures} by part; empty text for a healthy one. */
    record HealthReport(Map<String, String> failures) {
        boolean isHealthy() {
            return failures.values().stream().allMatch(String::isEmpty);
        }

        private List<String> failed() {
            return failures.entrySet().stream()
                    .filter(part -> !part.getValue().isEmpty())
                    .map(Map.Entry::getKey)
                    .toList();
        }

        String line() {
            return isHealthy() ? "ok\n" : "failed: " + String.join(", ", failed()) + "\n";
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
