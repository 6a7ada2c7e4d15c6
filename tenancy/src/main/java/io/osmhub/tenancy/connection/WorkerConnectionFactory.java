package io.osmhub.tenancy.connection;

import io.osmhub.tenancy.kubeconfig.ValidatedKubeconfig;
import io.osmhub.workersync.watch.RuntimeContext;

/** Opens the connections of worker clusters. */
@FunctionalInterface
public interface WorkerConnectionFactory {
    /** @param clusterId known or accepted UID of the worker's {@code kube-system}; empty to accept any */
    record ConnectionRequest(
            ConnectionSubject subject, ValidatedKubeconfig kubeconfig, ConnectionOptions options, String clusterId) {}

    /**
     * Starts connecting. Must not block.
     *
     * @param changed called when the status changed, in order, on a virtual thread
     */
    WorkerConnection open(ConnectionRequest request, Runnable changed);

    /** The connections share a limit of attempts and a ping timer. */
    static WorkerConnectionFactory of(
            Handshake handshake, ConnectLimiter limiter, RuntimeContext runtimeContext, ConnectionMetrics metrics) {
        ConnectionServices services = new ConnectionServices(
                handshake, limiter, new PingScheduler(runtimeContext.scheduler()), runtimeContext, metrics);
        return (request, changed) -> {
            ClusterConnection connection = new ClusterConnection(services, request, changed);
            connection.rotate(request.kubeconfig());
            return connection;
        };
    }
}
