package io.osmhub.tenancy.connection;

import io.osmhub.workersync.port.Scheduler;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;

/**
 * Shared by all connections of a hub.
 *
 * @param threads runs each task on its own virtual thread
 */
record ConnectionServices(
        Connector connector,
        ConnectLimiter ramp,
        PingScheduler pings,
        Scheduler timers,
        Executor threads,
        RandomGenerator random,
        WorkerConnectionFactory.ConnectionMetrics meter) {}
