package io.osmhub.workersync.reconcile;

import io.osmhub.workersync.port.SyncObserver.Trigger;
import io.osmhub.workersync.watch.ObjectKey;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Remembers what first asked for a run, and when, until the work is done. Safe for use by many threads. */
final class Triggers {
    private final Map<ObjectKey, Asked> asked = new ConcurrentHashMap<>();

    /** @param nanos monotonic */
    record Asked(Trigger trigger, long nanos) {}

    void ask(ObjectKey key, Trigger trigger, long nanos) {
        // The first one counts, but for a mere resync, which asks for nothing.
        asked.merge(key, new Asked(trigger, nanos), (known, more) -> known.trigger() == Trigger.RESYNC ? more : known);
    }

    /** Null when nobody did. */
    @Nullable Asked take(ObjectKey key) {
        return asked.remove(key);
    }

    /** The work could not be done; what asked for it waits on. */
    void putBack(ObjectKey key, Asked again) {
        asked.merge(key, again, (known, more) -> more);
    }
}
