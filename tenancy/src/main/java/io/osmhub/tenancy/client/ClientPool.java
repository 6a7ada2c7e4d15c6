package io.osmhub.tenancy.client;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.RequestConfig;
import io.fabric8.kubernetes.client.RequestConfigBuilder;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientFactory;
import io.netty.channel.EventLoop;
import io.osmhub.workersync.apiserver.MemoryBudget;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.impl.ContextInternal;
import io.vertx.core.impl.VertxInternal;
import java.net.InetAddress;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * Builds all clients on one Vert.x. A worker cluster costs one socket and no thread.
 *
 * <p>A worker's client is configured by values only. It has no fabric8 configuration, since even an empty one may be filled from
 * the hub's environment, and a tenant's must never lead to a program or a file.
 */
public final class ClientPool implements AutoCloseable {
    // Only the caller knows whether a request may be repeated.
    static final RequestConfig NO_RETRIES =
            new RequestConfigBuilder().withRequestRetryBackoffLimit(0).build();

    // After two lost pings: a dead management connection is detected before a Lease expires.
    private static final Duration MANAGEMENT_PING = Duration.ofSeconds(4);
    private static final int MANAGEMENT_PINGS = 2;

    // Half of a replica's runs, so that the others remain for tenants of API servers that are not busy.
    private static final int WAITING = 128;
    private static final String AGENT = "osm-hub";

    private final Vertx vertx;
    private final String agent;
    private final Map<EventLoop, Context> contexts = new ConcurrentHashMap<>();
    private final MemoryBudget received;
    private final Semaphore decoding = turns();
    private final EndpointLimiter endpoints = new EndpointLimiter();
    private final Set<ApiClient> clients = ConcurrentHashMap.newKeySet();
    private final Semaphore waiting = new Semaphore(WAITING);
    private final Map<Server, ConcurrencyLimiter> budgets = new ConcurrentHashMap<>();

    /**
     * Identity of an API server for throttling. A tenant can name any host, but not the address or the proxy of other tenants: so
     * none can make the hub throttle another's server.
     */
    private record Server(
            String host,
            int port,
            @Nullable InetAddress address,
            @Nullable URI proxy) {}

    /** @param vertx without any timer yet */
    public ClientPool(Vertx vertx) {
        this(vertx, MemoryBudget.forResponses());
    }

    /**
     * Creates the clients of a replica.
     *
     * @param vertx without any timer yet
     * @param replica shown by audit logs of API servers in the user agent
     */
    public ClientPool(Vertx vertx, String replica) {
        this(vertx, MemoryBudget.forResponses(), AGENT + "/" + replica);
    }

    /** @param received budget for incomplete responses of worker clusters */
    public ClientPool(Vertx vertx, MemoryBudget received) {
        this(vertx, received, AGENT);
    }

    private ClientPool(Vertx vertx, MemoryBudget received, String agent) {
        this.vertx = vertx;
        this.agent = agent;
        this.received = received;
        // In Vert.x 4.5.27, closing a client without a cleaner cancels timer 0, which may belong to another component:
        // it is
        // reserved here.
        vertx.cancelTimer(vertx.setTimer(1, never -> {}));
    }

    /**
     * Creates a client of a worker cluster. Connects at the first request.
     *
     * @throws IllegalArgumentException if certificate or key cannot be read, which validation excludes
     */
    public ApiClient worker(
            ServerAccess access, ClientLimits limits, RequestObserver requests, ConnectionObserver connections) {
        TransportFactory factory = new TransportFactory(context(), access, limits, connections);
        TransportBuilder builder = factory.newBuilder();
        builder.tag(NO_RETRIES);
        // May fail; a joined budget would have to be left again.
        Transport transport = builder.build();
        Server server = new Server(access.host(), access.port(), access.address(), access.proxy());
        ConcurrencyLimiter budget = budgets.compute(server, (any, known) -> (known == null
                        ? new ConcurrencyLimiter(waiting, ConcurrencyLimiter.LONGEST_PAUSE)
                        : known)
                .join());
        MemoryBudget.MemoryShare share = received.createShare();
        return client(transport, access, limits, share, decoding, requests, budget)
                .atClose(share::close)
                .atClose(() -> budgets.computeIfPresent(server, (any, known) -> known.leave()));
    }

