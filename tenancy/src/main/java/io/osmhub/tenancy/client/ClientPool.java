package io.osmhub.tenancy.client;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.RequestConfig;
import io.fabric8.kubernetes.client.RequestConfigBuilder;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Builds the clients of all API servers on one Vert.x. A worker cluster costs one socket and no thread.
 *
 * <p>A worker's client is made of values only. It has no fabric8 configuration at all, since even an empty one may be filled from
 * the hub's own environment, and a tenant's must never lead to a program or a file.
 */
public final class ClientPool implements AutoCloseable {
    // What a repeated request means is known by the caller only.
    private static final RequestConfig NO_RETRIES =
            new RequestConfigBuilder().withRequestRetryBackoffLimit(0).build();

    // Two of them lost: a dead management connection is noticed before a member's Lease ends.
    private static final Duration MANAGEMENT_PING = Duration.ofSeconds(4);
    private static final int MANAGEMENT_PINGS = 2;

    private final Vertx vertx;
    private final Set<ApiClient> clients = ConcurrentHashMap.newKeySet();

    public ClientPool(Vertx vertx) {
        this.vertx = vertx;
    }

    /**
     * A client of a worker cluster. Connects at the first request.
     *
     * @throws IllegalArgumentException when certificate or key cannot be read, which vetting excludes
     */
    public ApiClient worker(
            ServerAccess access, ClientLimits limits, RequestObserver requests, ConnectionObserver connections) {
        TransportFactory factory = new TransportFactory(vertx, access, limits, connections);
        TransportBuilder builder = factory.newBuilder();
        builder.tag(NO_RETRIES);
        return client(builder.build(), access, limits, requests);
    }

    /**
     * The management cluster's client. Connects at the first request. It pings its connections by itself, since there is no
     * state machine over it.
     */
    public ApiClient management(
            ManagementAccess management,
            ClientLimits limits,
            RequestObserver requests,
            ConnectionObserver connections) {
        TransportFactory factory = new TransportFactory(vertx, management.access(), limits, connections);
        Config config = management.config();
        config.setRequestRetryBackoffLimit(0);
        return client((Transport) factory.newBuilder(config).build(), management.access(), limits, requests)
                .keepAlive(vertx, MANAGEMENT_PING, MANAGEMENT_PINGS);
    }

    private ApiClient client(Transport transport, ServerAccess access, ClientLimits limits, RequestObserver requests) {
        FabricKubeApi api = new FabricKubeApi(transport, access, limits, requests);
        ApiClient client = new ApiClient(transport.line(), transport, api, clients::remove);
        clients.add(client);
        return client;
    }

    /** Of all clients. */
    public int openConnections() {
        return clients.stream().mapToInt(ApiClient::openConnections).sum();
    }

    /** Closes every client; the Vert.x stays. */
    @Override
    public void close() {
        clients.forEach(ApiClient::close);
    }
}
