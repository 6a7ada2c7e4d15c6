package io.osmhub.core.resource;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.osmhub.core.schema.FieldAnnotations.FieldDescription;
import io.osmhub.core.schema.FieldAnnotations.NumberLimits;
import io.osmhub.core.schema.FieldAnnotations.TextLimits;
import org.jspecify.annotations.Nullable;

/** One condition of a status. {@code lastTransitionTime} changes only with {@code status}. */
@WireRecord
public record Condition(
        @FieldDescription("Kind of condition.")
        @TextLimits(
                maxLength = 316,
                pattern =
                        "^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$")
        String type,

        @FieldDescription("Whether it holds.") Status status,

        @FieldDescription("The metadata.generation that was looked at.") @NumberLimits(min = 0) @Nullable Long observedGeneration,

        @FieldDescription("When the status last changed.") @TextLimits(format = "date-time")
        String lastTransitionTime,

        @FieldDescription("One CamelCase word that programs may test.")
        @TextLimits(minLength = 1, maxLength = 1024, pattern = "^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$")
        String reason,

        @FieldDescription("What is wrong, where, and how to fix it.") @TextLimits(maxLength = 32768)
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
