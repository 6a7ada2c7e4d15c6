package io.osmhub.workersync.queue;

/** Does the work of a key. */
@FunctionalInterface
public interface Run<K> {
    /**
     * Runs once, on a thread of the queue's executor; the queue never runs one key twice at a time.
     *
     * @param failures runs of this key in a row that ended in {@link Next.Retry}
     */
    Next run(K key, int failures);
}
