package io.osmhub.workersync.port;

import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.ReasonMessage;
import org.jspecify.annotations.Nullable;

/** Records Events; writes them asynchronously within the tenant's budget and aggregates repeats. */
@FunctionalInterface
public interface EventRecorder {
    /**
     * A reference to an object.
     *
     * @param namespace empty for a cluster-scoped kind
     * @param uid null if unknown
     */
    record Regarding(
            String apiVersion,
            String kind,
            String namespace,
            String name,
            @Nullable String uid) {}

    /**
     * Must not block.
     *
     * @param related second object concerned; null if there is none
     */
    void recordEvent(Regarding regarding, @Nullable Regarding related, ReasonMessage event, Reason.Action action);

    /** As above, with the usual action of the reason. */
    default void recordEvent(Regarding regarding, @Nullable Regarding related, ReasonMessage event) {
        recordEvent(regarding, related, event, event.reason().action());
    }
}
