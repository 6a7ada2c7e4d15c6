package io.osmhub.api.schema;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One page of MachineDeployments. */
public record MachineDeploymentList(
        List<MachineDeploymentEntry> items,
        @JsonProperty("continue") @Nullable String next,
        @Nullable String previous,
        @Nullable Integer offset,
        @Nullable Integer total,
        @Nullable Boolean stale)
        implements PagedList<MachineDeploymentEntry> {
    public MachineDeploymentList {
        items = List.copyOf(items);
    }
}
