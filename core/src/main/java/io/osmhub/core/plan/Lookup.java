package io.osmhub.core.plan;

import io.osmhub.core.problem.Finding;
import java.util.List;

/** An input that was looked for: it is there, or findings say what is wrong and who can mend it. */
public sealed interface Lookup<T> {
    record Found<T>(T value) implements Lookup<T> {}

    /** @param findings at least one */
    record Missing<T>(List<Finding> findings) implements Lookup<T> {
        public Missing {
            findings = List.copyOf(findings);
            if (findings.isEmpty()) {
                throw new IllegalArgumentException("missing without a finding");
            }
        }
    }

    static <T> Lookup<T> of(T value) {
        return new Found<>(value);
    }

    static <T> Lookup<T> missing(Finding finding) {
        return new Missing<>(List.of(finding));
    }

    /** What is wrong; empty when it was found. */
    default List<Finding> findings() {
        return switch (this) {
            case Found<T> _ -> List.of();
            case Missing<T>(List<Finding> findings) -> findings;
        };
    }
}
