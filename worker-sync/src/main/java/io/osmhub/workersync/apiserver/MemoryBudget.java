package io.osmhub.workersync.apiserver;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Bounds the memory that API servers can make the hub use, over all of them. A share may hold at most as much as is free: so one
 * that takes all it gets leaves half to the others, and however many do, the same amount again remains free. Because no share is set
 * aside, the number of tenants need not be known. Source: Choudhury and Hahne, "Dynamic queue length thresholds for shared-memory
 * packet switches", 1998.
 *
 * <p>A share's first bytes are not counted, so that a tenant of usual size is never refused because of the others.
 *
 * <p>Thread-safe.
 */
public final class MemoryBudget {
    private static final int RECEIVED_PART = 10;
    private static final int KEPT_PART = 4;

    private final long capacity;
    private final long uncounted;
    private long used;
    private long taken;

    /** @param uncounted bytes of each share that are not counted */
    public MemoryBudget(long capacity, long uncounted) {
        this.capacity = capacity;
        this.uncounted = uncounted;
    }

    /** For answers and events that are still incomplete: a part of the largest possible heap. */
    public static MemoryBudget ofReceived() {
        return new MemoryBudget(Runtime.getRuntime().maxMemory() / RECEIVED_PART, 64 * 1024);
    }

    /** For what is kept of listed objects: a part of the largest possible heap. */
    public static MemoryBudget ofKept() {
        return new MemoryBudget(Runtime.getRuntime().maxMemory() / KEPT_PART, 1024 * 1024);
    }

    /** For clusters that are the operator's own. */
    public static MemoryBudget unlimited() {
        return new MemoryBudget(Long.MAX_VALUE / 4, Long.MAX_VALUE / 4);
    }

    /** The share of one API server, of which nothing is used yet. */
    public Share share() {
        return new Share();
    }

    /** Bytes in use, without those that are not counted. */
    public synchronized long used() {
        return used;
    }

    /** Bytes that all shares hold, with those that are not counted. */
    public synchronized long taken() {
        return taken;
    }

    /** What one API server uses of the budget. */
    public final class Share {
        private long taken;
        private boolean closed;

        private Share() {}

        /** Takes so many bytes, or none when that would be more than this share may hold now. */
        public boolean take(long bytes) {
            synchronized (MemoryBudget.this) {
                if (closed) {
                    return true;
                }
                long counted = Math.max(0, taken + bytes - uncounted);
                long more = counted - Math.max(0, taken - uncounted);
                if (more > 0 && counted > capacity - used - more) {
                    return false;
                }
                taken += bytes;
                MemoryBudget.this.taken += bytes;
                used += more;
                return true;
            }
        }

        /** As {@link #take}, but waits until so much is free. Only on a virtual thread. */
        public boolean take(long bytes, Duration patience) throws InterruptedException {
            long end = System.nanoTime() + patience.toNanos();
            synchronized (MemoryBudget.this) {
                while (!take(bytes)) {
                    long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
                    if (left <= 0) {
                        return false;
                    }
                    MemoryBudget.this.wait(left);
                }
                return true;
            }
        }

        /** Gives back bytes that were taken. */
        public void give(long bytes) {
            synchronized (MemoryBudget.this) {
                if (closed) {
                    return;
                }
                long before = Math.max(0, taken - uncounted);
                taken -= bytes;
                MemoryBudget.this.taken -= bytes;
                used -= before - Math.max(0, taken - uncounted);
                MemoryBudget.this.notifyAll();
            }
        }

        /** Gives back all that is left; from now on nothing is counted, since the server can send no more. */
        public void close() {
            synchronized (MemoryBudget.this) {
                give(taken);
                closed = true;
            }
        }

        /** Bytes that this share holds, all counted. */
        public long taken() {
            synchronized (MemoryBudget.this) {
                return taken;
            }
        }
    }
}
