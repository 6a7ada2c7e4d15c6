package io.osmhub.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.osmhub.api.inventory.LocalReplica;
import io.osmhub.api.inventory.StoredInventory;
import io.osmhub.api.inventory.Visibility;
import io.osmhub.api.journal.ChangeJournal;
import io.osmhub.api.paging.ListQuery;
import io.osmhub.api.problem.ApiProblem;
import io.osmhub.bench.GeneratedFleet.GeneratedServer;
import io.osmhub.tenancy.TenantView;
import io.osmhub.tenancy.catalog.ConfigCache;
import io.osmhub.tenancy.catalog.ProfileCache;
import io.osmhub.tenancy.management.ManagementStore.StoreListeners;
import io.osmhub.tenancy.management.NoopListWatchListener;
import io.osmhub.tenancy.management.StoredObjectListener;
import io.osmhub.tenancy.registry.WorkerClusterStore;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.port.Scheduler;
import io.osmhub.workersync.watch.RuntimeContext;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code ./hub bench inventory}. */
@Command(
        name = "inventory",
        description = "Measure a warm inventory of a changing large fleet: time of a page per query, and live heap.",
        mixinStandardHelpOptions = true)
final class InventoryBenchCommand implements Callable<Integer> {
    private static final int MISSED = 1;
    private static final double PROMISED_MILLIS = 20;
    private static final Duration PATIENCE = Duration.ofMinutes(10);

    @Option(
            names = "--tenants",
            paramLabel = "N",
            defaultValue = "1000",
            description = "Number of worker clusters (${DEFAULT-VALUE}).")
    private int tenants;

    @Option(
            names = "--configs",
            paramLabel = "C",
            defaultValue = "100",
            description = "OperatingSystemConfigs per worker cluster (${DEFAULT-VALUE}).")
    private int configs;

    @Option(
            names = "--rounds",
            paramLabel = "R",
            defaultValue = "1000",
            description = "Timed responses per query (${DEFAULT-VALUE}).")
    private int rounds;

    @Option(names = "--http", description = "Query the API over TLS and HTTP/2 instead of the inventory.")
    private boolean http;

    @Option(names = "--json", paramLabel = "FILE", description = "Write all results to this file.")
    private @Nullable Path json;

    @Option(names = "--check", description = "Exit with 1 if a page exceeds the target of docs/performance.md.")
    private boolean check;

    /**
     * The results.
     *
     * @param readMillis from the first request to the first response: lists read, rows derived and sorted
     * @param liveHeapBytes after a full collection: caches of tenancy, inventory and journal, minus the heap before
     */
    private record InventoryFigures(
            String machine,
            int tenants,
            int configs,
            long readMillis,
            long liveHeapBytes,
            long liveHeapBytesPerConfig,
            List<InventoryBench.Timing> timings) {}

