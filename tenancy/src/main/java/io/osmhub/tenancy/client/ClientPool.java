package io.osmhub.tenancy.client;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.RequestConfig;
import io.fabric8.kubernetes.client.RequestConfigBuilder;
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

    private final Vertx vertx;
    private final String agent;
    private final Map<EventLoop, Context> contexts = new ConcurrentHashMap<>();
    private final MemoryBudget receiveBudget;
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

    /**
     * Creates the clients of a process.
     *
     * @param vertx without any timer yet
     * @param agent User-Agent of all requests, shown by audit logs of API servers. What precedes a slash is the field manager of all
     *     writes
     */
    public ClientPool(Vertx vertx, String agent) {
        this(vertx, MemoryBudget.forResponses(), agent);
    }

    /** @param receiveBudget budget for incomplete responses of worker clusters */
    public ClientPool(Vertx vertx, MemoryBudget receiveBudget, String agent) {
        this.vertx = vertx;
        this.agent = agent;
        this.receiveBudget = receiveBudget;
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
        MemoryBudget.MemoryShare share = receiveBudget.createShare();
        TransportOptions options = new TransportOptions(limits, share, requests, connections, agent);
        TransportFactory factory = new TransportFactory(context(), access, options);
        TransportBuilder builder = factory.newBuilder();
        builder.tag(NO_RETRIES);
        // May fail; a joined budget would have to be left again.
        Transport transport = builder.build();
        Server server = new Server(access.host(), access.port(), access.address(), access.proxy());
        ConcurrencyLimiter budget = budgets.compute(server, (any, known) -> (known == null
                        ? new ConcurrencyLimiter(waiting, ConcurrencyLimiter.LONGEST_PAUSE)
                        : known)
                .join());
        return client(transport, access, options, decoding, budget)
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
        MemoryBudget.MemoryShare share = MemoryBudget.unlimited().createShare();
        TransportOptions options = new TransportOptions(limits, share, requests, connections, agent);
        TransportFactory factory = new TransportFactory(context(), management.access(), options);
        Config config = management.config();
        config.setRequestRetryBackoffLimit(0);
        // Workers' requests must not delay Lease renewal.
        return client(
                        (Transport) factory.newBuilder(config).build(),
                        management.access(),
                        options,
                        // Workers' lists must not delay its own.
                        turns(),
                        null)
                .keepAlive(vertx, MANAGEMENT_PING, MANAGEMENT_PINGS);
    }

    /**
     * A typed client of the management cluster over the JDK's HTTP client, because forwarding a port requires WebSockets, which the
     * hub's transport lacks. The caller closes it.
     */
    public KubernetesClient forwarding(ManagementAccess management, ClientLimits limits) {
        Config config = management.config();
        config.setRequestRetryBackoffLimit(0);
        config.setRequestTimeout((int) limits.requestTimeout().toMillis());
        return new KubernetesClientBuilder()
                .withConfig(config)
                .withHttpClientFactory(new JdkHttpClientFactory())
                .build();
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
            TransportOptions options,
            Semaphore decoding,
            @Nullable ConcurrencyLimiter budget) {
        Fabric8KubeApi api = new Fabric8KubeApi(transport, access, options, decoding, budget);
        ApiClient client = new ApiClient(transport.line(), transport, api);
        clients.add(client);
        return client.atClose(() -> clients.remove(client));
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
