package io.osmhub.workersync.port;

/** Receives traces of runs. Thread-safe; must not block or throw. */
public interface RunTracer {
    /** Records nothing. */
    RunTracer OFF = new RunTracer() {};

    /** Whether runs record their steps. */
    default boolean isEnabled() {
        return false;
    }

    /** Called when a run ends. */
    default void recordRun(RunTrace run) {}
}
