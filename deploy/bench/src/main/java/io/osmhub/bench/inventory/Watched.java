package io.osmhub.bench.inventory;

import io.osmhub.api.inventory.Replica;
import io.osmhub.api.inventory.StoredInventory;
import io.osmhub.api.journal.Journal;
import io.osmhub.tenancy.StoredPast;
import io.osmhub.tenancy.TenantDirectory;
import io.osmhub.tenancy.TenantView;
import io.osmhub.tenancy.catalog.Profiles;
import io.osmhub.tenancy.catalog.StoredConfigs;
import io.osmhub.tenancy.registry.WorkerClusters;
import io.osmhub.tenancy.watch.QuietListener;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.port.Timers;
import io.osmhub.workersync.watch.Surroundings;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/** The part of a hub that reads a management cluster for its inventory: the three watches with their caches, and what they feed. */
final class Watched implements AutoCloseable {
    private final ScheduledExecutorService timers = Executors.newSingleThreadScheduledExecutor();
    private final ExecutorService waiting = Executors.newVirtualThreadPerTaskExecutor();
    private final StoredInventory inventory = new StoredInventory(new Alone());
    private final Surroundings around = new Surroundings(new RealTime(), waiting, new Random(1));
    private final WorkerClusters clusters;
    private final Profiles profiles;
    private final StoredConfigs configs;

    Watched(KubeApi management) {
        Journal journal = new Journal(() -> past(management), InstantSource.system());
        Heard heard = new Heard(inventory, journal);
        clusters = new WorkerClusters(
                management,
                "",
                (key, before, after, origin) -> {},
                heard.workerClusters(),
                QuietListener.INSTANCE,
                around);
        profiles = new Profiles(
                "",
                namespace -> false,
                () -> true,
                (key, before, after, content) -> {},
                heard.profiles(),
                QuietListener.INSTANCE,
                around);
        configs = new StoredConfigs(
                "", () -> true, (key, before, after, origin) -> {}, heard.configs(), QuietListener.INSTANCE, around);
        clusters.start();
        profiles.start(management);
        configs.start(management);
    }

    private StoredPast past(KubeApi management) {
        return new StoredPast(clusters.past(), profiles.past(management), configs.past(management));
    }

    StoredInventory inventory() {
        return inventory;
    }

    Surroundings around() {
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

    /** A replica that serves nobody itself. */
    private static final class Alone implements Replica {
        @Override
        public String name() {
            return "bench";
        }

        @Override
        public TenantDirectory tenants() {
            return new Nobody();
        }

        @Override
        public String sharedProfileNamespace() {
            return "osm-profiles";
        }

        @Override
        public boolean offersProfiles(String namespace) {
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

    private static final class Nobody implements TenantDirectory {
        @Override
        public List<TenantView> tenants() {
            return List.of();
        }

        @Override
        public Optional<TenantView> tenant(String namespace, String name) {
            return Optional.empty();
        }
    }

    private final class RealTime implements Timers {
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
            ScheduledFuture<?> future = timers.schedule(task, delay.toMillis(), TimeUnit.MILLISECONDS);
            return () -> future.cancel(false);
        }
    }
}
