package io.osmhub.core.problem;

import java.util.List;

/** The input is wrong; not retried until it is edited. */
public final class TenantMistake extends ProblemException {
    private static final long serialVersionUID = 1L;

    public TenantMistake(List<Problem> findings) {
        super(findings);
    }

    public TenantMistake(Problem finding) {
        this(List.of(finding));
    }
}
