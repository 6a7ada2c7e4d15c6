package io.osmhub.sim.objects;

/** Which part of an object a write is meant for. */
public enum WriteScope {
    /** Everything but the status, where the kind has a status subresource. */
    MAIN,
    /** The status subresource. */
    STATUS,
    /** The finalizers of a Namespace's spec. */
    FINALIZE
}
