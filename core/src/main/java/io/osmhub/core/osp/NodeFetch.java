package io.osmhub.core.osp;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.osmhub.core.resource.WireEnum;

/** One way in which the machines of a profile can fetch the rest of their configuration; an item of {@code spec.supportedNodeFetch}. */
@WireEnum
public enum NodeFetch {
    /** With one token for all MachineDeployments, which does not end. */
    @JsonProperty("SharedToken")
    SHARED_TOKEN("SharedToken"),

    /** With a token of its own, which ends: the profile fetches at the first boot only, or reads the token anew. */
    @JsonProperty("ScopedToken")
    SCOPED_TOKEN("ScopedToken");

    private final String wireName;

    NodeFetch(String wireName) {
        this.wireName = wireName;
    }

    public String wireName() {
        return wireName;
    }
}
