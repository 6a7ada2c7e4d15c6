package io.osmhub.workersync.port;

/** Receives traces of runs. Thread-safe; must not block or throw. */
public interface RunTracer {
    /** Records nothing. */
    RunTracer OFF = new RunTracer() {
        @Override
        public boolean isEnabled() {
            return false;
        }

        @Override
        public void recordRun(RunTrace run) {
            // Tracing is off.
        }
    };

    /** Whether runs record their steps. */
    boolean isEnabled();

    /** Called when a run ends. */
    void recordRun(RunTrace run);
}
