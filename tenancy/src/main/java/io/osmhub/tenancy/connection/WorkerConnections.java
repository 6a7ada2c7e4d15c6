package io.osmhub.tenancy.connection;

import io.osmhub.tenancy.client.ClientPool;
import io.osmhub.tenancy.client.RequestObserver;
import io.osmhub.tenancy.kubeconfig.EgressPolicy;
import io.osmhub.workersync.port.Timers;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.random.RandomGenerator;

/** Makes the connections of all worker clusters, which share one pool of clients, one ramp and one timer for pings. */
public final class WorkerConnections {
    private final ConnectionServices services;

    /** Counts attempts and losses, for metrics. Must not block. */
    public interface Meter {
        /** @param connected whether the attempt ended with a connection */
        default void attempted(boolean connected, Duration took) {}

        /** @param cause one of closed, ping, goaway, credentials */
        default void reconnecting(String cause) {}
    }

    /**
     * @param policies the egress policy of a tenant's namespace as it is now
     * @param requests learns of every request to a worker cluster
     * @param threads runs each task on a virtual thread of its own
     */
    public WorkerConnections(
            ClientPool clients,
            NameService names,
            Function<String, EgressPolicy> policies,
            ConnectRamp ramp,
            Timers timers,
            Executor threads,
            RequestObserver requests,
            Meter meter) {
        this.services = new ConnectionServices(
                new KubeConnector(clients, names, policies, requests, timers, threads),
                ramp,
                new PingScheduler(timers),
                timers,
                threads,
                RandomGenerator.getDefault(),
                meter);
    }

    /** A connection that begins with {@link WorkerConnection#start}. */
    public WorkerConnection to(ConnectionSubject subject, ConnectionOptions options, ConnectionListener listener) {
        return new WorkerConnection(services, subject, options, listener);
    }
}
