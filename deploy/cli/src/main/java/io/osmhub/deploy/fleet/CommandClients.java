package io.osmhub.deploy.fleet;

import io.osmhub.tenancy.client.ClientLimits;
import io.osmhub.tenancy.client.ClientPool;
import io.osmhub.tenancy.client.ConnectionObserver;
import io.osmhub.tenancy.client.RequestObserver;
import io.osmhub.tenancy.client.ServerAccess;
import io.osmhub.tenancy.connection.ConnectionTester;
import io.osmhub.tenancy.connection.DnsResolver;
import io.osmhub.tenancy.connection.KubeConnectionTester;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ApiRequest;
import io.osmhub.workersync.apiserver.ItemSplitter;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.port.Scheduler;
import io.osmhub.workersync.watch.RuntimeContext;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.file.FileSystemOptions;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Clients of API servers for one command. */
public final class CommandClients implements AutoCloseable {
    private final Vertx vertx;
    private final ClientPool pool;
    private final Scheduler timers;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    private CommandClients(Vertx vertx) {
        this.vertx = vertx;
        this.pool = new ClientPool(vertx);
        this.timers = new CommandScheduler(vertx);
    }

    public static CommandClients start() {
        TlsSettings.apply();
        return new CommandClients(Vertx.vertx(new VertxOptions()
                .setEventLoopPoolSize(1)
                .setWorkerPoolSize(1)
                .setInternalBlockingPoolSize(1)
                .setFileSystemOptions(
                        new FileSystemOptions().setFileCachingEnabled(false).setClassPathResolvingEnabled(false))));
    }

    ClientPool pool() {
        return pool;
    }

    /** Access to an API server with the user's permissions. */
    public KubeApi userApi(ServerAccess access) {
        return new UserApi(pool.worker(access, ClientLimits.WORKER, RequestObserver.NONE, ConnectionObserver.NONE)
                .api());
    }

    public Scheduler timers() {
        return timers;
    }

    RuntimeContext runtime() {
        return new RuntimeContext(timers, threads, new SecureRandom());
    }

    /** Tests kubeconfigs from this machine. */
    public ConnectionTester tests() {
        return new KubeConnectionTester(pool, DnsResolver.SYSTEM, RequestObserver.NONE, timers, threads);
    }

    @Override
    public void close() {
        pool.close();
        threads.shutdownNow();
        vertx.close();
    }

    private record CommandScheduler(Vertx vertx) implements Scheduler {
        @Override
        public Instant now() {
            return Instant.now();
        }

        @Override
        public long nanoTime() {
            return System.nanoTime();
        }

        @Override
        public ScheduledTask schedule(Duration delay, Runnable task) {
            long id = vertx.setTimer(Math.max(1, delay.toMillis()), ignored -> task.run());
            return () -> vertx.cancelTimer(id);
        }
    }

    /** A user's requests, whose writes must not be attributed to the service. */
    record UserApi(KubeApi api) implements KubeApi {
        private static final String FIELD_MANAGER = "osm-hub-cli";

        @Override
        public byte[] send(ApiRequest request) throws ApiFailure {
            if (!request.query().containsKey("fieldManager")) {
                return api.send(request);
            }
            SortedMap<String, String> query = new TreeMap<>(request.query());
            query.put("fieldManager", FIELD_MANAGER);
            return api.send(new ApiRequest(
                    request.verb(),
                    request.resource(),
                    request.namespace(),
                    request.name(),
                    request.subresource(),
                    query,
                    request.contentType(),
                    request.body()));
        }

        @Override
        public byte[] list(ApiRequest request, ItemSplitter.ItemHandler items) throws ApiFailure, IOException {
            return api.list(request, items);
        }

        @Override
        public Watch watch(ApiRequest request, WatchLineHandler lines) {
            return api.watch(request, lines);
        }
    }
}
