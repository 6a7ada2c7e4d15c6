package io.osmhub.deploy.run;

import io.osmhub.api.ops.Health;
import io.osmhub.api.ops.HubMetrics;
import io.osmhub.api.ops.OpsServer;
import io.osmhub.core.plan.Decider;
import io.osmhub.core.render.TemplateLanguages;
import io.osmhub.deploy.config.HubConfiguration;
import io.osmhub.deploy.config.ListenAddress;
import io.osmhub.tenancy.Hub;
import io.osmhub.tenancy.HubParts;
import io.osmhub.tenancy.TenantDirectory;
import io.osmhub.tenancy.client.ApiClient;
import io.osmhub.tenancy.client.ClientLimits;
import io.osmhub.tenancy.client.ClientPool;
import io.osmhub.tenancy.client.ConnectionObserver;
import io.osmhub.tenancy.client.ManagementAccess;
import io.osmhub.tenancy.connection.ConnectRamp;
import io.osmhub.tenancy.connection.NameService;
import io.osmhub.tenancy.connection.WorkerConnections;
import io.osmhub.tenancy.kubeconfig.EgressPolicy;
import io.osmhub.tenancy.link.ConnectionLinks;
import io.osmhub.workersync.WorkerSync;
import io.osmhub.workersync.port.Timers;
import io.osmhub.workersync.queue.WorkQueue;
import io.osmhub.workersync.reconcile.RenderThreads;
import io.osmhub.workersync.reconcile.Runs;
import io.osmhub.workersync.watch.Surroundings;
import io.vertx.core.Future;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The service with everything that it needs, from sockets to tenants: {@code hub run} is one in a process of its own. Several may
 * live in one process.
 */
