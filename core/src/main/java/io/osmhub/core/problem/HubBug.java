package io.osmhub.core.problem;

import java.util.List;

/** A fault of the hub itself; carries a stack trace. */
public final class HubBug extends Problem {
    private static final long serialVersionUID = 1L;

    public HubBug(Finding finding) {
        super(List.of(finding), true);
    }
}
