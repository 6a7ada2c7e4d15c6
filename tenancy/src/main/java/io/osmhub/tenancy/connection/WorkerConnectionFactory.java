package io.osmhub.tenancy.connection;

import io.osmhub.tenancy.client.ClientPool;
import io.osmhub.tenancy.client.RequestObserver;
import io.osmhub.tenancy.kubeconfig.EgressPolicy;
import io.osmhub.workersync.port.Scheduler;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.random.RandomGenerator;

/** Creates the connections of all worker clusters, which share a client pool, a limiter and a ping timer. */
public final class WorkerConnectionFactory {
    private final ConnectionServices services;

    /** Must not block. */
    public interface ConnectionMetrics {
        /** @param connected whether the attempt succeeded */
        default void onAttempted(boolean connected, Duration took) {}

        /** @param cause one of closed, ping, goaway, credentials */
        default void onReconnecting(String cause) {}
    }

    /**
     * @param policies current egress policy of a tenant's namespace
     * @param requests observes all requests to worker clusters
     * @param threads runs each task on its own virtual thread
     */
    public WorkerConnectionFactory(
            ClientPool clients,
            DnsResolver names,
            Function<String, EgressPolicy> policies,
            ConnectLimiter ramp,
            Scheduler timers,
            Executor threads,
            RequestObserver requests,
            ConnectionMetrics meter) {
        this.services = new ConnectionServices(
                new KubeConnector(clients, names, policies, requests, timers, threads),
                ramp,
                new PingScheduler(timers),
                timers,
                threads,
                RandomGenerator.getDefault(),
                meter);
    }

    /** Creates a connection; call {@link WorkerConnection#start}. */
    public WorkerConnection create(ConnectionSubject subject, ConnectionOptions options, ConnectionListener listener) {
        return new WorkerConnection(services, subject, options, listener);
    }
}
