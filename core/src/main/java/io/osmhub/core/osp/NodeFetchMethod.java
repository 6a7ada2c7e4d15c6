package io.osmhub.core.osp;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.osmhub.core.resource.WireEnum;

/** How the machines of a profile can fetch the rest of their configuration; an item of {@link ProfileAnnotations#SUPPORTED_NODE_FETCH}. */
@WireEnum
public enum NodeFetchMethod {
    /** One token for all MachineDeployments, which does not expire. */
    @JsonProperty("SharedToken")
    SHARED_TOKEN("SharedToken"),

    /** A token for each MachineDeployment, which expires: the profile fetches at the first boot only, or reads the token again. */
    @JsonProperty("ScopedToken")
    SCOPED_TOKEN("ScopedToken");

    private final String wireName;

    NodeFetchMethod(String wireName) {
        this.wireName = wireName;
    }

    public String wireName() {
        return wireName;
    }
}
