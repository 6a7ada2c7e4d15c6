package io.osmhub.api.journal;

import io.osmhub.tenancy.Hub.StoredObjectListeners;
import io.osmhub.tenancy.ReadOnlyInformers;
import io.osmhub.tenancy.watch.NoopListWatchListener;
import io.osmhub.tenancy.watch.StoredObjectListener;
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
    private final ReadOnlyInformers reading;

    public OneProcess(MemoryServer server) {
        journal = new ChangeJournal(InstantSource.system());
        reading = new ReadOnlyInformers(
                server,
                "",
                new StoredObjectListeners(
                        only(journal.workerClusters()), only(journal.profiles()), only(journal.configs())),
                resource -> NoopListWatchListener.INSTANCE,
                new RuntimeContext(new RealTime(), waiting, new Random(1)));
        reading.start();
    }

    public ChangeJournal journal() {
        return journal;
    }

    @Override
    public void close() {
        reading.close();
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
