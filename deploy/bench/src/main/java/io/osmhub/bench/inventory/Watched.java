package io.osmhub.bench.inventory;

import io.osmhub.api.inventory.Onlooker;
import io.osmhub.api.inventory.StoredInventory;
import io.osmhub.api.journal.Journal;
import io.osmhub.tenancy.StoredObjects;
import io.osmhub.tenancy.StoredPast;
import io.osmhub.tenancy.StoredReading;
import io.osmhub.tenancy.watch.QuietListener;
import io.osmhub.tenancy.watch.StoredListener;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.port.Timers;
import io.osmhub.workersync.watch.Surroundings;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
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
    private final StoredInventory inventory = new StoredInventory(new Onlooker("bench", "osm-profiles"));
    private final Surroundings around = new Surroundings(new RealTime(), waiting, new Random(1));
    private final StoredReading reading;

    Watched(KubeApi management) {
        Journal journal = new Journal(this::past, InstantSource.system());
        reading = new StoredReading(
                management,
                "",
                new StoredObjects(
                        StoredListener.of(inventory::workerClusterChanged, journal.workerClusters()),
                        StoredListener.of(inventory::profileChanged, journal.profiles()),
                        StoredListener.of(inventory::configChanged, journal.configs())),
                resource -> QuietListener.INSTANCE,
                around);
        reading.start();
    }

    private StoredPast past() {
        return reading.past();
    }

    StoredInventory inventory() {
        return inventory;
    }

    Surroundings around() {
        return around;
    }

    boolean isComplete() {
        return reading.isSynced();
    }

    @Override
    public void close() {
        reading.close();
        timers.shutdownNow();
        waiting.shutdownNow();
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
