package io.osmhub.core.workercluster;

import static io.osmhub.core.workercluster.WorkerClusterCelRule.BURST_COVERS_RATE;

import io.osmhub.core.resource.WireRecord;
import io.osmhub.core.schema.DurationLimits;
import io.osmhub.core.schema.FieldDescription;
import io.osmhub.core.schema.NumberLimits;
import io.osmhub.core.schema.TextLimits;
import org.jspecify.annotations.Nullable;

/** How the hub connects to a worker cluster's API server. */
@WireRecord
public record ConnectionSettings(
        @FieldDescription("Longest a request may take. 1s to 60s, default 10s.")
        @TextLimits(maxLength = 20)
        @DurationLimits(shortest = "1s", longest = "60s")
        @Nullable String requestTimeout,

        @FieldDescription(
                "Time between HTTP/2 pings. After three unanswered ones the worker cluster counts as not responding. 1s to 60s, default 10s.")
        @TextLimits(maxLength = 20)
        @DurationLimits(shortest = "1s", longest = "60s")
        @Nullable String pingInterval,

        @FieldDescription(
                "MachineDeployments of this tenant that are worked on at the same time, at most the hub's tenancy.maxConcurrentReconciles. Default 10.")
        @NumberLimits(min = 1, max = 100)
        @Nullable Integer maxConcurrentReconciles,

        @FieldDescription("Most writes to the worker cluster's API server.") @Nullable WriteBudget writeBudget) {

    /** Limits of writes to a worker cluster's API server. */
    @WireRecord
    @CelRules(BURST_COVERS_RATE)
    public record WriteBudget(
            @FieldDescription("Writes a second, on average. Default 200.") @NumberLimits(min = 1, max = 2000) @Nullable Integer perSecond,

            @FieldDescription("Writes that may come at once after a quiet time. Default 1000.")
            @NumberLimits(min = 1, max = 10000)
            @Nullable Integer burst) {}
}
