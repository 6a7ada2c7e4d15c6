package io.osmhub.api.schema;

import java.util.List;
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
        List<PublishedSecret> objects) {}
