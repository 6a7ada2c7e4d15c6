package io.osmhub.workersync.queue;

/** Priority of a run. */
public enum Urgency {
    /** Something changed. */
    FRESH,
    /** Periodic resync; no known change. */
    RESYNC
}
