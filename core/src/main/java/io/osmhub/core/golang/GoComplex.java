package io.osmhub.core.golang;

/** A complex number; only literals such as {@code 3i} create one. */
public record GoComplex(GoType type, double real, double imaginary) implements GoValue {}
