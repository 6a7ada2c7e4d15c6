package io.osmhub.tenancy.connection;

import io.osmhub.workersync.port.Timers;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;

/**
 * What all connections of a hub share.
 *
 * @param threads runs each task on a virtual thread of its own
 */
record ConnectionServices(
        Connector connector,
        ConnectRamp ramp,
        PingScheduler pings,
        Timers timers,
        Executor threads,
        RandomGenerator random,
        WorkerConnections.Meter meter) {}
