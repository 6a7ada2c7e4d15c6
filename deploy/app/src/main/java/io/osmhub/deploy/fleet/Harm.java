package io.osmhub.deploy.fleet;

import io.osmhub.core.workercluster.WorkerClusterStatus.State;

/** How much a state hurts: lists show the worst first. */
final class Harm {
    private Harm() {}

    static int of(State state) {
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
}
