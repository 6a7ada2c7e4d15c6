package io.osmhub.core.problem;

import java.util.List;

/**
 * Why something could not be done, sealed by who has to act. Retry policy, conditions and API answers each switch over it,
 * so that all agree. A message never holds the content of a secret.
 */
public abstract sealed class Problem extends RuntimeException permits TenantMistake, Unreachable {
    private static final long serialVersionUID = 1L;

    private final transient List<Finding> findings;

    Problem(List<Finding> findings, boolean stackTrace) {
        super(message(findings), null, false, stackTrace);
        this.findings = List.copyOf(findings);
    }

    /** All that was found, at least one, in the order of the input. */
    public List<Finding> findings() {
        return findings;
    }

    private static String message(List<Finding> findings) {
        if (findings.isEmpty()) {
            throw new IllegalArgumentException("a problem without a finding");
        }
        return String.join("\n", findings.stream().map(Finding::toString).toList());
    }
}
