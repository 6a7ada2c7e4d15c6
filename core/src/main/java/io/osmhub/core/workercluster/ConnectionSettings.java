package io.osmhub.core.workercluster;

import static io.osmhub.core.workercluster.WorkerClusterRule.BURST_COVERS_RATE;

import io.osmhub.core.resource.Wire;
import io.osmhub.core.schema.Described;
import io.osmhub.core.schema.DurationBetween;
import io.osmhub.core.schema.NumberLimits;
import io.osmhub.core.schema.TextLimits;
import org.jspecify.annotations.Nullable;

/** How the hub talks to a worker cluster's API server. */
@Wire
public record ConnectionSettings(
        @Described("Longest a request may take. 1s to 60s, default 10s.")
        @TextLimits(maxLength = 20)
        @DurationBetween(shortest = "1s", longest = "60s")
        @Nullable String requestTimeout,

        @Described(
                "Time between HTTP/2 pings. After three unanswered ones the worker cluster counts as not responding. 1s to 60s, default 10s.")
        @TextLimits(maxLength = 20)
        @DurationBetween(shortest = "1s", longest = "60s")
        @Nullable String pingInterval,

        @Described(
                "MachineDeployments of this tenant that are worked on at the same time, at most the hub's tenancy.maxConcurrentReconciles. Default 10.")
        @NumberLimits(min = 1, max = 100)
        @Nullable Integer maxConcurrentReconciles,

        @Described("Most writes to the worker cluster's API server.") @Nullable WriteBudget writeBudget) {

    /** Most writes to a worker cluster's API server. */
    @Wire
    @Obeys(BURST_COVERS_RATE)
    public record WriteBudget(
            @Described("Writes a second, on average. Default 200.") @NumberLimits(min = 1, max = 2000) @Nullable Integer perSecond,

            @Described("Writes that may come at once after a quiet time. Default 1000.")
            @NumberLimits(min = 1, max = 10000)
            @Nullable Integer burst) {}
}
