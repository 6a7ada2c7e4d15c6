package io.osmhub.workersync.port;

import io.osmhub.core.problem.Reason;
import org.jspecify.annotations.Nullable;

/** Takes what people are to be told by Events; writes them when there is time, within the tenant's budget, repeats as one. */
@FunctionalInterface
public interface EventSink {
    /** Step that an Event is about, as its {@code action}. */
    enum Action {
        CONNECT("Connect"),
        RENDER("Render"),
        PUBLISH("Publish"),
        RENEW("Renew"),
        ADOPT("Adopt"),
        CLEAN_UP("CleanUp");

        private final String word;

        Action(String word) {
            this.word = word;
        }

        public String word() {
            return word;
        }
    }

    /**
     * An object of a cluster.
     *
     * @param namespace empty for a kind without
     * @param uid null when it is not known
     */
    record Regarding(
            String apiVersion,
            String kind,
            String namespace,
            String name,
            @Nullable String uid) {}

    /**
     * Tells of something.
     *
     * @param related a second object that it is about; null for none
     * @param message the whole sentence, as {@code Message.of} makes it
     */
    void tell(Regarding regarding, @Nullable Regarding related, Reason reason, Action action, String message);
}
