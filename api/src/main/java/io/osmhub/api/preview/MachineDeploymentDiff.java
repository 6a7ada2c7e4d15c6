package io.osmhub.api.preview;

import io.osmhub.api.schema.DiffReport.Item.Result;
import io.osmhub.core.plan.Preview;
import io.osmhub.core.problem.ReasonMessage;
import io.osmhub.workersync.watch.ObjectKey;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Effect of a change on one MachineDeployment, without texts.
 *
 * @param sizes of the documents that differ
 * @param problem why it would not be published; null if it would
 */
record MachineDeploymentDiff(
        String tenant,
        String workerCluster,
        ObjectKey key,
        Result result,
        List<SizeChange> sizes,
        @Nullable ReasonMessage problem) {
    MachineDeploymentDiff {
        sizes = List.copyOf(sizes);
    }

    /** Sizes of a document; null if absent. */
    record SizeChange(
            Preview.Kind kind,
            @Nullable Integer before,
            @Nullable Integer after) {}
}
