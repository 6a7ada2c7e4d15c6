package io.osmhub.demo;

import io.osmhub.core.model.Sensitive;
import java.nio.file.Path;

/** Starts the hub as {@code hub run} does, in this process. */
@FunctionalInterface
interface HubStarter {
    /** A hub that serves. */
    interface RunningHub {
        /** Ends it as SIGTERM would. */
        void stop();

        /** Address of its console, which signs in once who holds the token; empty when it has none. */
        default String console(Sensitive token) {
            return "";
        }
    }

    /**
     * Starts it; returns when it serves.
     *
     * @param configuration its configuration file
     * @param log where its log goes
     */
    RunningHub start(Path configuration, Path log) throws Exception;
}
