package io.osmhub.core.problem;

import java.util.List;

/** The input is wrong; trying again is useless until somebody edits it. */
public final class TenantMistake extends Problem {
    private static final long serialVersionUID = 1L;

    public TenantMistake(List<Finding> findings) {
        super(findings, false);
    }

    public TenantMistake(Finding finding) {
        this(List.of(finding));
    }
}
