package io.osmhub.workersync.watch;

import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.MemoryBudget;

/** What the objects of one selection take of the memory budget of their cluster. Not thread-safe; a {@link Listing} is one thread's. */
final class KeptMemory {
    /** Taken at a time while a list is read. */
    private static final long STEP = 64 * 1024;
    /** Of an object however small: its key, and what the queue and the views hold for it. */
    private static final int EACH = 512;

    private final MemoryBudget.Share share;
    private long counted;

    KeptMemory(MemoryBudget.Share share) {
        this.share = share;
    }

    /** Counts so many bytes from now on; false, and the same as before, when there is no memory for what is more. */
    boolean hold(long bytes) {
        long more = bytes - counted;
        if (more > 0 && !share.take(more)) {
            return false;
        }
        if (more < 0) {
            share.give(-more);
        }
        counted = bytes;
        return true;
    }

    /** A list that is to replace what is kept. */
    Listing listing() {
        return new Listing(counted);
    }

    /** The list has replaced what was kept. */
    void replaced(Listing by) {
        share.give(counted + by.taken - by.bytes);
        counted = by.bytes;
    }

    /** Nothing is kept any more. */
    void clear() {
        share.give(counted);
        counted = 0;
    }

    /** Memory of one object. */
    static long bytes(Seen<?> seen) {
        return seen.object() == null ? 0 : EACH + seen.bytes();
    }

    /** A list while it is read. It takes only what is more than the objects that it replaces. */
    final class Listing {
        private final long before;
        private long taken;
        private long bytes;

        private Listing(long before) {
            this.before = before;
        }

        void add(Seen<?> seen) throws ApiFailure {
            bytes += KeptMemory.bytes(seen);
            if (bytes > before + taken) {
                long more = Math.max(STEP, bytes - before - taken);
                if (!share.take(more)) {
                    throw ApiFailure.noAnswer(
                            ApiFailure.Cause.UNREADABLE,
                            "no memory for more than " + bytes / 1024
                                    + " KiB of these objects, beside those of other clusters; delete objects that are"
                                    + " not needed, or give the hub more memory");
                }
                taken += more;
            }
        }

        long bytes() {
            return bytes;
        }

        /** It is read again from where it had so many bytes. */
        void backTo(long earlierBytes) {
            bytes = earlierBytes;
        }

        /** The list is not used. */
        void abandon() {
            share.give(taken);
        }
    }
}
