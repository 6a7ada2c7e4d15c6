package io.osmhub.api.schema;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A profile and a MachineDeployment to render, stored or contained in the request.
 *
 * @param settings replace the tenant's
 * @param documents absent means all
 */
public record RenderRequest(
        @Nullable String tenant,
        @Nullable ObjectSource profile,
        ObjectSource machineDeployment,
        @Nullable WorkerClusterSettings settings,
        @Nullable List<DocumentName> documents) {}
