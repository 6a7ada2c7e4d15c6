package io.osmhub.core.golang;

/** A struct without exported fields, such as {@code time.Time}: only its type's methods use {@code payload}. */
public record GoOpaque(GoType type, Object payload) implements GoValue {}
