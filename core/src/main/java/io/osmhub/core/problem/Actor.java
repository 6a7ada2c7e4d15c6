package io.osmhub.core.problem;

import java.util.Locale;

/** Who has to act on a reason. */
public enum Actor {
    /** Whoever edits profiles and MachineDeployments. Nothing is tried again until an input changes. */
    TENANT,
    /** Whoever runs the hub and the clusters. */
    OPERATOR,
    /** Nobody: the hub heals it. */
    HUB;

    /** As in metrics and documentation. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
