package io.osmhub.api.journal;

import io.osmhub.tenancy.StoredObjects;
import io.osmhub.tenancy.StoredPast;
import io.osmhub.tenancy.StoredReading;
import io.osmhub.tenancy.watch.QuietListener;
import io.osmhub.tenancy.watch.StoredListener;
import io.osmhub.workersync.port.Timers;
import io.osmhub.workersync.watch.Feed;
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

/** One process of the hub, as far as the journal is concerned: the three watches, and the journal that they feed. */
public final class OneProcess implements AutoCloseable {
    private final ScheduledExecutorService timers = Executors.newSingleThreadScheduledExecutor();
    private final ExecutorService waiting = Executors.newVirtualThreadPerTaskExecutor();
    private final Journal journal;
    private final StoredReading reading;

    public OneProcess(MemoryServer server) {
        journal = new Journal(this::past, InstantSource.system());
        reading = new StoredReading(
                server,
                "",
                new StoredObjects(only(journal.workerClusters()), only(journal.profiles()), only(journal.configs())),
                resource -> QuietListener.INSTANCE,
                new Surroundings(new RealTime(), waiting, new Random(1)));
        reading.start();
    }

    private StoredPast past() {
        return reading.past();
    }

    public Journal journal() {
        return journal;
    }

    @Override
    public void close() {
        reading.close();
        timers.shutdownNow();
        waiting.shutdownNow();
    }

    /** Hears for the journal, as there is no inventory. */
    static <T> StoredListener<T> only(Feed<T> feed) {
        return StoredListener.of((key, after) -> {}, feed);
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
