package io.osmhub.deploy.run;

import io.netty.handler.ssl.util.BouncyCastleUtil;
import io.osmhub.api.ops.HubMetrics;
import io.osmhub.core.plan.Decider;
import io.osmhub.core.render.TemplateLanguages;
import io.osmhub.deploy.config.HubConfiguration;
import io.osmhub.tenancy.HubParts;
import io.osmhub.tenancy.client.ApiClient;
import io.osmhub.tenancy.client.ClientLimits;
import io.osmhub.tenancy.client.ClientPool;
import io.osmhub.tenancy.client.ConnectionObserver;
import io.osmhub.tenancy.client.ManagementAccess;
import io.osmhub.tenancy.client.ServerAccess;
import io.osmhub.tenancy.connection.ConnectRamp;
import io.osmhub.tenancy.connection.NameService;
import io.osmhub.tenancy.connection.WorkerConnections;
import io.osmhub.tenancy.kubeconfig.EgressPolicy;
import io.osmhub.tenancy.link.ConnectionLinks;
import io.osmhub.workersync.WorkerSync;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.apiserver.MemoryBudget;
import io.osmhub.workersync.port.Timers;
import io.osmhub.workersync.queue.WorkQueue;
import io.osmhub.workersync.reconcile.RenderThreads;
import io.osmhub.workersync.reconcile.Runs;
import io.osmhub.workersync.watch.Surroundings;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What every mode of the service stands on: event loops, threads, clients, clock, queue, metrics. */
final class Foundation {
    private static final Logger LOG = LoggerFactory.getLogger(Foundation.class);
    /** Runs over all tenants at a time; they wait for answers most of their time. */
    private static final int RUNS = 256;
    /** More than one even where there is one core: a tenant has one less. */
    private static final int RENDERINGS = Math.max(2, cores());
    /** Previews and trials at a time: one tenant or caller leaves the other place free. */
    private static final int PREVIEWS = 2;
    /** Namespaces that are looked at at a time. */
    private static final int LOOKS = 32;

    private static final Duration CLOSING = Duration.ofSeconds(2);

    private final HubConfiguration configuration;
    private final String replica;
    private final EventLoops loops;
    private final ExecutorService threads;
    private final HubMetrics metrics;
    private final Tracing tracing;
    private final ClientPool clients;
    private final Surroundings around;
    private final WorkQueue queue;
    private final RenderThreads previews = RenderThreads.start(PREVIEWS);

    /** @param replica name of this replica, as Events show it */
    Foundation(HubConfiguration configuration, String replica) {
        loadCryptography();
        this.configuration = configuration;
        this.replica = replica;
        this.threads = Executors.newThreadPerTaskExecutor(Thread.ofVirtual().factory());
        Build build = Build.ofThisProgram();
        this.metrics = new HubMetrics(build.version(), build.revision());
        this.loops = EventLoops.start(cores(), metrics::vertx);
        this.tracing = Tracing.of(configuration.tracing(), replica, System.getenv());
        this.clients = new ClientPool(loops.vertx());
        Timers timers = new VertxTimers(loops.vertx());
        RandomGenerator random = () -> ThreadLocalRandom.current().nextLong();
        this.around = new Surroundings(timers, threads, random, MemoryBudget.ofKept());
        HeapCare.start(threads);
        this.queue = new WorkQueue(
                threads, timers, random, RUNS, configuration.tenancy().maxConcurrentReconciles());
    }

    /** Netty would do so with the first TLS connection, on an event loop and for a quarter of a second. */
    private static void loadCryptography() {
        Thread.ofPlatform().daemon().name("cryptography").start(BouncyCastleUtil::isBcTlsAvailable);
    }

    private static int cores() {
        return Runtime.getRuntime().availableProcessors();
    }

    EventLoops loops() {
        return loops;
    }

    /** One virtual thread for each task. */
    ExecutorService threads() {
        return threads;
    }

    HubMetrics metrics() {
        return metrics;
    }

    Tracing tracing() {
        return tracing;
    }

    ClientPool clients() {
        return clients;
    }

    Surroundings around() {
        return around;
    }

    WorkQueue queue() {
        return queue;
    }

    /** Where what is not published is rendered. */
    RenderThreads previews() {
        return previews;
    }

    String replica() {
        return replica;
    }

    ApiClient management(ManagementAccess access) {
        return clients.management(
                access,
                ClientLimits.MANAGEMENT.withRequestTimeout(
                        configuration.management().requestTimeout()),
                metrics.managementRequests(),
                ConnectionObserver.NONE);
    }

    /** A worker cluster that the operator names himself. */
    ApiClient worker(ServerAccess access) {
        return clients.worker(access, ClientLimits.WORKER, metrics.workerRequests(), ConnectionObserver.NONE);
    }

    /** @param egress the policy of a namespace, as it is at each moment */
    HubParts parts(KubeApi management, String endpoint, Leadership leadership, Function<String, EgressPolicy> egress) {
        WorkerConnections connections = new WorkerConnections(
                clients,
                NameService.SYSTEM,
                egress,
                new ConnectRamp(configuration.tenancy().connectConcurrency(), threads),
                around.timers(),
                threads,
                metrics.workerRequests(),
                metrics.connects());
        Decider decider = new Decider(configuration.render().limits(), System::nanoTime, new SecureRandom());
        WorkerSync.Environment environment = new WorkerSync.Environment(
                around,
                new Runs.Tools(queue, decider, RenderThreads.start(RENDERINGS), metrics.syncs(), tracing, threads),
                replica);
        return new HubParts(
                management,
                endpoint,
                new ConnectionLinks(connections),
                environment,
                new WorkQueue(threads, around.timers(), around.random(), LOOKS),
                previews,
                new TemplateLanguages(),
                leadership::mayWrite,
                metrics.hub(() -> leadership.lastChange().name().toLowerCase(Locale.ROOT)),
                leadership::serves);
    }

    void close() {
        clients.close();
        tracing.close();
        threads.shutdownNow();
        try {
            loops.vertx()
                    .close()
                    .toCompletionStage()
                    .toCompletableFuture()
                    .get(CLOSING.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            LOG.warn("Connections did not close in time");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
