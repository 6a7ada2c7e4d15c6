package io.osmhub.api.journal;

import io.osmhub.tenancy.catalog.ConfigCache;
import io.osmhub.tenancy.catalog.ProfileCache;
import io.osmhub.tenancy.management.ManagementStore.StoreListeners;
import io.osmhub.tenancy.management.NoopListWatchListener;
import io.osmhub.tenancy.management.StoredObjectListener;
import io.osmhub.tenancy.registry.WorkerClusterStore;
import io.osmhub.workersync.port.Scheduler;
import io.osmhub.workersync.watch.RuntimeContext;
import io.osmhub.workersync.watch.WatchEventListener;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/** One process of the hub, as far as the journal is concerned: the three watches, and the journal that they feed. */
public final class OneProcess implements AutoCloseable {
    private final ScheduledExecutorService timers = Executors.newSingleThreadScheduledExecutor();
    private final ExecutorService waiting = Executors.newVirtualThreadPerTaskExecutor();
    private final ChangeJournal journal;
    private final WorkerClusterStore clusters;
    private final ProfileCache profiles;
    private final ConfigCache configs;

    /** A process whose journal reports deletions at once. */
    public OneProcess(MemoryServer server) {
        this(server, Duration.ZERO);
    }

    /** @param replacement for how long the journal holds deletions back */
    OneProcess(MemoryServer server, Duration replacement) {
        journal = new ChangeJournal(InstantSource.system(), replacement);
        RuntimeContext around = new RuntimeContext(new RealTime(), waiting, new Random(1));
        clusters = new WorkerClusterStore(
                server.api(),
                null,
                new StoreListeners<>(
                        (key, before, after, origin) -> {},
                        only(journal.workerClusters()),
                        NoopListWatchListener.INSTANCE),
                around);
        profiles = new ProfileCache(
                "",
                other -> false,
                () -> true,
                new StoreListeners<>(
                        (key, before, after, origin) -> {}, only(journal.profiles()), NoopListWatchListener.INSTANCE),
                around);
        configs = new ConfigCache(
                "",
                () -> true,
                new StoreListeners<>(
                        (key, before, after, origin) -> {}, only(journal.configs()), NoopListWatchListener.INSTANCE),
                around);
        clusters.start();
        profiles.start(server.api());
        configs.start(server.api());
    }

    public ChangeJournal journal() {
        return journal;
    }

    @Override
    public void close() {
        clusters.stop();
        profiles.stop();
        configs.stop();
        timers.shutdownNow();
        waiting.shutdownNow();
    }

    /** Hears for the journal, as there is no inventory. */
    static <T> StoredObjectListener<T> only(WatchEventListener<T> feed) {
        return StoredObjectListener.of((key, after) -> {}, feed);
    }

    private final class RealTime implements Scheduler {
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
