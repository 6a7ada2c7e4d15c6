package io.osmhub.core.problem;

import java.util.List;

/** A service did not respond; retried with backoff. */
public final class Unreachable extends Problem {
    private static final long serialVersionUID = 1L;

    public Unreachable(ProblemFinding finding) {
        super(List.of(finding), false);
    }
}
