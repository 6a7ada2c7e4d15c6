package io.osmhub.bench.inventory;

import io.osmhub.api.inventory.ReadOnlyReplica;
import io.osmhub.api.inventory.StoredInventory;
import io.osmhub.api.journal.ChangeJournal;
import io.osmhub.tenancy.ReadOnlyInformers;
import io.osmhub.tenancy.StoredObjectListeners;
import io.osmhub.tenancy.watch.NoopListWatchListener;
import io.osmhub.tenancy.watch.StoredObjectListener;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.port.Scheduler;
import io.osmhub.workersync.watch.RuntimeContext;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/** The part of a hub that feeds its inventory: three watches of the management cluster with their caches. */
final class InventoryFeed implements AutoCloseable {
    private final ScheduledExecutorService timers = Executors.newSingleThreadScheduledExecutor();
    private final ExecutorService waiting = Executors.newVirtualThreadPerTaskExecutor();
    private final StoredInventory inventory = new StoredInventory(new ReadOnlyReplica("bench", "osm-profiles"));
    private final RuntimeContext around = new RuntimeContext(new SystemScheduler(), waiting, new Random(1));
    private final ReadOnlyInformers reading;

    InventoryFeed(KubeApi management) {
        ChangeJournal journal = new ChangeJournal(InstantSource.system());
        reading = new ReadOnlyInformers(
                management,
                "",
                new StoredObjectListeners(
                        StoredObjectListener.of(inventory::onWorkerClusterChanged, journal.workerClusters()),
                        StoredObjectListener.of(inventory::onProfileChanged, journal.profiles()),
                        StoredObjectListener.of(inventory::onConfigChanged, journal.configs())),
                resource -> NoopListWatchListener.INSTANCE,
                around);
        reading.start();
    }

    StoredInventory inventory() {
        return inventory;
    }

    RuntimeContext around() {
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
