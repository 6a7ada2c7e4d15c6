package io.osmhub.core.problem;

import java.util.Locale;

/** Who has to act on a reason. */
public enum Actor {
    /** Edits profiles and MachineDeployments. Never retried until an input changes. */
    TENANT,
    /** Runs the hub and the clusters. */
    OPERATOR,
    /** The hub; no user action is needed. */
    HUB;

    /** The value in metrics and documentation. */
    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }
}
