package io.osmhub.workersync.reconcile;

/** Reports the result of runs. Thread-safe. */
@FunctionalInterface
interface RunListener {
    /** A run ended. Called on its thread. */
    void onRunEnded(RunReport report);
}
