package io.osmhub.api.preview;

import io.osmhub.api.schema.DiffReport.Item.Result;
import io.osmhub.core.plan.Diagnosis;
import io.osmhub.core.plan.Preview;
import io.osmhub.workersync.watch.ObjectKey;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a change would do to one MachineDeployment, without texts.
 *
 * @param sizes of the documents that differ
 * @param problem why it would not be published; null when it would
 */
record Difference(
        String tenant,
        String workerCluster,
        ObjectKey key,
        Result result,
        List<Size> sizes,
        @Nullable Diagnosis problem) {
    Difference {
        sizes = List.copyOf(sizes);
    }

    /** Sizes of a document; null where there is none. */
    record Size(
            Preview.Kind kind,
            @Nullable Integer before,
            @Nullable Integer after) {}
}
