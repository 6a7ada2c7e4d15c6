package io.osmhub.core.emit;

import io.osmhub.core.golang.GoValue;
import org.jspecify.annotations.Nullable;

/**
 * What was read into a value that the caller gave, a map or a list, as Go does it: an error may leave part of the content there.
 * {@code error} is null when all went well.
 */
public record DecodeResult(GoValue value, @Nullable String error) {}
