package io.osmhub.api.schema;

import io.osmhub.core.resource.NullableCollections;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Metadata of a stored object, without annotations, which may contain copies of whole objects. */
public record Metadata(
        String namespace,
        String name,
        String uid,
        @Nullable Long generation,
        @Nullable Map<String, String> labels,
        Instant createdAt) {
    public Metadata {
        Objects.requireNonNull(namespace, "namespace");
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(uid, "uid");
        labels = NullableCollections.copyOf(labels);
        Objects.requireNonNull(createdAt, "createdAt");
    }
}
