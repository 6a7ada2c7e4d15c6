package io.osmhub.core.problem;

import java.util.List;

/** Something did not answer, or not yet; it is tried again with a backoff. */
public final class Unreachable extends Problem {
    private static final long serialVersionUID = 1L;

    public Unreachable(Finding finding) {
        super(List.of(finding), false);
    }
}
