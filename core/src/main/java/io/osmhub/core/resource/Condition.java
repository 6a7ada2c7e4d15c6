package io.osmhub.core.resource;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.osmhub.core.schema.Described;
import io.osmhub.core.schema.NumberLimits;
import io.osmhub.core.schema.TextLimits;
import org.jspecify.annotations.Nullable;

/** One condition of a status. {@code lastTransitionTime} moves only when {@code status} does. */
@Wire
public record Condition(
        @Described("Kind of condition.")
        @TextLimits(
                maxLength = 316,
                pattern =
                        "^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$")
        String type,

        @Described("Whether it holds.") Status status,

        @Described("The metadata.generation that was looked at.") @NumberLimits(min = 0) @Nullable Long observedGeneration,

        @Described("When the status last changed.") @TextLimits(format = "date-time")
        String lastTransitionTime,

        @Described("One CamelCase word that programs may test.")
        @TextLimits(minLength = 1, maxLength = 1024, pattern = "^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$")
        String reason,

        @Described("What is wrong, where, and how to mend it.") @TextLimits(maxLength = 32768)
        String message) {

    /** Whether a condition holds; unknown means not looked at yet or not possible to say. */
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
