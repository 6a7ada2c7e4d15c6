package io.osmhub.workersync.port;

/** Takes what runs did and when, for traces. Called on any thread; must not block nor throw. */
public interface RunTracer {
    /** Nobody follows; nothing is noted then. */
    RunTracer OFF = new RunTracer() {
        @Override
        public boolean isOn() {
            return false;
        }

        @Override
        public void ran(TracedRun run) {
            // Nobody follows.
        }
    };

    /** Whether runs are to note what they do. */
    boolean isOn();

    /** A run is over. */
    void ran(TracedRun run);
}
