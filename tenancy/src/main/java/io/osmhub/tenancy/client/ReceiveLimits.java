package io.osmhub.tenancy.client;

import io.osmhub.workersync.apiserver.MemoryBudget;
import java.time.Duration;
import java.util.concurrent.Semaphore;

/**
 * Limits for concurrent responses of one API server.
 *
 * @param share memory for incomplete responses
 * @param lists one permit for each concurrent list
 * @param decoding shared by all worker clusters, fair: lists take turns chunk by chunk, and leave processors for other work
 */
record ReceiveLimits(MemoryBudget.MemoryShare share, Semaphore lists, Semaphore decoding) {
    /** Reserves memory for a chunk being decoded. Waits without holding the decoding permit. */
    boolean tryReserve(long bytes, Duration patience) throws InterruptedException {
        if (share.tryReserve(bytes)) {
            return true;
        }
        decoding.release();
        try {
            return share.tryReserve(bytes, patience);
        } finally {
            decoding.acquireUninterruptibly();
        }
    }
}
