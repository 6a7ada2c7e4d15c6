package io.osmhub.api.schema;

import io.osmhub.core.resource.Copies;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * All that is known of one MachineDeployment, for the page about it.
 *
 * @param problems open ones, worst first
 * @param history newest first
 */
public record MachineDeploymentDetail(
        MachineDeployment machineDeployment,
        @Nullable List<ProblemEntry> problems,
        @Nullable Source wanted,
        @Nullable Source published,
        @Nullable List<DocumentSize> sizes,
        @Nullable List<HistoryEntry> history,
        List<PublishedSecret> objects) {
    public MachineDeploymentDetail {
        Objects.requireNonNull(machineDeployment, "machineDeployment");
        problems = Copies.of(problems);
        sizes = Copies.of(sizes);
        history = Copies.of(history);
        objects = List.copyOf(objects);
    }
}
