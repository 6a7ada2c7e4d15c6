package io.osmhub.demo;

import io.osmhub.core.model.Sensitive;
import java.nio.file.Path;

/** Starts the hub as {@code hub run} does, in this process. */
@FunctionalInterface
interface HubStarter {
    /** A running hub. */
    interface RunningHub {
        /** Stops it like SIGTERM. */
        void stop();

        /** One-time sign-in URL of its console for the token; empty if it has none. */
        default String console(Sensitive token) {
            return "";
        }
    }

    /**
     * Starts the hub; returns when it serves.
     *
     * @param configuration its configuration file
     * @param log its log file
     */
    RunningHub start(Path configuration, Path log) throws Exception;
}
