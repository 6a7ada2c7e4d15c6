package io.osmhub.api.schema;

import io.osmhub.core.resource.Copies;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What to render: a profile and a MachineDeployment, stored ones or ones in the request.
 *
 * @param settings in place of those of the tenant
 * @param documents absent means all
 */
public record RenderRequest(
        @Nullable String tenant,
        @Nullable ObjectSource profile,
        ObjectSource machineDeployment,
        @Nullable WorkerClusterSettings settings,
        @Nullable List<DocumentName> documents) {
    public RenderRequest {
        Objects.requireNonNull(machineDeployment, "machineDeployment");
        documents = Copies.of(documents);
    }
}
