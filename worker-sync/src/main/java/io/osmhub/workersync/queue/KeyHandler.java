package io.osmhub.workersync.queue;

@FunctionalInterface
public interface KeyHandler<K> {
    /**
     * Called on a thread of the queue's executor, never twice at a time for one key.
     *
     * @param failures consecutive runs of this key that returned {@link RequeueDecision.Retry}
     */
    RequeueDecision handle(K key, int failures);
}
