package io.osmhub.tenancy.connection;

import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;

/**
 * Limits the concurrent connection attempts of the whole hub, first come first served. First attempts and retries have separate
 * limits, so that unreachable clusters, each waiting for a timeout, do not delay reachable ones.
 */
public final class ConnectLimiter {
    private final Executor executor;
    private final Semaphore firstAttempts;
    private final Semaphore retries;

    /**
     * @param bound of first attempts; four times as many retries are allowed, since most of them only wait
     * @param executor runs each attempt on its own virtual thread, which may wait
     */
    public ConnectLimiter(int bound, Executor executor) {
        this.executor = executor;
        this.firstAttempts = new Semaphore(bound, true);
        this.retries = new Semaphore(4 * bound, true);
    }

    /** Runs an attempt on its own thread when a slot is free. Must not block. */
    void run(boolean isFirst, Runnable attempt) {
        Semaphore slots = isFirst ? firstAttempts : retries;
        executor.execute(() -> {
            slots.acquireUninterruptibly();
            try {
                attempt.run();
            } finally {
                slots.release();
            }
        });
    }
}
