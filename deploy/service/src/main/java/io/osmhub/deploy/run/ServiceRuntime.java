package io.osmhub.deploy.run;

import io.netty.handler.ssl.util.BouncyCastleUtil;
import io.osmhub.api.ops.HubMetrics;
import io.osmhub.core.plan.Decider;
import io.osmhub.core.template.Sandbox.RenderLimits;
import io.osmhub.core.template.language.TemplateEngines;
import io.osmhub.deploy.config.HubConfiguration;
import io.osmhub.deploy.config.ListenAddress;
import io.osmhub.tenancy.Hub.HubDependencies;
import io.osmhub.tenancy.Hub.HubObserver;
import io.osmhub.tenancy.client.ApiClient;
import io.osmhub.tenancy.client.ClientLimits;
import io.osmhub.tenancy.client.ClientPool;
import io.osmhub.tenancy.client.ConnectionObserver;
import io.osmhub.tenancy.client.ManagementAccess;
import io.osmhub.tenancy.client.ServerAccess;
import io.osmhub.tenancy.connection.ConnectLimiter;
import io.osmhub.tenancy.connection.DnsResolver;
import io.osmhub.tenancy.connection.Handshake;
import io.osmhub.tenancy.connection.WorkerConnectionFactory;
import io.osmhub.tenancy.kubeconfig.EgressPolicy;
import io.osmhub.tenancy.lease.InFlightWrites;
import io.osmhub.tenancy.lease.WriteFence;
import io.osmhub.workersync.WorkerSync;
import io.osmhub.workersync.apiserver.ApiRequest;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.apiserver.MemoryBudget;
import io.osmhub.workersync.port.Scheduler;
import io.osmhub.workersync.queue.WorkQueue;
import io.osmhub.workersync.reconcile.RenderExecutor;
import io.osmhub.workersync.reconcile.TenantContext;
import io.osmhub.workersync.watch.RuntimeContext;
import io.vertx.core.Future;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The base of every service mode: event loops, threads, clients, clock, queue, metrics. */
final class ServiceRuntime {
    private static final Logger LOG = LoggerFactory.getLogger(ServiceRuntime.class);
    /** Concurrent reconciles over all tenants; they mostly wait for I/O. */
    private static final int RUNS = 256;
    /** At least two even on one core: a tenant may use one less. */
    private static final int RENDERINGS = Math.max(2, cores());
    /** Concurrent previews and tests: one tenant or caller leaves the other slot free. */
    private static final int PREVIEWS = 2;
    /** Namespaces reconciled concurrently. */
    private static final int LOOKS = 32;

    private static final Duration LISTENING = Duration.ofSeconds(10);
    private static final Duration CLOSING = Duration.ofSeconds(2);

    private final HubConfiguration configuration;
    private final String replica;
    private final EventLoops loops;
    private final ExecutorService threads;
    private final HubMetrics metrics;
    private final HubTracing tracing;
    private final ClientPool clients;
    private final RuntimeContext runtimeContext;
    private final WorkQueue queue;
    private final RenderExecutor previewExecutor;
    private final InFlightWrites inFlightWrites = new InFlightWrites();

    /**
     * @param replica name of this replica in Events
     * @throws IOException if tracing cannot start
     */
    ServiceRuntime(HubConfiguration configuration, String replica) throws IOException {
        this.tracing = HubTracing.of(configuration.tracing(), replica);
        this.previewExecutor = RenderExecutor.start(PREVIEWS);
        this.configuration = configuration;
        this.replica = replica;
        this.threads = Executors.newThreadPerTaskExecutor(Thread.ofVirtual().factory());
        BuildInfo build = BuildInfo.current();
        this.metrics = new HubMetrics(build.version(), build.revision());
        this.loops = EventLoops.start(cores(), metrics::createVertx);
        this.clients = new ClientPool(loops.vertx(), ApiRequest.FIELD_MANAGER + "/" + replica);
        Scheduler timers = new VertxScheduler(loops.vertx());
        RandomGenerator random = () -> ThreadLocalRandom.current().nextLong();
        Executor background = new BackgroundExecutor(threads);
        this.runtimeContext = new RuntimeContext(timers, background, random, MemoryBudget.forCaches());
        HeapMaintenance.start(background);
        this.queue = new WorkQueue(
                background, timers, random, RUNS, configuration.tenancy().maxConcurrentReconciles());
    }

