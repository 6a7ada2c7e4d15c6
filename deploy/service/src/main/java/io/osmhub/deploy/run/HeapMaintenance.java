package io.osmhub.deploy.run;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
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
    /** Less garbage is not worth a pause. */
    private static final long LEAST_GARBAGE = 48L << 20;

    private static final double GARBAGE_TO_LIVE = 0.4;
    private static final long REST_TO_WORK = 20;

    private final OldGeneration old;
    private final LongSupplier nanoTime;
    private final Runnable collect;
    private long notBefore;

    /** Sizes of the old generation in bytes. */
    interface OldGeneration {
        long used();

        /** Live size after the last collection; 0 before the first. */
        long live();
    }

    HeapMaintenance(OldGeneration old, LongSupplier nanoTime, Runnable collect) {
        this.old = old;
        this.nanoTime = nanoTime;
        this.collect = collect;
        this.notBefore = nanoTime.getAsLong();
    }

    /** Monitors this process's heap, if its collector needs it, until the thread is interrupted. */
    static void start(Executor threads) {
        serialOldGeneration().ifPresent(pool -> {
            HeapMaintenance care = new HeapMaintenance(pool, System::nanoTime, System::gc);
            threads.execute(care::keepLooking);
        });
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
        if (began - notBefore < 0 || garbage < Math.max(LEAST_GARBAGE, (long) (live * GARBAGE_TO_LIVE))) {
            return;
        }
        collect.run();
        long ended = nanoTime.getAsLong();
        notBefore = ended + REST_TO_WORK * (ended - began);
    }

    private static Optional<OldGeneration> serialOldGeneration() {
        for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
            if (collector.getName().equals("MarkSweepCompact")) {
                return pool("Tenured Gen");
            }
        }
        return Optional.empty();
    }

    private static Optional<OldGeneration> pool(String name) {
        for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
            if (pool.getType() == MemoryType.HEAP && pool.getName().equals(name)) {
                return Optional.of(new OldGeneration() {
                    @Override
                    public long used() {
                        return pool.getUsage().getUsed();
                    }

                    @Override
                    public long live() {
                        @Nullable MemoryUsage afterCollection = pool.getCollectionUsage();
                        return afterCollection == null ? 0 : afterCollection.getUsed();
                    }
                });
            }
        }
        return Optional.empty();
    }
}
