package io.osmhub.workersync.apiserver;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Bounds the memory that API servers can make the hub use in total. A share may hold at most as much as is free: a single greedy
 * share leaves half to the others, and any number of them leave as much again free. Nothing is reserved per share, so the number
 * of tenants need not be known. Source: Choudhury and Hahne, "Dynamic queue length thresholds for shared-memory packet switches",
 * 1998.
 *
 * <p>Responses and caches have a budget each, so that full caches never stop responses.
 *
 * <p>A share's first bytes are not counted, so that a tenant of usual size is never refused because of others.
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

    /** For incomplete responses and events: a fraction of the maximum heap. */
    public static MemoryBudget forResponses() {
        return new MemoryBudget(Runtime.getRuntime().maxMemory() / RECEIVED_PART, 64 * 1024);
    }

    /** For cached objects: a fraction of the maximum heap. */
    public static MemoryBudget forCaches() {
        return new MemoryBudget(Runtime.getRuntime().maxMemory() / KEPT_PART, 1024 * 1024);
    }

    /** For the operator's own clusters. */
    public static MemoryBudget unlimited() {
        return new MemoryBudget(Long.MAX_VALUE / 4, Long.MAX_VALUE / 4);
    }

    /** Creates an empty share for one API server. */
    public MemoryShare createShare() {
        return new MemoryShare();
    }

    /** Counted bytes in use. */
    public synchronized long used() {
        return used;
    }

    /** Bytes that all shares hold, including uncounted ones. */
    public synchronized long taken() {
        return taken;
    }

    /** One API server's part of the budget. */
    public final class MemoryShare {
        private long taken;
        private boolean closed;

        private MemoryShare() {}

        /** Reserves all the bytes or none. */
        public boolean tryReserve(long bytes) {
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

        /** Like {@link #tryReserve(long)}, but waits for free memory. Call it only on a virtual thread. */
        public boolean tryReserve(long bytes, Duration patience) throws InterruptedException {
            long end = System.nanoTime() + patience.toNanos();
            synchronized (MemoryBudget.this) {
                while (!tryReserve(bytes)) {
                    long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
                    if (left <= 0) {
                        return false;
                    }
                    MemoryBudget.this.wait(left);
                }
                return true;
            }
        }

        public void release(long bytes) {
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

        /** Releases everything; later calls are not counted, because the server can send nothing more. */
        public void close() {
            synchronized (MemoryBudget.this) {
                release(taken);
                closed = true;
            }
        }

        /** Bytes that this share holds, including uncounted ones. */
        public long taken() {
            synchronized (MemoryBudget.this) {
                return taken;
            }
        }

        /**
         * Explains that a response has no room.
         *
         * @param what it is: "an object"
         * @param received bytes so far
         */
        public ApiFailure rejection(String what, long received) {
            return ApiFailure.withoutResponse(
                    ApiFailure.ApiFailureKind.UNREADABLE,
                    what + " larger than " + received
                            + " B does not fit into the hub's free memory: this server already holds " + taken()
                            + " B of incomplete responses; use smaller objects, or raise the hub's memory limit");
        }

        /** Creates an empty reservation. */
        public MemoryReservation createReservation() {
            return new MemoryReservation(this);
        }
    }

    /** Memory of a share for content whose size changes. Not thread-safe. */
    public static final class MemoryReservation implements AutoCloseable {
        private final MemoryShare share;
        private long bytes;

        private MemoryReservation(MemoryShare share) {
            this.share = share;
        }

        /** Reserved size. */
        public long bytes() {
            return bytes;
        }

        /** Sets the reserved size; returns false, changing nothing, if the budget has no room. */
        public boolean tryResize(long newBytes) {
            if (newBytes > bytes && !share.tryReserve(newBytes - bytes)) {
                return false;
            }
            if (newBytes < bytes) {
                share.release(bytes - newBytes);
            }
            bytes = newBytes;
            return true;
        }

        /** Moves all memory of another reservation of the share to this one. */
        public void transferFrom(MemoryReservation other) {
            bytes += other.bytes;
            other.bytes = 0;
        }

        /** Releases the memory; it can be reserved again. */
        @Override
        public void close() {
            share.release(bytes);
            bytes = 0;
        }
    }
}
