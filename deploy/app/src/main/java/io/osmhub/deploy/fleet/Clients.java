package io.osmhub.deploy.fleet;

import io.osmhub.tenancy.client.ClientLimits;
import io.osmhub.tenancy.client.ClientPool;
import io.osmhub.tenancy.client.ConnectionObserver;
import io.osmhub.tenancy.client.RequestObserver;
import io.osmhub.tenancy.client.ServerAccess;
import io.osmhub.tenancy.connection.ConnectionTests;
import io.osmhub.tenancy.connection.LiveConnectionTests;
import io.osmhub.tenancy.connection.NameService;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.port.Timers;
import io.osmhub.workersync.watch.Surroundings;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.file.FileSystemOptions;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;

/** Clients of API servers for one run of a command. */
public final class Clients implements AutoCloseable {
    private final Vertx vertx;
    private final ClientPool pool;
    private final Timers timers;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    private Clients(Vertx vertx) {
        this.vertx = vertx;
        this.pool = new ClientPool(vertx);
        this.timers = new CommandTimers(vertx);
    }

    public static Clients start() {
        return new Clients(Vertx.vertx(new VertxOptions()
                .setEventLoopPoolSize(1)
                .setWorkerPoolSize(1)
                .setInternalBlockingPoolSize(1)
                .setFileSystemOptions(
                        new FileSystemOptions().setFileCachingEnabled(false).setClassPathResolvingEnabled(false))));
    }

    ClientPool pool() {
        return pool;
    }

    /** An API server with the rights of the person who runs the command. */
    public KubeApi user(ServerAccess access) {
        return new UserApi(pool.worker(access, ClientLimits.WORKER, RequestObserver.NONE, ConnectionObserver.NONE)
                .api());
    }

    public Timers timers() {
        return timers;
    }

    /** What watches run on. */
    Surroundings surroundings() {
        return new Surroundings(timers, threads, ThreadLocalRandom.current());
    }

    /** Tries kubeconfigs from this machine. */
    public ConnectionTests tests() {
        return new LiveConnectionTests(pool, NameService.SYSTEM, RequestObserver.NONE, timers, threads);
    }

    @Override
    public void close() {
        pool.close();
        threads.shutdownNow();
        vertx.close();
    }

    private record CommandTimers(Vertx vertx) implements Timers {
        @Override
        public Instant now() {
            return Instant.now();
        }

        @Override
        public long nanoTime() {
            return System.nanoTime();
        }

        @Override
        public Timer after(Duration delay, Runnable task) {
            long id = vertx.setTimer(Math.max(1, delay.toMillis()), ignored -> task.run());
            return () -> vertx.cancelTimer(id);
        }
    }
}
