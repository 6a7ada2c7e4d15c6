package io.osmhub.core.problem;

import java.util.List;
import java.util.stream.Collectors;

/**
 * An operation failed, sealed by who has to act. Retry policy, conditions and API responses each switch over it, so
 * that they agree. A message never contains a secret's content.
 */
public abstract sealed class ProblemException extends RuntimeException permits TenantMistake, Unreachable {
    private static final long serialVersionUID = 1L;

    private final transient List<Problem> findings;

    ProblemException(List<Problem> findings) {
        super(findings.stream().map(Problem::toString).collect(Collectors.joining("\n")), null, false, false);
        if (findings.isEmpty()) {
            throw new IllegalArgumentException("a failure without a problem");
        }
        this.findings = List.copyOf(findings);
    }

    /** All that was found, at least one, in the order of the input. */
    public List<Problem> findings() {
        return findings;
    }
}
