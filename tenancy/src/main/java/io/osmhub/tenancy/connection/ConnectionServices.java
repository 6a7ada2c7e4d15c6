package io.osmhub.tenancy.connection;

import io.osmhub.workersync.port.Scheduler;
import io.osmhub.workersync.watch.RuntimeContext;
import java.util.concurrent.Executor;

/** Shared by all connections of a hub. */
record ConnectionServices(
        Connector connector,
        ConnectLimiter limiter,
        PingScheduler pingScheduler,
        RuntimeContext runtimeContext,
        ConnectionMetrics metrics) {
    Scheduler scheduler() {
        return runtimeContext.scheduler();
    }

    /** Runs each task on its own virtual thread. */
    Executor executor() {
        return runtimeContext.blockingExecutor();
    }
}
