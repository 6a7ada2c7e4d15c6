package io.osmhub.core.fuzz;

/**
 * A case that misbehaved.
 *
 * @param number of the case in its run; with the seed it makes the case again
 * @param what the fault with the place where it came from
 */
public record FuzzFailure(long number, FuzzInput input, String what) {}
