package io.osmhub.api.schema;

import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Metadata of a stored object, without annotations, which may contain copies of whole objects. */
public record Metadata(
        String namespace,
        String name,
        String uid,
        @Nullable Long generation,
        @Nullable Map<String, String> labels,
        Instant createdAt) {}
