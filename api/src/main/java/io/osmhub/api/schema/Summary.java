package io.osmhub.api.schema;

import io.osmhub.core.osc.OperatingSystemConfigStatus.NewNodes;
import io.osmhub.core.problem.Actor;
import io.osmhub.core.problem.ProblemObject.Cluster;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.Severity;
import io.osmhub.core.workercluster.WorkerClusterStatus.State;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Summary of all tenants visible to the caller.
 *
 * @param causes worst first, at most 50
 * @param shortestTokenSeconds remaining validity of the token that expires first
 * @param unanswered names of replicas whose values are missing, because they did not answer in time; absent if there are none
 */
public record Summary(
        Map<State, Integer> workerClusters,
        Map<NewNodes, Integer> machineDeployments,
        List<Cause> causes,
        @Nullable Publishes publish,
        @Nullable Queue queue,
        @Nullable Integer shortestTokenSeconds,
        @Nullable List<String> unanswered,
        @Nullable String version) {
    /** The same, naming replicas that did not answer. */
    public Summary withUnanswered(List<String> replicas) {
        return new Summary(
                workerClusters,
                machineDeployments,
                causes,
                publish,
                queue,
                shortestTokenSeconds,
                replicas.isEmpty() ? null : replicas,
                version);
    }

    /**
     * A common cause of problems.
     *
     * @param id as in {@code cause} of its problems
     * @param headline what is broken, in one clause
     * @param cure the fix as steps; of one object if each needs its own
     * @param command of the fix, to be copied
     * @param workerClusters affected tenants
     * @param blocked MachineDeployments whose new nodes cannot join
     * @param first one of the tenants, as namespace/name
     */
    public record Cause(
            @Nullable String id,
            Reason reason,
            Severity severity,
            @Nullable Actor actor,
            @Nullable ObjectRef object,
            @Nullable String message,
            @Nullable String headline,
            @Nullable String cure,
            @Nullable String command,
            @Nullable Cluster commandCluster,
            int workerClusters,
            @Nullable Integer blocked,
            @Nullable Integer outdated,
            @Nullable Integer atRisk,
            @Nullable String first,
            @Nullable Instant since) {}

    /**
     * Publishing in the last hour.
     *
     * @param p50Milliseconds median from an event to the last secret written
     * @param buckets publishes up to 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000 and 30000 ms and above
     */
    public record Publishes(
            @Nullable Integer count,
            @Nullable Double p50Milliseconds,
            @Nullable Double p99Milliseconds,
            @Nullable List<Integer> buckets) {}

    /**
     * Pending work.
     *
     * @param oldestSeconds age of the oldest entry
     */
    public record Queue(@Nullable Integer depth, @Nullable Double oldestSeconds) {}
}
