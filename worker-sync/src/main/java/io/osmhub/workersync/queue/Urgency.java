package io.osmhub.workersync.queue;

/** Who waits for a run. */
public enum Urgency {
    /** Something changed. */
    FRESH,
    /** Nothing is known to have changed: everything is looked at again. */
    RESYNC
}
