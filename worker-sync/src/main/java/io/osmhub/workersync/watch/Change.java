package io.osmhub.workersync.watch;

/**
 * One change of a selection, as the API server tells it.
 *
 * @param seen the object afterwards; of one that is gone, as it was last, with the version of its end
 */
public record Change<T>(Kind kind, Seen<T> seen) {
    /** What happened. */
    public enum Kind {
        ADDED,
        MODIFIED,
        DELETED
    }
}
