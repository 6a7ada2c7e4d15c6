package io.osmhub.core.golang;

/** A complex number; only literals such as {@code 3i} make one. */
public record Complex(Type type, double real, double imaginary) implements Value {}
