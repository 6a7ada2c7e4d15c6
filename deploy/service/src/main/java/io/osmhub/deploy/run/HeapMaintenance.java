package io.osmhub.deploy.run;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryUsage;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the heap close to its live size. The serial collector collects the old generation only when it is full, so a hub with
 * 155 MiB of live objects would eventually hold gigabytes of garbage. This requests a collection as soon as garbage is a
 * considerable part of the live size, but limits collections to a twentieth of the time. Does nothing for other collectors.
 */
final class HeapMaintenance {
    private static final Duration LOOK = Duration.ofSeconds(2);
    /** Less garbage than this share of the memory for new objects is not worth a pause: {@code bin/hub} limits it by mode. */
    private static final double LEAST_GARBAGE_TO_EDEN = 1.5;

    private static final long LARGEST_LEAST_GARBAGE = 48L << 20;

    private static final double GARBAGE_TO_LIVE = 0.4;
    private static final long REST_TO_WORK = 20;

    private final OldGeneration old;
    private final long leastGarbage;
    private final LongSupplier nanoTime;
    private final Runnable collect;
    private long notBefore;

    /** Sizes of the old generation in bytes. */
    interface OldGeneration {
        long used();

        /** Live size after the last collection; 0 before the first. */
        long live();
    }

    /** @param edenBytes largest size of the memory for new objects; negative if unlimited */
    HeapMaintenance(OldGeneration old, long edenBytes, LongSupplier nanoTime, Runnable collect) {
        this.old = old;
        this.leastGarbage = edenBytes < 0
                ? LARGEST_LEAST_GARBAGE
                : Math.min(LARGEST_LEAST_GARBAGE, (long) (edenBytes * LEAST_GARBAGE_TO_EDEN));
        this.nanoTime = nanoTime;
        this.collect = collect;
        this.notBefore = nanoTime.getAsLong();
    }

    /** Monitors this process's heap, if its collector needs it, until the thread is interrupted. */
    static void start(Executor threads) {
        boolean serial = ManagementFactory.getGarbageCollectorMXBeans().stream()
                .anyMatch(collector -> collector.getName().equals("MarkSweepCompact"));
        Optional<MemoryPoolMXBean> tenured = pool("Tenured Gen");
        if (serial && tenured.isPresent()) {
            long edenBytes =
                    pool("Eden Space").map(pool -> pool.getUsage().getMax()).orElse(-1L);
            HeapMaintenance care =
                    new HeapMaintenance(new TenuredGeneration(tenured.get()), edenBytes, System::nanoTime, System::gc);
            threads.execute(care::keepLooking);
        }
    }

    private static Optional<MemoryPoolMXBean> pool(String name) {
        return ManagementFactory.getMemoryPoolMXBeans().stream()
                .filter(pool -> pool.getName().equals(name))
                .findFirst();
    }

    private record TenuredGeneration(MemoryPoolMXBean pool) implements OldGeneration {
        @Override
        public long used() {
            return pool.getUsage().getUsed();
        }

        @Override
        public long live() {
            @Nullable MemoryUsage afterCollection = pool.getCollectionUsage();
            return afterCollection == null ? 0 : afterCollection.getUsed();
        }
    }

    private void keepLooking() {
        try {
            while (true) {
                Thread.sleep(LOOK);
                collectIfDue();
            }
        } catch (InterruptedException e) {
            // Shutdown.
            Thread.currentThread().interrupt();
        }
    }

    /** Collects if due. Not thread-safe. */
    void collectIfDue() {
        long began = nanoTime.getAsLong();
        long live = old.live();
        long garbage = old.used() - live;
        if (began - notBefore < 0 || garbage < Math.max(leastGarbage, (long) (live * GARBAGE_TO_LIVE))) {
            return;
        }
        collect.run();
        long ended = nanoTime.getAsLong();
        notBefore = ended + REST_TO_WORK * (ended - began);
    }
}
