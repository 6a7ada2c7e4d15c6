package io.osmhub.tenancy;

import io.osmhub.core.plan.Diagnosis;
import io.osmhub.core.plan.Preview;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What would come of rendering a MachineDeployment.
 *
 * @param preview null when it cannot be rendered
 * @param problems why it would not be published; empty when it would
 */
public record Attempt(@Nullable Preview preview, List<Diagnosis> problems) {
    public Attempt {
        problems = List.copyOf(problems);
    }

    public boolean published() {
        return problems.isEmpty();
    }
}
