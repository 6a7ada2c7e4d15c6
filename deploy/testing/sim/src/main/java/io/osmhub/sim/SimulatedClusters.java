package io.osmhub.sim;

import io.netty.handler.ssl.SslContext;
import io.osmhub.sim.auth.SimulatedAuthority;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Simulated Kubernetes API servers on loopback with separate ports, on one Vert.x. */
public final class SimulatedClusters implements AutoCloseable {
    private static final long START_SECONDS = 60;

    private final Vertx vertx;
    private final SimulationOptions options;
    private final List<SimulatedCluster> clusters = new CopyOnWriteArrayList<>();
    private @Nullable SimulatedAuthority sharedAuthority;
    private @Nullable SslContext sharedTls;

    private SimulatedClusters(SimulationOptions options) {
        this.options = options;
        this.vertx =
                Vertx.vertx(new VertxOptions().setInternalBlockingPoolSize(2).setWorkerPoolSize(2));
    }

    /** Starts this many clusters, named {@code cluster-0} and so on; returns when all listen. */
    public static SimulatedClusters start(int count, SimulationOptions options) {
        SimulatedClusters clusters = new SimulatedClusters(options);
        for (int i = 0; i < count; i++) {
            clusters.add("cluster-" + i);
        }
        return clusters;
    }

    /** Starts another cluster; returns when it listens. */
    public synchronized SimulatedCluster add(String name) {
        int port = options.basePort() == 0 ? 0 : options.basePort() + clusters.size();
        SimulatedAuthority authority = authority(name);
        SslContext tls = tls(authority);
        SimulatedCluster cluster = new SimulatedCluster(vertx, name, port, authority, tls, options);
        await(cluster.proxy().start());
        clusters.add(cluster);
        return cluster;
    }

    /** A cluster by the order of its start, from 0. */
    public SimulatedCluster cluster(int index) {
        return clusters.get(index);
    }

    public List<SimulatedCluster> all() {
        return List.copyOf(clusters);
    }

    /** Stops all clusters and discards their objects. */
    @Override
    public void close() {
        await(vertx.close());
    }

    private SimulatedAuthority authority(String name) {
        if (!options.sharedAuthority()) {
            return SimulatedAuthority.create(name + "-ca");
        }
        if (sharedAuthority == null) {
            sharedAuthority = SimulatedAuthority.create("simulated-ca");
        }
        return sharedAuthority;
    }

    private SslContext tls(SimulatedAuthority authority) {
        if (!options.sharedAuthority()) {
            return authority.tlsContext();
        }
        if (sharedTls == null) {
            sharedTls = authority.tlsContext();
        }
        return sharedTls;
    }

    static void await(Future<?> future) {
        try {
            future.toCompletionStage().toCompletableFuture().get(START_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", interrupted);
        } catch (java.util.concurrent.ExecutionException | TimeoutException failed) {
            throw new IllegalStateException("a simulated cluster could not be started or stopped", failed);
        }
    }
}
