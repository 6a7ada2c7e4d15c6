package io.osmhub.workersync.port;

import java.time.Duration;
import java.util.Locale;

/** Counts and measures, for metrics. Called on any thread; must not block nor throw. */
public interface SyncObserver {
    /** What a run came to, as {@code result} of metrics. */
    enum Result {
        OK,
        TENANT_MISTAKE,
        UNREACHABLE,
        HUB_BUG;

        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** What made a MachineDeployment be looked at, as {@code trigger} and {@code because} of metrics. */
    enum Trigger {
        CREATED,
        REVISION,
        PROFILE,
        SETTINGS,
        CREDENTIALS,
        ENDPOINT,
        DRIFT,
        /** Everything is looked at again; nothing is known to have changed. */
        RESYNC;

        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** One run, by step; a step that was not reached took no time. */
    default void ran(Result result, Duration look, Duration decide, Duration write) {}

    /** Both secrets are as wanted, so long after what asked for it. */
    default void published(Trigger trigger, Duration after) {}

    /** Published content was changed. */
    default void rotated(Trigger because) {}

    /** A run found everything as wanted. */
    default void writesAvoided() {}

    /** A run was put back. {@code actor} as in metrics. */
    default void retried(String actor) {}

    /** An object was restored; {@code kind} is {@code osc}, {@code secret} or {@code token}. */
    default void driftRepaired(String kind) {}

    /** {@code kind} is {@code extended} or {@code replaced} for bootstrap tokens, {@code fetch} for one that machines fetch with. */
    default void tokenWritten(String kind, boolean succeeded) {}

    /** The hub's own token for the worker cluster was to be renewed. */
    default void credentialRenewed(boolean succeeded) {}

    /**
     * A MachineDeployment was rendered: its OperatingSystemConfig and both documents.
     *
     * @param engine as {@code TemplateLanguage} writes it
     */
    default void rendered(String engine, Duration took) {}

    /** A MachineDeployment could not be rendered, or not be published as it was; {@code reason} as in conditions. */
    default void renderingRefused(String reason) {}

    /** Size of a published document; {@code part} is {@code bootstrap} or {@code provisioning}. */
    default void userData(String part, int bytes) {}

    /** A watch was begun anew; words as in metrics. */
    default void watchRestarted(String resource, String cause) {}

    /** A write had to wait for its budget. */
    default void budgetWaited(Duration wait) {}
}
