package io.osmhub.api.inventory;

import io.osmhub.core.osc.OperatingSystemConfigStatus.NewNodes;
import io.osmhub.core.problem.Severity;
import io.osmhub.core.resource.Condition;
import io.osmhub.core.workercluster.WorkerClusterStatus.State;

/** Sort ranks of states; higher is worse. */
final class SeverityOrder {
    private SeverityOrder() {}

    static Integer of(State state) {
        return switch (state) {
            case UNAUTHORIZED -> 6;
            case UNREACHABLE -> 5;
            case DEGRADED -> 4;
            case CONNECTING -> 3;
            case PAUSED -> 2;
            case CLOSED -> 1;
            case SYNCED -> 0;
        };
    }

    static Integer of(NewNodes newNodes) {
        return switch (newNodes) {
            case BLOCKED -> 4;
            case OUTDATED -> 3;
            case AT_RISK -> 2;
            case PENDING -> 1;
            case CURRENT -> 0;
        };
    }

    static Integer of(Severity severity) {
        return switch (severity) {
            case ERROR -> 2;
            case WARNING -> 1;
            case INFO -> 0;
        };
    }

    static Integer of(Condition.Status status) {
        return switch (status) {
            case FALSE -> 2;
            case UNKNOWN -> 1;
            case TRUE -> 0;
        };
    }
}
