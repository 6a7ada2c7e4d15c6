package io.osmhub.tenancy.client;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.RequestConfig;
import io.fabric8.kubernetes.client.RequestConfigBuilder;
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
 * Builds the clients of all API servers on one Vert.x. A worker cluster costs one socket and no thread.
 *
 * <p>A worker's client is made of values only. It has no fabric8 configuration at all, since even an empty one may be filled from
 * the hub's own environment, and a tenant's must never lead to a program or a file.
 */
public final class ClientPool implements AutoCloseable {
    // What a repeated request means is known by the caller only.
    static final RequestConfig NO_RETRIES =
            new RequestConfigBuilder().withRequestRetryBackoffLimit(0).build();

    // Two of them lost: a dead management connection is noticed before a member's Lease ends.
    private static final Duration MANAGEMENT_PING = Duration.ofSeconds(4);
    private static final int MANAGEMENT_PINGS = 2;

    // Half of the runs of a replica: the others stay available to tenants of API servers that are not busy.
    private static final int WAITING = 128;

    private final Vertx vertx;
    private final Map<EventLoop, Context> contexts = new ConcurrentHashMap<>();
    private final MemoryBudget received;
    private final Semaphore decoding = turns();
    private final EndpointBudget endpoints = new EndpointBudget();
    private final Set<ApiClient> clients = ConcurrentHashMap.newKeySet();
    private final Semaphore waiting = new Semaphore(WAITING);
    private final Map<Server, ServerBudget> budgets = new ConcurrentHashMap<>();

    /**
     * What tells one API server from another. A tenant can name any host, but not the address or the proxy that other tenants of that host
     * use: so none can make the hub believe that another one's server refuses.
     */
    private record Server(
            String host,
            int port,
            @Nullable InetAddress address,
            @Nullable URI proxy) {}

    /** @param vertx on which no timer was set yet */
    public ClientPool(Vertx vertx) {
        this(vertx, MemoryBudget.ofReceived());
    }

    /** @param received for answers of worker clusters that are still incomplete */
    public ClientPool(Vertx vertx, MemoryBudget received) {
        this.vertx = vertx;
        this.received = received;
        // In Vert.x 4.5.27 a client without a cleaner cancels timer 0 when it is closed, which may belong to another
        // part: it is taken
        // here, so that no other part has it.
        vertx.cancelTimer(vertx.setTimer(1, never -> {}));
    }

    /**
     * A client of a worker cluster. Connects at the first request.
     *
     * @throws IllegalArgumentException when certificate or key cannot be read, which vetting excludes
     */
    public ApiClient worker(
            ServerAccess access, ClientLimits limits, RequestObserver requests, ConnectionObserver connections) {
        TransportFactory factory = new TransportFactory(context(), access, limits, connections);
        TransportBuilder builder = factory.newBuilder();
        builder.tag(NO_RETRIES);
        // May fail, and a budget that was joined has to be left.
        Transport transport = builder.build();
        Server server = new Server(access.host(), access.port(), access.address(), access.proxy());
        ServerBudget budget = budgets.compute(
                server,
                (any, known) -> (known == null ? new ServerBudget(waiting, ServerBudget.LONGEST_PAUSE) : known).join());
        MemoryBudget.Share share = received.share();
        return client(transport, access, limits, share, decoding, requests, budget)
                .atClose(share::close)
                .atClose(() -> budgets.computeIfPresent(server, (any, known) -> known.leave()));
    }

    /** API servers with open clients of worker clusters. */
    int servers() {
        return budgets.size();
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
        TransportFactory factory = new TransportFactory(context(), management.access(), limits, connections);
        Config config = management.config();
        config.setRequestRetryBackoffLimit(0);
        // Requests of workers must not hold up the renewal of a Lease.
        return client(
                        (Transport) factory.newBuilder(config).build(),
                        management.access(),
                        limits,
                        MemoryBudget.unlimited().share(),
                        // Lists of worker clusters never hold up its own.
                        turns(),
                        requests,
                        null)
                .keepAlive(vertx, MANAGEMENT_PING, MANAGEMENT_PINGS);
    }

    /**
     * A typed client of the management cluster for a command; the caller closes it. Connects at the first request.
     *
     * @param requests receives each request that was answered or failed
     */
    public TypedClient typed(ManagementAccess management, ClientLimits limits, RequestObserver requests) {
        Config config = management.config();
        config.setRequestRetryBackoffLimit(0);
        config.setRequestTimeout((int) limits.requestTimeout().toMillis());
        return new TypedClient(
                new KubernetesClientBuilder()
                        .withConfig(config)
                        .withHttpClientFactory(
                                new TransportFactory(context(), management.access(), limits, ConnectionObserver.NONE))
                        .build(),
                requests);
    }

    private static Semaphore turns() {
        return new Semaphore(Math.max(1, Runtime.getRuntime().availableProcessors() / 2), true);
    }

    /** One for each event loop: the metrics library keeps up to 512 sets of labels in each context, which must not be one per client. */
    private Context context() {
        ContextInternal created = ((VertxInternal) vertx).createEventLoopContext();
        return contexts.computeIfAbsent(created.nettyEventLoop(), loop -> created);
    }

    private ApiClient client(
            Transport transport,
            ServerAccess access,
            ClientLimits limits,
            MemoryBudget.Share share,
            Semaphore decoding,
            RequestObserver requests,
            @Nullable ServerBudget budget) {
        Receiving receiving = new Receiving(share, new Semaphore(limits.lists(), true), decoding);
        FabricKubeApi api = new FabricKubeApi(transport, access, limits, receiving, requests, budget);
        ApiClient client = new ApiClient(transport.line(), transport, api, clients::remove);
        clients.add(client);
        return client;
    }

    /** Shared by all that connect to worker clusters. */
    public EndpointBudget endpoints() {
        return endpoints;
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
