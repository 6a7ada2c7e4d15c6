package io.osmhub.core.golang;

/** A struct without exported fields, such as {@code time.Time}: only its methods, found in the type, know {@code payload}. */
public record Opaque(Type type, Object payload) implements Value {}
