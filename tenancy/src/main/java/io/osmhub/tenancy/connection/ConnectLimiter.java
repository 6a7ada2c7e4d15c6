package io.osmhub.tenancy.connection;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;

/**
 * Limits the concurrent connection attempts of the whole hub, first come first served. First attempts and retries have separate
 * limits, so that unreachable clusters, each waiting for a timeout, do not delay reachable ones.
 */
public final class ConnectLimiter {
    private final Executor threads;
    private final AttemptQueue first;
    private final AttemptQueue repeated;

    /** @param bound of first attempts; four times as many retries are allowed, since most of them only wait */
    public ConnectLimiter(int bound, Executor threads) {
        this.threads = threads;
        this.first = new AttemptQueue(bound);
        this.repeated = new AttemptQueue(4 * bound);
    }

    private final class AttemptQueue {
        private final int bound;
        private final Queue<Runnable> waiting = new ArrayDeque<>();
        private int running;

        AttemptQueue(int bound) {
            this.bound = bound;
        }

        synchronized void add(Runnable attempt) {
            waiting.add(attempt);
            startNext();
        }

        private synchronized void startNext() {
            while (running < bound && !waiting.isEmpty()) {
                Runnable next = waiting.remove();
                running++;
                threads.execute(() -> {
                    try {
                        next.run();
                    } finally {
                        ended();
                    }
                });
            }
        }

        private synchronized void ended() {
            running--;
            startNext();
        }

        synchronized int running() {
            return running;
        }
    }

    /** Runs an attempt on its own thread when a slot is free. */
    void run(boolean isFirst, Runnable attempt) {
        (isFirst ? first : repeated).add(attempt);
    }

    /** Running attempts. */
    public int runningCount() {
        return first.running() + repeated.running();
    }
}
