package io.osmhub.core.workercluster;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.osmhub.core.resource.WireEnum;
import io.osmhub.core.resource.WireRecord;
import io.osmhub.core.schema.FieldDescription;
import io.osmhub.core.schema.NumberLimits;
import org.jspecify.annotations.Nullable;

/** The hub's webhook in a worker cluster. */
@WireRecord
public record AdmissionSettings(
        @FieldDescription(
                "Managed = the hub installs the webhook configuration and keeps it right; None = it removes its own. Default Managed where "
                        + "the hub knows a URL that worker clusters reach it at.")
        @Nullable Mode mode,

        @FieldDescription("What the worker cluster does when the hub does not answer. Default Ignore.") @Nullable FailurePolicy failurePolicy,

        @FieldDescription("How long the worker cluster waits for the answer, in seconds. Default 5.")
        @NumberLimits(min = 1, max = 30)
        @Nullable Integer timeoutSeconds) {

    /** Whether the hub keeps a webhook configuration in the worker cluster. */
    @WireEnum
    public enum Mode {
        @JsonProperty("Managed")
        MANAGED,
        @JsonProperty("None")
        NONE
    }

    /** What the worker cluster does when the hub does not answer. */
    @WireEnum
    public enum FailurePolicy {
        @JsonProperty("Ignore")
        IGNORE,
        @JsonProperty("Fail")
        FAIL
    }
}
