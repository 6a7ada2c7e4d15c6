package io.osmhub.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.core.model.Sensitive;
import io.osmhub.sim.SimulatedCluster;
import io.osmhub.sim.SimulatedClusters;
import io.osmhub.sim.SimulationOptions;
import io.osmhub.sim.faults.ClusterFaults.MemoryAttack;
import io.osmhub.tenancy.client.ApiClient;
import io.osmhub.tenancy.client.ClientLimits;
import io.osmhub.tenancy.client.ClientPool;
import io.osmhub.tenancy.client.ConnectionObserver;
import io.osmhub.tenancy.client.RequestObserver;
import io.osmhub.tenancy.client.ServerAccess;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ApiRequest;
import io.osmhub.workersync.apiserver.MemoryBudget;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.port.Scheduler;
import io.osmhub.workersync.watch.RuntimeContext;
import io.osmhub.workersync.watch.WorkerInformers;
import io.vertx.core.Vertx;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Worker clusters that answer by attacks on the hub's memory, read in a process that has little of it: the process continues, a healthy
 * cluster beside them is read, and the memory is free again when they are removed. {@code ./hub bench fleet --fault hostile-servers} is
 * the long form.
 */
class HostileServersTest {
    private static final int HOSTILE = 27;
    private static final Duration LIMIT = Duration.ofMinutes(10);
    /** So many requests to each hostile server are over before it is removed. */
    private static final int REQUESTS = 2;

    private static final String HEAP = "-Xmx128m";

    @Test
    @Timeout(value = 25, unit = TimeUnit.MINUTES)
    void neitherEndTheProcessNorKeepAHealthyClusterFromBeingRead() throws Exception {
        try (SimulatedClusters clusters = SimulatedClusters.start(0, SimulationOptions.defaults())) {
            List<SimulatedCluster> all = new ArrayList<>();
            MemoryAttack[] attacks = MemoryAttack.values();
            for (int i = 0; i < HOSTILE; i++) {
                SimulatedCluster hostile = clusters.add("hostile-" + i);
                hostile.installWorkerPrerequisites();
                hostile.faults().attack(attacks[1 + i % (attacks.length - 1)]);
                all.add(hostile);
            }
            SimulatedCluster healthy = clusters.add("healthy");
            healthy.installWorkerPrerequisites();
            all.add(healthy);
            Process reader = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-XX:+UseSerialGC",
                            HEAP,
                            "-XX:+ExitOnOutOfMemoryError",
                            "-cp",
                            System.getProperty("java.class.path"),
                            Reader.class.getName())
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            try (BufferedWriter to = reader.outputWriter();
                    BufferedReader from = reader.inputReader()) {
                for (SimulatedCluster cluster : all) {
                    to.write(cluster.url() + " " + cluster.adminToken() + " "
                            + Base64.getEncoder().encodeToString(cluster.caPem().getBytes(StandardCharsets.UTF_8)));
                    to.newLine();
                }
                to.newLine();
                to.flush();

                List<String> lines =
                        from.lines().filter(line -> line.startsWith("RESULT ")).toList();

                assertThat(reader.waitFor()).as("exit code").isZero();
                assertThat(lines)
                        .containsExactly(
                                "RESULT hostile servers read " + HOSTILE,
                                "RESULT healthy synced true, answered true",
                                "RESULT memory held 0 B of objects, 0 B of answers");
            } finally {
                reader.destroyForcibly();
            }
        }
    }

    /** Reads the clusters that its input names; the last one is healthy. */
    static final class Reader {
        private Reader() {}

        private record Cluster(ApiClient client, WorkerInformers objects, AtomicInteger requests) {}

        public static void main(String[] arguments) throws IOException, InterruptedException {
            BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            Vertx vertx = Vertx.vertx();
            MemoryBudget received = MemoryBudget.forResponses();
            ClientPool pool = new ClientPool(vertx, received, "osm-hub");
            MemoryBudget kept = MemoryBudget.forCaches();
            Executor threads =
                    Executors.newThreadPerTaskExecutor(Thread.ofVirtual().factory());
            RuntimeContext around = new RuntimeContext(new RealTime(), threads, new Random(1), kept);
            List<Cluster> clusters = new ArrayList<>();
            for (String line = in.readLine(); line != null && !line.isEmpty(); line = in.readLine()) {
                clusters.add(open(pool, around, line.split(" ")));
            }
            Cluster healthy = clusters.getLast();
            List<Cluster> hostile = clusters.subList(0, clusters.size() - 1);
            until(() -> healthy.objects.isSynced() && read(hostile) == hostile.size());
            System.out.println("RESULT hostile servers read " + read(hostile));
            System.out.println(
                    "RESULT healthy synced " + healthy.objects.isSynced() + ", answered " + answers(healthy.client));
            clusters.forEach(cluster -> {
                cluster.objects.end();
                cluster.client.close();
            });
            until(() -> kept.taken() == 0 && received.taken() == 0);
            System.out.println(
                    "RESULT memory held " + kept.taken() + " B of objects, " + received.taken() + " B of answers");
            System.exit(0);
        }

        private static long read(List<Cluster> hostile) {
            return hostile.stream()
                    .filter(cluster -> cluster.requests.get() >= REQUESTS)
                    .count();
        }

        private static void until(BooleanSupplier condition) throws InterruptedException {
            long end = System.nanoTime() + LIMIT.toNanos();
            while (!condition.getAsBoolean() && System.nanoTime() < end) {
                TimeUnit.MILLISECONDS.sleep(100);
            }
        }

        private static Cluster open(ClientPool pool, RuntimeContext around, String[] words) {
            ServerAccess access = new ServerAccess(
                    URI.create(words[0]),
                    new ServerAccess.ServerTrustPolicy.Authorities(
                            new String(Base64.getDecoder().decode(words[2]), StandardCharsets.UTF_8)),
                    new ServerAccess.Authentication.Token(new Sensitive(words[1])),
                    "",
                    null,
                    null);
            AtomicInteger requests = new AtomicInteger();
            RequestObserver counting = (verb, resource, failure, took) -> requests.incrementAndGet();
            ApiClient client = pool.worker(access, ClientLimits.WORKER, counting, ConnectionObserver.NONE);
            WorkerInformers.WorkerEventListener ignored = (WorkerInformers.WorkerEventListener) Proxy.newProxyInstance(
                    Reader.class.getClassLoader(),
                    new Class<?>[] {WorkerInformers.WorkerEventListener.class},
                    (proxy, method, values) -> null);
            WorkerInformers objects = new WorkerInformers(ignored, around);
            objects.resume(client.api());
            return new Cluster(client, objects, requests);
        }

        private static boolean answers(ApiClient client) {
            try {
                return client.api().send(ApiRequest.get(Resource.NAMESPACES, "", "kube-system")).length > 0;
            } catch (ApiFailure failure) {
                System.err.println("the healthy cluster: " + failure.text());
                return false;
            }
        }
    }

    /** The machine's clock. */
    private static final class RealTime implements Scheduler {
        private final ScheduledExecutorService alarms = Executors.newSingleThreadScheduledExecutor(
                Thread.ofPlatform().daemon().factory());

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
            Future<?> alarm = alarms.schedule(task, delay.toMillis(), TimeUnit.MILLISECONDS);
            return () -> alarm.cancel(false);
        }
    }
}
