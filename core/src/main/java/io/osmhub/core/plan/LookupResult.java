package io.osmhub.core.plan;

import io.osmhub.core.problem.ProblemFinding;
import java.util.List;

/** Result of looking up an input: its value, or findings that state why it is missing. */
public sealed interface LookupResult<T> {
    record Found<T>(T value) implements LookupResult<T> {}

    /** @param findings at least one */
    record Missing<T>(List<ProblemFinding> findings) implements LookupResult<T> {
        public Missing {
            findings = List.copyOf(findings);
            if (findings.isEmpty()) {
                throw new IllegalArgumentException("missing without a finding");
            }
        }
    }

    static <T> LookupResult<T> of(T value) {
        return new Found<>(value);
    }

    static <T> LookupResult<T> missing(ProblemFinding finding) {
        return new Missing<>(List.of(finding));
    }

    /** Empty if it was found. */
    default List<ProblemFinding> findings() {
        return switch (this) {
            case Found<T> _ -> List.of();
            case Missing<T>(List<ProblemFinding> findings) -> findings;
        };
    }
}
