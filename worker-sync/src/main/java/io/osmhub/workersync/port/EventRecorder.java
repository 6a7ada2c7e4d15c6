package io.osmhub.workersync.port;

import io.osmhub.core.problem.Reason;
import org.jspecify.annotations.Nullable;

/** Records Events; writes them asynchronously within the tenant's budget and aggregates repeats. */
@FunctionalInterface
public interface EventRecorder {
    /** {@code action} of an Event. */
    enum Action {
        CONNECT("Connect"),
        RENDER("Render"),
        PUBLISH("Publish"),
        RENEW("Renew"),
        ADOPT("Adopt"),
        CLEAN_UP("CleanUp");

        private final String wireName;

        Action(String word) {
            this.wireName = word;
        }

        public String wireName() {
            return wireName;
        }
    }

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
     * @param message complete, as formatted by {@code MessageFormatter}
     */
    void recordEvent(Regarding regarding, @Nullable Regarding related, Reason reason, Action action, String message);
}
