package io.osmhub.workersync.watch;

import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.MemoryBudget;

/**
 * Accounts for the memory of one selection's objects in the cluster's budget. Not thread-safe; a {@link ListReservation} is
 * confined to one thread.
 */
final class CacheMemory {
    /** Increment of reservations while a list is read. */
    private static final long STEP = 64 * 1024;
    /** Overhead of every object: its key, and entries in queue and views. */
    private static final int EACH = 512;

    private final MemoryBudget.MemoryShare share;
    private long counted;

    CacheMemory(MemoryBudget.MemoryShare share) {
        this.share = share;
    }

    /** Sets the reserved size; returns false, changing nothing, if the budget has no room. */
    boolean tryReserve(long bytes) {
        long more = bytes - counted;
        if (more > 0 && !share.tryReserve(more)) {
            return false;
        }
        if (more < 0) {
            share.release(-more);
        }
        counted = bytes;
        return true;
    }

    /** Begins a list that will replace the cache. */
    ListReservation beginListing() {
        return new ListReservation(counted);
    }

    /** The list replaced the cache. */
    void commitListing(ListReservation by) {
        share.release(counted + by.taken - by.bytes);
        counted = by.bytes;
    }

    /** The cache is empty. */
    void clear() {
        share.release(counted);
        counted = 0;
    }

    /** Memory of one object. */
    static long bytes(ObservedObject<?> seen) {
        return seen.isKept() ? EACH + seen.bytes() : 0;
    }

    /** A list being read. Reserves only what exceeds the objects that it replaces. */
    final class ListReservation {
        private final long before;
        private long taken;
        private long bytes;

        private ListReservation(long before) {
            this.before = before;
        }

        void add(ObservedObject<?> seen) throws ApiFailure {
            bytes += CacheMemory.bytes(seen);
            if (bytes > before + taken) {
                long more = Math.max(STEP, bytes - before - taken);
                if (!share.tryReserve(more)) {
                    throw ApiFailure.withoutResponse(
                            ApiFailure.ApiFailureKind.UNREADABLE,
                            "no memory for " + bytes / 1024
                                    + " KiB of these objects in addition to those of other clusters; delete unneeded"
                                    + " objects, or raise the hub's memory limit");
                }
                taken += more;
            }
        }

        long bytes() {
            return bytes;
        }

        /** Continues from an earlier size. */
        void rollBackTo(long earlierBytes) {
            bytes = earlierBytes;
        }

        /** Discards the list. */
        void abandon() {
            share.release(taken);
        }
    }
}
