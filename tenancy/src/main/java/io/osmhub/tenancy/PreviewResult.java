package io.osmhub.tenancy;

import io.osmhub.core.plan.Previewer.Preview;
import io.osmhub.core.problem.ReasonMessage;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Result of rendering a preview.
 *
 * @param preview null if it cannot be rendered
 * @param problems why it would not be published; empty if it would
 */
public record PreviewResult(@Nullable Preview preview, List<ReasonMessage> problems) {
    public PreviewResult {
        problems = List.copyOf(problems);
    }

    public boolean published() {
        return problems.isEmpty();
    }
}
