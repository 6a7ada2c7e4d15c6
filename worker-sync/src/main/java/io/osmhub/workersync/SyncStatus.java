package io.osmhub.workersync;

import io.osmhub.core.osc.OperatingSystemConfigStatus.NewNodes;
import io.osmhub.core.plan.Decision;
import io.osmhub.core.plan.Diagnosis;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.reconcile.State;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How a sync fares at one moment.
 *
 * @param machineDeployments those that the hub serves, by namespace and name
 * @param problems of the worker cluster as a whole
 * @param troubles the latest failure of each kind whose list or watch does not work now
 * @param cached objects held in memory, by kind
 * @param waiting MachineDeployments whose turn has not come
 */
public record SyncStatus(
        Phase phase,
        List<State> machineDeployments,
        List<Diagnosis> problems,
        Map<Resource, ApiFailure> troubles,
        Map<Resource, Integer> cached,
        int waiting) {
    /** How far it is. */
    public enum Phase {
        /** There is no connection to work with. */
        RESTING,
        /** First lists are not complete. */
        LISTING,
        /** Not everything was looked at once. */
        LOOKING,
        WORKING
    }

    public SyncStatus {
        machineDeployments = List.copyOf(machineDeployments);
        problems = List.copyOf(problems);
        troubles = Map.copyOf(troubles);
        cached = Map.copyOf(cached);
    }

    /** MachineDeployments by what happens to a new node; every kind has a number. */
    public Map<NewNodes, Integer> newNodes() {
        Map<NewNodes, Integer> counts = new EnumMap<>(NewNodes.class);
        for (NewNodes kind : NewNodes.values()) {
            counts.put(kind, 0);
        }
        machineDeployments.forEach(state -> counts.merge(state.newNodes(), 1, Integer::sum));
        return counts;
    }

    /** The first end of a bootstrap token in use; null without any. */
    public @Nullable Instant firstTokenEnd() {
        Instant first = null;
        for (State state : machineDeployments) {
            Decision.Token token = state.token();
            if (token != null && (first == null || token.expiration().isBefore(first))) {
                first = token.expiration();
            }
        }
        return first;
    }
}
