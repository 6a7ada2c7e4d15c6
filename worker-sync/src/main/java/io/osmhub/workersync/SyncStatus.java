package io.osmhub.workersync;

import io.osmhub.core.osc.OperatingSystemConfigStatus.NewNodes;
import io.osmhub.core.plan.Decision;
import io.osmhub.core.problem.Problem;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.reconcile.MachineDeploymentState;
import io.osmhub.workersync.watch.ObjectKey;
import io.osmhub.workersync.watch.WatchedMachineDeployment.Replicas;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A snapshot of a sync's state.
 *
 * @param machineDeployments those that the hub manages, by namespace and name
 * @param replicas of each, as last observed; absent if unknown
 * @param problems of the worker cluster as a whole
 * @param cached number of cached objects, by kind
 */
public record SyncStatus(
        Phase phase,
        List<MachineDeploymentState> machineDeployments,
        Map<ObjectKey, Replicas> replicas,
        List<Problem> problems,
        Map<Resource, Integer> cached) {
    public enum Phase {
        /** There is no connection. */
        SUSPENDED,
        /** The initial lists are incomplete. */
        LISTING,
        /** Some MachineDeployments have not been reconciled yet. */
        FIRST_PASS,
        WORKING
    }

    public SyncStatus {
        machineDeployments = List.copyOf(machineDeployments);
        replicas = Map.copyOf(replicas);
        problems = List.copyOf(problems);
        cached = Map.copyOf(cached);
    }

    /** Number of MachineDeployments by what happens to a new node; contains every kind. */
    public Map<NewNodes, Integer> newNodes() {
        Map<NewNodes, Integer> counts = new EnumMap<>(NewNodes.class);
        for (NewNodes kind : NewNodes.values()) {
            counts.put(kind, 0);
        }
        machineDeployments.forEach(state -> counts.merge(state.newNodes(), 1, Integer::sum));
        return counts;
    }

    /** The earliest expiration of a bootstrap token in use; null if there is none. */
    public @Nullable Instant firstTokenEnd() {
        Instant first = null;
        for (MachineDeploymentState state : machineDeployments) {
            Decision.TokenInUse token = state.token();
            if (token != null && (first == null || token.expiration().isBefore(first))) {
                first = token.expiration();
            }
        }
        return first;
    }
}