public final class HubService implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(HubService.class);
    /** Runs over all tenants at a time; they wait for answers most of their time. */
    private static final int RUNS = 256;
    /** Namespaces that are looked at at a time. */
    private static final int LOOKS = 32;

    private static final Duration STUCK = Duration.ofSeconds(10);
    private static final Duration LISTENING = Duration.ofSeconds(10);
    private static final Duration CLOSING = Duration.ofSeconds(2);

    private final EventLoops loops;
    private final ExecutorService threads;
    private final ClientPool clients;
    private final OpsServer ops;
    private final Hub hub;
    private final Settings settings;
    private final Ports ports;
    private volatile boolean stopping;

    /** Where it listens; a port that was given as 0 is the one that was taken. */
    public record Ports(int health, int metrics) {}

    /**
     * Starts it and returns when it listens; tenants are served as soon as the management cluster is read.
     *
     * @param replica name of this replica, as Events show it
     * @throws IOException when the management cluster's address cannot be found out or an address cannot be listened on
     */
    public static HubService start(HubConfiguration configuration, boolean single, String replica) throws IOException {
        ManagementAccess access = configuration.management().kubeconfig().isEmpty()
                ? ManagementAccess.ofEnvironment()
                : ManagementAccess.ofKubeconfig(
                        Path.of(configuration.management().kubeconfig()),
                        configuration.management().context());
        HubService service = new HubService(configuration, access, single, replica);
        service.hub.start();
        return service;
    }

    private HubService(HubConfiguration configuration, ManagementAccess access, boolean single, String replica)
            throws IOException {
        int cores = Runtime.getRuntime().availableProcessors();
        loops = EventLoops.start(cores);
        threads = Executors.newThreadPerTaskExecutor(Thread.ofVirtual().factory());
        try {
            Build build = Build.ofThisProgram();
            HubMetrics metrics = new HubMetrics(build.version(), build.revision());
            clients = new ClientPool(loops.vertx());
            Timers timers = new VertxTimers(loops.vertx());
            RandomGenerator random = () -> ThreadLocalRandom.current().nextLong();
            Surroundings around = new Surroundings(timers, threads, random);
            settings = new Settings(access.server(), single);
            ApiClient management = clients.management(
                    access,
                    ClientLimits.MANAGEMENT.withRequestTimeout(
                            configuration.management().requestTimeout()),
                    metrics.managementRequests(),
                    ConnectionObserver.NONE);
            WorkQueue queue = new WorkQueue(threads, timers, random, RUNS);
            Decider decider =
                    new Decider(configuration.render().limits(), System::nanoTime, new SecureRandom());
            WorkerSync.Environment environment = new WorkerSync.Environment(
                    around,
                    new Runs.Tools(queue, decider, RenderThreads.start(cores), metrics.syncs(), threads),
                    replica);
            WorkerConnections connections = new WorkerConnections(
                    clients,
                    NameService.SYSTEM,
                    this::egress,
                    new ConnectRamp(configuration.tenancy().connectConcurrency(), threads),
                    timers,
                    threads,
                    metrics.workerRequests(),
                    metrics.connects());
            hub = new Hub(
                    new HubParts(
                            management.api(),
                            access.server().toString(),
                            new ConnectionLinks(connections),
                            environment,
                            new WorkQueue(threads, timers, random, LOOKS),
                            new TemplateLanguages(),
                            () -> true,
                            () -> {},
                            namespace -> true),
                    settings.of(configuration),
                    access.authorities());
            new ServiceFigures(metrics, hub, queue, loops, clients).register();
            ops = new OpsServer(loops.vertx(), health(), metrics::text);
            ports = listen(configuration);
        } catch (IOException | RuntimeException e) {
            closeThreads();
            throw e;
        }
    }

    private EgressPolicy egress(String namespace) {
        return hub.egress(namespace);
    }

    private Map<String, Health> health() {
        Health live = new Health().with("eventloop", this::stuck);
        Health ready = new Health()
                .with("config", () -> null)
                .with("management", this::managementProblem)
                .with("shutdown", () -> stopping ? "stopping" : null);
        return Map.of("/livez", live, "/healthz", live, "/readyz", ready);
    }

    private @Nullable String stuck() {
        Duration stuck = loops.stuckFor();
        return stuck.compareTo(STUCK) > 0 ? "blocked for " + stuck.toSeconds() + " s" : null;
    }

    private @Nullable String managementProblem() {
        if (hub.managementProblem().isPresent()) {
            return hub.managementProblem().get();
        }
        return hub.isReady() ? null : "first lists are not complete";
    }

    private Ports listen(HubConfiguration configuration) throws IOException {
        ListenAddress health = configuration.health();
        ListenAddress metrics = configuration.metrics().address();
        if (health.equals(metrics) && health.port() != 0) {
            int both = listen(health, new OpsServer.Serves(true, true));
            return new Ports(both, both);
        }
        return new Ports(
                listen(health, new OpsServer.Serves(true, false)), listen(metrics, new OpsServer.Serves(false, true)));
    }

    private int listen(ListenAddress address, OpsServer.Serves serves) throws IOException {
        try {
            return await(ops.listen(address.host(), address.port(), serves), LISTENING);
        } catch (ExecutionException | TimeoutException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw new IOException("cannot listen on " + address + ": " + cause.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while it began to listen on " + address, e);
        }
    }

    private static <T> T await(Future<T> future, Duration patience)
            throws ExecutionException, InterruptedException, TimeoutException {
        return future.toCompletionStage().toCompletableFuture().get(patience.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Takes over what of a configuration can be changed while it runs. */
    void settings(HubConfiguration now) {
        hub.settings(settings.of(now));
    }

    public Ports ports() {
        return ports;
    }

    /** The tenants as they are at each moment. */
    public TenantDirectory tenants() {
        return hub;
    }

    /** Everything of the management cluster was read once. */
    public boolean isReady() {
        return hub.isReady();
    }

    /** Ends within a few seconds. What lasts is in the clusters; another hub goes on from there. */
    @Override
    public void close() {
        stopping = true;
        hub.stop();
        clients.close();
        closeThreads();
    }

    private void closeThreads() {
        threads.shutdownNow();
        try {
            await(loops.vertx().close(), CLOSING);
        } catch (ExecutionException | TimeoutException e) {
            LOG.warn("Connections did not close in time");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
