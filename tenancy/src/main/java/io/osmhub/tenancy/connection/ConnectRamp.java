package io.osmhub.tenancy.connection;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;

/**
 * Bounds how many connections of the whole hub are being made at once, first come first served. First attempts and repeated ones
 * have a bound each, so that clusters that are down, each of which holds its place until a time-out, do not delay those that are
 * up.
 */
public final class ConnectRamp {
    private final Executor threads;
    private final Lane first;
    private final Lane repeated;

    /** @param bound of first attempts; repeated ones may be four times as many, since most of them only wait */
    public ConnectRamp(int bound, Executor threads) {
        this.threads = threads;
        this.first = new Lane(bound);
        this.repeated = new Lane(4 * bound);
    }

    private final class Lane {
        private final int bound;
        private final Queue<Runnable> waiting = new ArrayDeque<>();
        private int running;

        Lane(int bound) {
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

    /** Runs an attempt on a thread of its own as soon as there is room. */
    void run(boolean isFirst, Runnable attempt) {
        (isFirst ? first : repeated).add(attempt);
    }

    /** Attempts that run now. */
    public int inFlight() {
        return first.running() + repeated.running();
    }
}
