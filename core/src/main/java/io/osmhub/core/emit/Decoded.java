package io.osmhub.core.emit;

import io.osmhub.core.golang.Value;
import org.jspecify.annotations.Nullable;

/**
 * What was read into a value that the caller gave, a map or a list, as Go does it: an error may leave part of the content there.
 * {@code error} is null when all went well.
 */
public record Decoded(Value value, @Nullable String error) {}
