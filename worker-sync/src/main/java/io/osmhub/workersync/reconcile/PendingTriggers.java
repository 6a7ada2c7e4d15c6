package io.osmhub.workersync.reconcile;

import io.osmhub.workersync.port.SyncObserver.Trigger;
import io.osmhub.workersync.watch.ObjectKey;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Remembers what first triggered a run, and when, until the run succeeds. Thread-safe. */
final class PendingTriggers {
    private final Map<ObjectKey, PendingTrigger> asked = new ConcurrentHashMap<>();

    /** @param nanos monotonic */
    record PendingTrigger(Trigger trigger, long nanos) {}

    void recordTrigger(ObjectKey key, Trigger trigger, long nanos) {
        // The first trigger counts, except that any trigger replaces a resync.
        asked.merge(
                key,
                new PendingTrigger(trigger, nanos),
                (known, more) -> known.trigger() == Trigger.RESYNC ? more : known);
    }

    @Nullable PendingTrigger take(ObjectKey key) {
        return asked.remove(key);
    }

    /** Restores a trigger whose run failed. */
    void putBack(ObjectKey key, PendingTrigger again) {
        asked.merge(key, again, (known, more) -> more);
    }
}
