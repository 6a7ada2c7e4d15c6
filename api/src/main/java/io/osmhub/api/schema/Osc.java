package io.osmhub.api.schema;

import io.osmhub.core.osc.OperatingSystemConfigStatus.NewNodes;
import io.osmhub.core.resource.Condition;
import java.util.List;
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
        @Nullable Long bootstrapBytes) {}
