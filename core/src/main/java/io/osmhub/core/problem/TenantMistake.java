package io.osmhub.core.problem;

import java.util.List;

/** The input is wrong; not retried until it is edited. */
public final class TenantMistake extends Problem {
    private static final long serialVersionUID = 1L;

    public TenantMistake(List<ProblemFinding> findings) {
        super(findings, false);
    }

    public TenantMistake(ProblemFinding finding) {
        this(List.of(finding));
    }
}
