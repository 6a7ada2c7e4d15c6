package io.osmhub.api.schema;

import io.osmhub.core.resource.NullableCollections;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Details of one MachineDeployment.
 *
 * @param problems open ones, worst first
 * @param history newest first
 */
public record MachineDeploymentDetail(
        MachineDeploymentEntry machineDeployment,
        @Nullable List<ProblemEntry> problems,
        @Nullable ConfigurationSource wanted,
        @Nullable ConfigurationSource published,
        @Nullable List<DocumentSize> sizes,
        @Nullable List<HistoryEntry> history,
        List<PublishedSecret> objects) {
    public MachineDeploymentDetail {
        Objects.requireNonNull(machineDeployment, "machineDeployment");
        problems = NullableCollections.copyOf(problems);
        sizes = NullableCollections.copyOf(sizes);
        history = NullableCollections.copyOf(history);
        objects = List.copyOf(objects);
    }
}
