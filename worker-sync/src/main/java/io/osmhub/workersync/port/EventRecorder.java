package io.osmhub.workersync.port;

import io.osmhub.core.problem.Problem;
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

        /** Usual action of a reason's Events. */
        public static Action of(Reason reason) {
            return switch (reason) {
                case RegistrationConflict -> CONNECT;
                case WorkerClusterDuplicate,
                        WorkerClusterContested,
                        PeerControllerActive,
                        ObjectsAdopted,
                        CRDForeignManaged -> ADOPT;
                case WorkerCleanupIncomplete, LeftoversRemoved -> CLEAN_UP;
                case LeaseLost, WebhookCertificateExpiring -> RENEW;
                case WebhookBundleNotPatched, InternalError -> PUBLISH;
                default ->
                    switch (reason.category()) {
                        case SUMMARY, CREDENTIALS, CONNECTION, HUB -> CONNECT;
                        case SETTINGS, PROFILE, MACHINE -> RENDER;
                        case OWNERSHIP, PUBLISH -> PUBLISH;
                        case TOKEN -> RENEW;
                    };
            };
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
     */
    void recordEvent(Regarding regarding, @Nullable Regarding related, Problem event, Action action);

    /** As above, with the usual action of the reason. */
    default void recordEvent(Regarding regarding, @Nullable Regarding related, Problem event) {
        recordEvent(regarding, related, event, Action.of(event.reason()));
    }
}
