package io.osmhub.api.schema;

import io.osmhub.core.resource.ProblemSeverity;
import org.jspecify.annotations.Nullable;

/**
 * One lint finding in a profile.
 *
 * @param rule name of the check, as in docs/reference/lint.md
 * @param profile namespace/name
 * @param excerpt up to five lines of the template, the last one a marker
 * @param combinations renderings with the finding
 */
public record Finding(
        ProblemSeverity severity,
        String rule,
        @Nullable String profile,
        @Nullable String field,
        @Nullable String path,
        @Nullable Integer line,
        @Nullable Integer column,
        String message,
        @Nullable String cure,
        @Nullable String excerpt,
        @Nullable Integer combinations) {}
