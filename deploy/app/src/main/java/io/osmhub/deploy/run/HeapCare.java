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
 * Keeps the heap near what lives in it. The serial collector collects its old generation only when that has reached its limit, so
 * that a hub with 155 MiB of live objects would in time hold gigabytes that nobody refers to. Here a collection is asked for as
 * soon as the garbage is a fair part of what lives, and never so often that collecting would cost more than a twentieth of the
 * time. Other collectors are left to themselves.
 */
final class HeapCare {
    private static final Duration LOOK = Duration.ofSeconds(2);
    /** Less garbage than that is not worth a pause. */
    private static final long LEAST_GARBAGE = 48L << 20;

    private static final double GARBAGE_TO_LIVE = 0.4;
    private static final long REST_TO_WORK = 20;

    private final OldGeneration old;
    private final LongSupplier nanoTime;
    private final Runnable collect;
    private long notBefore;

    /** Figures of the old generation, in bytes. */
    interface OldGeneration {
        long used();

        /** What was alive after its last collection; 0 before the first. */
        long live();
    }

    HeapCare(OldGeneration old, LongSupplier nanoTime, Runnable collect) {
        this.old = old;
        this.nanoTime = nanoTime;
        this.collect = collect;
        this.notBefore = nanoTime.getAsLong();
    }

    /** Begins to look after this process's heap, where its collector needs that, until the thread for it is interrupted. */
    static void start(Executor threads) {
        serialOldGeneration().ifPresent(pool -> {
            HeapCare care = new HeapCare(pool, System::nanoTime, System::gc);
            threads.execute(care::keepLooking);
        });
    }

    private void keepLooking() {
        try {
            while (true) {
                Thread.sleep(LOOK);
                look();
            }
        } catch (InterruptedException e) {
            // The service ends.
            Thread.currentThread().interrupt();
        }
    }

    /** Collects if it is time to. Called by one thread at a time. */
    void look() {
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