    @Override
    public Integer call() throws IOException, InterruptedException, ApiProblem {
        String machine = Bench.MachineInfo.describe();
        System.out.println(machine);
        System.out.println();
        long before = liveHeap();
        GeneratedServer server = new GeneratedServer(new GeneratedFleet(tenants, configs));
        long begun = System.nanoTime();
        try (InventoryFeed watched = new InventoryFeed(server.api())) {
            while (!watched.isComplete()) {
                if (System.nanoTime() - begun > PATIENCE.toNanos()) {
                    throw new IOException("the lists were not read within " + PATIENCE.toMinutes() + " min");
                }
                Thread.sleep(50);
            }
            watched.inventory().configurations(ListQuery.ALL, Visibility.EVERYTHING);
            long readMillis = (System.nanoTime() - begun) / 1_000_000;
            InventoryBench bench = new InventoryBench(watched.inventory(), server, tenants, configs, rounds);
            List<InventoryBench.Timing> timings = http ? overHttp(watched, bench) : bench.run();
            long heap = liveHeap() - before;
            int all = tenants * configs;
            InventoryFigures figures =
                    new InventoryFigures(machine, tenants, configs, readMillis, heap, heap / all, timings);
            print(figures);
            if (json != null) {
                new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT).writeValue(json.toFile(), figures);
            }
            boolean missed = timings.stream().anyMatch(timing -> timing.p99() > PROMISED_MILLIS);
            return check && missed ? MISSED : 0;
        }
    }

    private List<InventoryBench.Timing> overHttp(InventoryFeed watched, InventoryBench bench)
            throws IOException, InterruptedException {
        Path folder = Files.createTempDirectory("hub-bench");
        try (HttpBench asking = new HttpBench(watched.inventory(), watched.around(), tenants, folder, rounds)) {
            return bench.timeDuringChanges(asking::run);
        } catch (GeneralSecurityException | ApiProblem e) {
            throw new IOException("the API was not queried", e);
        } finally {
            Files.deleteIfExists(folder.resolve("tls.crt"));
            Files.deleteIfExists(folder.resolve("tls.key"));
            Files.deleteIfExists(folder);
        }
    }

    /** Heap size after a full collection. */
    private static long liveHeap() throws InterruptedException {
        for (int i = 0; i < 3; i++) {
            System.gc();
            Thread.sleep(100);
        }
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    private static void print(InventoryFigures figures) {
        System.out.printf(
                Locale.ROOT,
                "%,d configurations of %,d tenants read in %.1f s; live heap %,d MiB, %,d B for each%n%n",
                figures.tenants() * figures.configs(),
                figures.tenants(),
                figures.readMillis() / 1000.0,
                figures.liveHeapBytes() >> 20,
                figures.liveHeapBytesPerConfig());
        System.out.printf(
                Locale.ROOT,
                "%-52s %10s %10s %10s%n",
                "page of 100, while 20 objects change a second",
                "p50",
                "p99",
                "max");
        for (InventoryBench.Timing timing : figures.timings()) {
            System.out.printf(
                    Locale.ROOT,
                    "%-52s %7.2f ms %7.2f ms %7.2f ms%n",
                    timing.what(),
                    timing.p50(),
                    timing.p99(),
                    timing.max());
        }
    }

    /** A process that only reads. It serves no tenant, so live details are missing. */
    private record ReadOnlyReplica(String name, String sharedProfileNamespace) implements LocalReplica {
        @Override
        public List<TenantView> tenants() {
            return List.of();
        }

        @Override
        public Optional<TenantView> tenant(String namespace, String name) {
            return Optional.empty();
        }

        @Override
        public boolean sharesProfiles(String namespace) {
            return false;
        }

        @Override
        public boolean isReady() {
            return true;
        }

        @Override
        public String version() {
            return "";
        }

        @Override
        public Instant now() {
            return Instant.now();
        }

        @Override
        public long nanoTime() {
            return System.nanoTime();
        }
    }

    /** The part of a hub that feeds its inventory: three watches of the management cluster with their caches. */
    static final class InventoryFeed implements AutoCloseable {
        private final ScheduledExecutorService timers = Executors.newSingleThreadScheduledExecutor();
        private final ExecutorService waiting = Executors.newVirtualThreadPerTaskExecutor();
        private final StoredInventory inventory = new StoredInventory(new ReadOnlyReplica("bench", "osm-profiles"));
        private final RuntimeContext around = new RuntimeContext(new SystemScheduler(), waiting, new Random(1));
        private final WorkerClusterStore clusters;
        private final ProfileCache profiles;
        private final ConfigCache configs;

        InventoryFeed(KubeApi management) {
            ChangeJournal journal = new ChangeJournal(InstantSource.system());
            clusters = new WorkerClusterStore(
                    management,
                    null,
                    new StoreListeners<>(
                            (key, before, after, origin) -> {},
                            StoredObjectListener.of(inventory::onWorkerClusterChanged, journal.workerClusters()),
                            NoopListWatchListener.INSTANCE),
                    around);
            profiles = new ProfileCache(
                    "",
                    other -> false,
                    () -> true,
                    new StoreListeners<>(
                            (key, before, after, origin) -> {},
                            StoredObjectListener.of(inventory::onProfileChanged, journal.profiles()),
                            NoopListWatchListener.INSTANCE),
                    around);
            configs = new ConfigCache(
                    "",
                    () -> true,
                    new StoreListeners<>(
                            (key, before, after, origin) -> {},
                            StoredObjectListener.of(inventory::onConfigChanged, journal.configs()),
                            NoopListWatchListener.INSTANCE),
                    around);
            clusters.start();
            profiles.start(management);
            configs.start(management);
        }

        StoredInventory inventory() {
            return inventory;
        }

        RuntimeContext around() {
            return around;
        }

        boolean isComplete() {
            return clusters.isSynced() && profiles.isSynced() && configs.isSynced();
        }

        @Override
        public void close() {
            clusters.stop();
            profiles.stop();
            configs.stop();
            timers.shutdownNow();
            waiting.shutdownNow();
        }

        private final class SystemScheduler implements Scheduler {
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
                ScheduledFuture<?> future = timers.schedule(task, delay.toMillis(), TimeUnit.MILLISECONDS);
                return () -> future.cancel(false);
            }
        }
    }
}
