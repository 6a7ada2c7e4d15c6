package io.osmhub.api.schema;

import io.osmhub.core.osc.OperatingSystemConfigStatus.NewNodes;
import io.osmhub.core.resource.Condition;
import io.osmhub.core.resource.NullableCollections;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An OperatingSystemConfig in a list.
 *
 * @param machineDeployment in the worker cluster
 * @param bootstrapBytes size of the bootstrap secret
 */
public record Osc(
        Metadata metadata,
        @Nullable String workerCluster,
        ObjectRef machineDeployment,
        @Nullable String osName,
        @Nullable String cloudProvider,
        NewNodes newNodes,
        @Nullable List<Condition> conditions,
        @Nullable ConfigurationSource source,
        @Nullable Long bootstrapBytes) {
    public Osc {
        Objects.requireNonNull(metadata, "metadata");
        Objects.requireNonNull(machineDeployment, "machineDeployment");
        Objects.requireNonNull(newNodes, "newNodes");
        conditions = NullableCollections.copyOf(conditions);
    }
}
