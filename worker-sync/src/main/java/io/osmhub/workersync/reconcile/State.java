package io.osmhub.workersync.reconcile;

import io.osmhub.core.osc.OperatingSystemConfigStatus.NewNodes;
import io.osmhub.core.plan.Decision;
import io.osmhub.core.plan.Diagnosis;
import io.osmhub.workersync.watch.ObjectKey;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How one MachineDeployment stands since its last run.
 *
 * @param config name of its OperatingSystemConfig
 * @param profile name that it gives; empty when it names none
 * @param problems worst first; empty when all is well
 * @param token with which new nodes join; null when there is none or it is not a bootstrap token
 * @param since when {@code problems} began; the last run's time when there are none
 * @param lastRun when it was looked at last
 */
public record State(
        ObjectKey key,
        String uid,
        String config,
        String profile,
        NewNodes newNodes,
        List<Diagnosis> problems,
        Decision.@Nullable Token token,
        Instant since,
        Instant lastRun) {
    public State {
        problems = List.copyOf(problems);
    }

    State since(Instant moment) {
        return new State(key, uid, config, profile, newNodes, problems, token, moment, lastRun);
    }

    State with(List<Diagnosis> otherProblems, Instant now) {
        return new State(key, uid, config, profile, newNodes, otherProblems, token, now, now);
    }
}
