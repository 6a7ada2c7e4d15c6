package io.osmhub.tenancy.lease;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The writes of this process that an API server has not answered yet, by the namespace of their tenant. A process that no longer
 * writes for a tenant waits for them before it tells others, because a write may be applied until it is answered. Thread-safe.
 */
public final class InFlightWrites {
    /** Less than the timeout of a request: a cluster that does not answer must not delay the transfer of others. */
    static final Duration LIMIT = Duration.ofSeconds(5);

    private final Map<String, Integer> counts = new HashMap<>();

    synchronized void begin(String namespace) {
        counts.merge(namespace, 1, Integer::sum);
    }

    synchronized void end(String namespace) {
        counts.computeIfPresent(namespace, (key, count) -> count == 1 ? null : count - 1);
        notifyAll();
    }

    /** Namespaces with unanswered writes; an empty one stands for cluster-wide objects. A snapshot. */
    synchronized Set<String> namespaces() {
        return Set.copyOf(counts.keySet());
    }

    /**
     * Blocks until all writes for these namespaces are answered, at most for a few seconds. The caller prevents further ones.
     *
     * @param namespaces must not block
     */
    public synchronized void await(Predicate<String> namespaces) {
        long end = System.nanoTime() + LIMIT.toNanos();
        try {
            while (counts.keySet().stream().anyMatch(namespaces) && System.nanoTime() < end) {
                NANOSECONDS.timedWait(this, end - System.nanoTime());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
