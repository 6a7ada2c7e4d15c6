package io.osmhub.api.schema;

import io.osmhub.core.resource.Copies;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The head of a stored object. Without annotations: those may carry whole copies of other objects. */
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
        labels = Copies.of(labels);
        Objects.requireNonNull(createdAt, "createdAt");
    }
}
