package io.osmhub.api.journal;

import io.osmhub.tenancy.StoredPast;
import io.osmhub.tenancy.catalog.Profiles;
import io.osmhub.tenancy.catalog.StoredConfigs;
import io.osmhub.tenancy.registry.WorkerClusters;
import io.osmhub.tenancy.watch.QuietListener;
import io.osmhub.tenancy.watch.StoredListener;
import io.osmhub.workersync.port.Timers;
import io.osmhub.workersync.watch.Feed;
import io.osmhub.workersync.watch.ObjectKey;
import io.osmhub.workersync.watch.Seen;
import io.osmhub.workersync.watch.Surroundings;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One process of the hub, as far as the journal is concerned: the three watches, and the journal that they feed. */
public final class OneProcess implements AutoCloseable {
    private final ScheduledExecutorService timers = Executors.newSingleThreadScheduledExecutor();
    private final ExecutorService waiting = Executors.newVirtualThreadPerTaskExecutor();
    private final WorkerClusters clusters;
    private final Profiles profiles;
    private final StoredConfigs configs;
    private final Journal journal;
    private final MemoryServer server;

    public OneProcess(MemoryServer server) {
        this.server = server;
        Surroundings around = new Surroundings(new RealTime(), waiting, new Random(1));
        journal = new Journal(this::past, InstantSource.system());
        clusters = new WorkerClusters(
                server,
                "",
                (key, before, after, origin) -> {},
                only(journal.workerClusters()),
                QuietListener.INSTANCE,
                around);
        profiles = new Profiles(
                "",
                namespace -> false,
                () -> true,
                (key, before, after, content) -> {},
                only(journal.profiles()),
                QuietListener.INSTANCE,
                around);
        configs = new StoredConfigs(
                "",
                () -> true,
                (key, before, after, origin) -> {},
                only(journal.configs()),
                QuietListener.INSTANCE,
                around);
        clusters.start();
        profiles.start(server);
        configs.start(server);
    }

    private StoredPast past() {
        return new StoredPast(clusters.past(), profiles.past(server), configs.past(server));
    }

    public Journal journal() {
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
    static <T> StoredListener<T> only(Feed<T> feed) {
        return new StoredListener<>() {
            @Override
            public void changed(ObjectKey key, @Nullable T after) {}

            @Override
            public void listed(Collection<Seen<T>> objects, String resourceVersion) {
                feed.listed(objects, resourceVersion);
            }

            @Override
            public void put(Seen<T> seen, boolean added) {
                feed.put(seen, added);
            }

            @Override
            public void gone(Seen<T> last) {
                feed.gone(last);
            }

            @Override
            public void reached(String resourceVersion) {
                feed.reached(resourceVersion);
            }
        };
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
