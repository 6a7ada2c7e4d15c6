package io.osmhub.demo;

import java.nio.file.Path;

/** Starts the hub as {@code hub run} does, in this process. */
@FunctionalInterface
interface HubStarter {
    /** A hub that serves. */
    interface RunningHub {
        /** Ends it as SIGTERM would. */
        void stop();
    }

    /**
     * Starts it; returns when it serves.
     *
     * @param configuration its configuration file
     * @param log where its log goes
     */
    RunningHub start(Path configuration, Path log) throws Exception;
}
