package io.osmhub.core.problem;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Locale;

/** Who has to act on a reason. */
public enum Actor {
    /** Edits profiles and MachineDeployments. Never retried until an input changes. */
    @JsonProperty("tenant")
    TENANT,
    /** Runs the hub and the clusters. */
    @JsonProperty("operator")
    OPERATOR,
    /** The hub; no user action is needed. */
    @JsonProperty("hub")
    HUB;

    /** The value in metrics and documentation. */
    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }
}