    /** For servers. Otherwise Netty does so on their first TLS connection, blocking an event loop for a quarter of a second. */
    static void loadCryptography() {
        Thread.ofPlatform().daemon().name("cryptography").start(BouncyCastleUtil::isBcTlsAvailable);
    }

    private static int cores() {
        return Runtime.getRuntime().availableProcessors();
    }

    EventLoops loops() {
        return loops;
    }

    /** One virtual thread per task; rejects tasks after {@link #close}, so that requests can be refused. */
    ExecutorService threads() {
        return threads;
    }

    HubMetrics metrics() {
        return metrics;
    }

    HubTracing tracing() {
        return tracing;
    }

    ClientPool clients() {
        return clients;
    }

    RuntimeContext runtimeContext() {
        return runtimeContext;
    }

    WorkQueue queue() {
        return queue;
    }

    /** Renders unpublished content. */
    RenderExecutor previews() {
        return previewExecutor;
    }

    InFlightWrites inFlightWrites() {
        return inFlightWrites;
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

    /** A worker cluster chosen by the operator. */
    ApiClient worker(ServerAccess access) {
        return clients.worker(access, ClientLimits.WORKER, metrics.workerRequests(), ConnectionObserver.NONE);
    }

    /** @param egress the current policy of a namespace */
    HubDependencies parts(
            KubeApi management, String endpoint, Leadership leadership, Function<String, EgressPolicy> egress) {
        Handshake handshake =
                new Handshake(clients, DnsResolver.SYSTEM, egress, metrics.workerRequests(), runtimeContext);
        WorkerConnectionFactory connections = WorkerConnectionFactory.of(
                handshake,
                new ConnectLimiter(configuration.tenancy().connectConcurrency(), runtimeContext.blockingExecutor()),
                runtimeContext,
                metrics.connects());
        BuildInfo build = BuildInfo.current();
        Decider decider = new Decider(
                build.renderingVersion(), renderLimits(configuration.render()), System::nanoTime, new SecureRandom());
        WorkerSync.SyncEnvironment environment = new WorkerSync.SyncEnvironment(
                runtimeContext,
                new TenantContext.RunDependencies(
                        queue,
                        decider,
                        RenderExecutor.start(RENDERINGS),
                        metrics.syncs(),
                        tracing,
                        runtimeContext.blockingExecutor()),
                replica);
        HubObserver observer = metrics.hub(() -> leadership.lastChange().name().toLowerCase(Locale.ROOT));
        return new HubDependencies(
                management,
                endpoint,
                connections,
                environment,
                new WorkQueue(
                        runtimeContext.blockingExecutor(), runtimeContext.scheduler(), runtimeContext.random(), LOOKS),
                previewExecutor,
                new TemplateEngines(),
                new WriteFence(leadership::mayWrite, leadership::startServing, inFlightWrites, observer::onWriteFenced),
                observer);
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
            LOG.warn("Timed out closing connections");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Waits until a server listens; returns the port, chosen by the system if that of the address is 0.
     *
     * @throws IOException if it cannot listen; the message is for users
     */
    static int awaitPort(ListenAddress address, Future<Integer> listening) throws IOException {
        try {
            return listening.toCompletionStage().toCompletableFuture().get(LISTENING.toSeconds(), TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw new IOException("cannot listen on " + address + ": " + cause.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted before listening on " + address, e);
        }
    }

    static RenderLimits renderLimits(HubConfiguration.Render render) {
        return new RenderLimits(
                render.outputLimit().bytes(), render.stepLimit(), render.depthLimit(), render.timeLimit());
    }
}
