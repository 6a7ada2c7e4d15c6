package io.osmhub.api.schema;

import io.osmhub.core.osc.OperatingSystemConfigStatus.NewNodes;
import io.osmhub.core.problem.Actor;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.Severity;
import io.osmhub.core.resource.Copies;
import io.osmhub.core.workercluster.WorkerClusterStatus.State;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The whole fleet in one answer, cut down to the tenants that the caller may see.
 *
 * @param causes worst first, at most 50
 * @param shortestTokenSeconds validity left of the token that ends first
 */
public record Summary(
        Map<State, Integer> workerClusters,
        Map<NewNodes, Integer> machineDeployments,
        List<Cause> causes,
        @Nullable Publishes publish,
        @Nullable Queue queue,
        @Nullable Integer shortestTokenSeconds,
        @Nullable List<Replica> replicas,
        @Nullable String version) {
    public Summary {
        workerClusters = Collections.unmodifiableMap(new LinkedHashMap<>(workerClusters));
        machineDeployments = Collections.unmodifiableMap(new LinkedHashMap<>(machineDeployments));
        causes = List.copyOf(causes);
        replicas = Copies.of(replicas);
    }

    /**
     * One cause of trouble with everything that it explains.
     *
     * @param workerClusters tenants concerned
     * @param blocked MachineDeployments whose new nodes do not come; likewise the next two
     * @param first one of the tenants, as namespace/name
     */
    public record Cause(
            Reason reason,
            Severity severity,
            @Nullable Actor actor,
            @Nullable ObjectRef object,
            @Nullable String message,
            @Nullable String cure,
            int workerClusters,
            @Nullable Integer blocked,
            @Nullable Integer outdated,
            @Nullable Integer atRisk,
            @Nullable String first,
            @Nullable Instant since) {
        public Cause {
            Objects.requireNonNull(reason, "reason");
            Objects.requireNonNull(severity, "severity");
        }
    }

    /**
     * How publishing went in the last hour.
     *
     * @param p50Milliseconds median from an event to the last secret written
     * @param buckets publishes up to 10, 20, 30, 50, 75, 100, 200, 500, 1000 and 2000 ms and above
     */
    public record Publishes(
            @Nullable Integer count,
            @Nullable Double p50Milliseconds,
            @Nullable Double p99Milliseconds,
            @Nullable List<Integer> buckets) {
        public Publishes {
            buckets = Copies.of(buckets);
        }
    }

    /**
     * What waits to be worked on.
     *
     * @param oldestSeconds age of what waits longest
     */
    public record Queue(@Nullable Integer depth, @Nullable Double oldestSeconds) {}

    /** One replica of the hub. */
    public record Replica(
            @Nullable String name,
            @Nullable Integer workerClusters,
            @Nullable Instant since) {}
}
