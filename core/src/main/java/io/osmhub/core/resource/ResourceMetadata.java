package io.osmhub.core.resource;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The part of {@code metadata} that the hub reads.
 *
 * @param namespace empty if a file names none
 * @param uid null if the object is not stored yet
 * @param generation null if the object is not stored yet
 */
@WireRecord
public record ResourceMetadata(
        @JsonInclude(JsonInclude.Include.NON_EMPTY) String namespace,
        String name,
        @Nullable String uid,
        @Nullable Long generation,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) Map<String, String> labels,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) Map<String, String> annotations) {
    // Jackson passes null for missing fields.
    public ResourceMetadata(
            @Nullable String namespace,
            @Nullable String name,
            @Nullable String uid,
            @Nullable Long generation,
            @Nullable Map<String, String> labels,
            @Nullable Map<String, String> annotations) {
        this.namespace = namespace == null ? "" : namespace;
        this.name = name == null ? "" : name;
        this.uid = uid;
        this.generation = generation;
        this.labels = labels == null ? Map.of() : Map.copyOf(labels);
        this.annotations = annotations == null ? Map.of() : Map.copyOf(annotations);
    }
}
