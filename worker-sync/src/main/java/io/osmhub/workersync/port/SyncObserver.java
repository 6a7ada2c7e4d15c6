package io.osmhub.workersync.port;

import java.time.Duration;
import java.util.Locale;

/** Observes a sync, for metrics. Thread-safe; must not block or throw. */
public interface SyncObserver {
    /** Result of a run: {@code result} in metrics. */
    enum Result {
        OK,
        TENANT_MISTAKE,
        UNREACHABLE,
        HUB_BUG;

        public String wireName() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** What triggered a run: {@code trigger} and {@code because} in metrics. */
    enum Trigger {
        CREATED,
        REVISION,
        PROFILE,
        EXTENSION,
        SETTINGS,
        CREDENTIALS,
        ENDPOINT,
        DRIFT,
        /** Periodic resync; no known change. */
        RESYNC;

        public String wireName() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Durations of a run's steps; zero for a step that was not reached. */
    default void onRunCompleted(Result result, Duration look, Duration decide, Duration write) {}

    /** Both secrets are up to date; {@code after} counts from the trigger. */
    default void onPublished(Trigger trigger, Duration after) {}

    /** Published content changed. */
    default void onRotated(Trigger because) {}

    /** A run wrote nothing because everything was up to date. */
    default void onWritesAvoided() {}

    /** A run is to be retried. {@code actor} as in metrics. */
    default void onRetried(String actor) {}

    /** An object was restored; {@code kind} is {@code osc}, {@code secret} or {@code token}. */
    default void onDriftRepaired(String kind) {}

    /** {@code kind} is {@code extended} or {@code replaced} for bootstrap tokens, {@code fetch} for fetch tokens. */
    default void onTokenWritten(String kind, boolean succeeded) {}

    /** The hub's own token for the worker cluster was renewed, or renewal failed. */
    default void onCredentialRenewed(boolean succeeded) {}

    /**
     * A MachineDeployment's OperatingSystemConfig and both documents were rendered.
     *
     * @param engine as written by {@code TemplateLanguage}
     */
    default void onRendered(String engine, Duration took) {}

    /** A rendering differs from published content although nothing had changed that it is rendered from. */
    default void onUnexpectedRendering() {}

    /** Rendering failed, or its result was rejected; {@code reason} as in conditions. */
    default void onRenderingRejected(String reason) {}

    /** Size of a published document; {@code part} is {@code bootstrap} or {@code provisioning}. */
    default void onUserDataPublished(String part, int bytes) {}

    /** A watch was restarted; values as in metrics. */
    default void onWatchRestarted(String resource, String cause) {}

    /** A write was delayed by the write budget. */
    default void onWriteDelayed(Duration wait) {}
}