    /** Number of API servers with open worker clients. */
    int servers() {
        return budgets.size();
    }

    /**
     * Creates the management cluster's client. Connects at the first request. Pings its own connections, because it has no
     * connection monitor.
     */
    public ApiClient management(
            ManagementAccess management,
            ClientLimits limits,
            RequestObserver requests,
            ConnectionObserver connections) {
        TransportFactory factory = new TransportFactory(context(), management.access(), limits, connections);
        Config config = management.config();
        config.setRequestRetryBackoffLimit(0);
        config.setUserAgent(agent);
        // Workers' requests must not delay Lease renewal.
        return client(
                        (Transport) factory.newBuilder(config).build(),
                        management.access(),
                        limits,
                        MemoryBudget.unlimited().createShare(),
                        // Workers' lists must not delay its own.
                        turns(),
                        requests,
                        null)
                .keepAlive(vertx, MANAGEMENT_PING, MANAGEMENT_PINGS);
    }

    /**
     * Creates a typed client of the management cluster for a command; the caller closes it. Connects at the first request.
     *
     * @param requests notified of each completed request
     */
    public TypedClient typed(ManagementAccess management, ClientLimits limits, RequestObserver requests) {
        return typed(
                management,
                limits,
                requests,
                new TransportFactory(context(), management.access(), limits, ConnectionObserver.NONE));
    }

    /** Like {@link #typed}, over the JDK's HTTP client: port-forwarding requires WebSockets, which the hub's transport lacks. */
    public TypedClient forwarding(ManagementAccess management, ClientLimits limits, RequestObserver requests) {
        return typed(management, limits, requests, new JdkHttpClientFactory());
    }

    private static TypedClient typed(
            ManagementAccess management, ClientLimits limits, RequestObserver requests, HttpClient.Factory transport) {
        Config config = management.config();
        config.setRequestRetryBackoffLimit(0);
        config.setRequestTimeout((int) limits.requestTimeout().toMillis());
        return new TypedClient(
                new KubernetesClientBuilder()
                        .withConfig(config)
                        .withHttpClientFactory(transport)
                        .build(),
                requests);
    }

    private static Semaphore turns() {
        return new Semaphore(Math.max(1, Runtime.getRuntime().availableProcessors() / 2), true);
    }

    /** One context per event loop, not per client: the metrics library keeps up to 512 label sets for each. */
    private Context context() {
        ContextInternal created = ((VertxInternal) vertx).createEventLoopContext();
        return contexts.computeIfAbsent(created.nettyEventLoop(), loop -> created);
    }

    private ApiClient client(
            Transport transport,
            ServerAccess access,
            ClientLimits limits,
            MemoryBudget.MemoryShare share,
            Semaphore decoding,
            RequestObserver requests,
            @Nullable ConcurrencyLimiter budget) {
        ReceiveLimits receiving = new ReceiveLimits(share, new Semaphore(limits.lists(), true), decoding);
        Fabric8KubeApi api = new Fabric8KubeApi(transport, access, limits, receiving, requests, budget, agent);
        ApiClient client = new ApiClient(transport.line(), transport, api, clients::remove);
        clients.add(client);
        return client;
    }

    /** Shared by all connections to worker clusters. */
    public EndpointLimiter endpoints() {
        return endpoints;
    }

    /** Of all clients. */
    public int openConnections() {
        return clients.stream().mapToInt(ApiClient::openConnections).sum();
    }

    /** Closes every client, but not the Vert.x. */
    @Override
    public void close() {
        clients.forEach(ApiClient::close);
    }
}
