package io.osmhub.core.resource;

import com.fasterxml.jackson.annotation.JsonProperty;
import org.jspecify.annotations.Nullable;

/** One condition of a status. {@code lastTransitionTime} changes only with {@code status}. */
@WireRecord
public record Condition(
        String type,
        Status status,
        @Nullable Long observedGeneration,
        String lastTransitionTime,
        String reason,
        String message) {

    @WireEnum
    public enum Status {
        @JsonProperty("True")
        TRUE,
        @JsonProperty("False")
        FALSE,
        @JsonProperty("Unknown")
        UNKNOWN
    }
}
