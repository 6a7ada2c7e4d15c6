package io.osmhub.workersync.watch;

/**
 * One change of a selection.
 *
 * @param seen the object afterwards; if deleted, its last state with the version of its deletion
 */
public record ObjectChange<T>(Kind kind, ObservedObject<T> seen) {
    public enum Kind {
        ADDED,
        MODIFIED,
        DELETED
    }
}
