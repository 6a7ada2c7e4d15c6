package io.osmhub.tenancy.client;

import io.osmhub.workersync.apiserver.MemoryBudget;
import java.time.Duration;
import java.util.concurrent.Semaphore;

/**
 * What bounds the answers that are received from one API server at a time.
 *
 * @param share memory for what is incomplete
 * @param lists one for each list that may be received at a time
 * @param decoding shared by all worker clusters, fair: lists take turns piece by piece, and leave processors for everything else
 */
record Receiving(MemoryBudget.Share share, Semaphore lists, Semaphore decoding) {
    /** Takes memory for a piece that is being decoded. Waits for it without the turn: others may decode meanwhile. */
    boolean take(long bytes, Duration patience) throws InterruptedException {
        if (share.take(bytes)) {
            return true;
        }
        decoding.release();
        try {
            return share.take(bytes, patience);
        } finally {
            decoding.acquireUninterruptibly();
        }
    }
}
