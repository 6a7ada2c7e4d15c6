package io.osmhub.core.problem;

import java.util.List;

/**
 * Why an operation failed, sealed by who has to act. Retry policy, conditions and API responses each switch over it, so
 * that they agree. A message never contains a secret's content.
 */
public abstract sealed class Problem extends RuntimeException permits TenantMistake, Unreachable {
    private static final long serialVersionUID = 1L;

    private final transient List<ProblemFinding> findings;

    Problem(List<ProblemFinding> findings, boolean stackTrace) {
        super(message(findings), null, false, stackTrace);
        this.findings = List.copyOf(findings);
    }

    /** All that was found, at least one, in the order of the input. */
    public List<ProblemFinding> findings() {
        return findings;
    }

    private static String message(List<ProblemFinding> findings) {
        if (findings.isEmpty()) {
            throw new IllegalArgumentException("a problem without a finding");
        }
        return String.join("\n", findings.stream().map(ProblemFinding::toString).toList());
    }
}
