package io.osmhub.deploy.fleet;

import io.osmhub.deploy.run.VertxScheduler;
import io.osmhub.tenancy.client.ClientLimits;
import io.osmhub.tenancy.client.ClientPool;
import io.osmhub.tenancy.client.ConnectionObserver;
import io.osmhub.tenancy.client.RequestObserver;
import io.osmhub.tenancy.client.ServerAccess;
import io.osmhub.tenancy.connection.ConnectionTester;
import io.osmhub.tenancy.connection.DnsResolver;
import io.osmhub.tenancy.connection.Handshake;
import io.osmhub.tenancy.kubeconfig.EgressPolicy;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.port.Scheduler;
import io.osmhub.workersync.watch.RuntimeContext;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.file.FileSystemOptions;
import java.security.SecureRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Clients of API servers for one command. */
public final class CommandClients implements AutoCloseable {
    /** A user's writes must not be attributed to the service. */
    static final String FIELD_MANAGER = "osm-hub-cli";

    private final Vertx vertx;
    private final ClientPool pool;
    private final Scheduler scheduler;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    private CommandClients(Vertx vertx) {
        this.vertx = vertx;
        this.pool = new ClientPool(vertx, FIELD_MANAGER);
        this.scheduler = new VertxScheduler(vertx);
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
        return pool.worker(access, ClientLimits.WORKER, RequestObserver.NONE, ConnectionObserver.NONE)
                .api();
    }

    RuntimeContext runtime() {
        return new RuntimeContext(scheduler, threads, new SecureRandom());
    }

    /** Tests kubeconfigs from this machine. */
    ConnectionTester tests(EgressPolicy egressPolicy) {
        return new Handshake(pool, DnsResolver.SYSTEM, namespace -> egressPolicy, RequestObserver.NONE, runtime());
    }

    @Override
    public void close() {
        pool.close();
        threads.shutdownNow();
        vertx.close();
    }
}
