package io.osmhub.api.schema;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.core.resource.Copies;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A JSON merge patch of a registration.
 *
 * @param labels null takes a label away
 * @param spec null takes a setting back to what is inherited
 */
public record WorkerClusterPatch(
        @Nullable Map<String, @Nullable String> labels,
        @Nullable JsonNode spec) {
    public WorkerClusterPatch {
        labels = Copies.of(labels);
    }
}
