package io.osmhub.core.problem;

import java.util.List;

/** A service did not respond; retried with backoff. */
public final class Unreachable extends ProblemException {
    private static final long serialVersionUID = 1L;

    public Unreachable(Problem finding) {
        super(List.of(finding));
    }
}
