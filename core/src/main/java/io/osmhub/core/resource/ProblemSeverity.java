package io.osmhub.core.resource;

import com.fasterxml.jackson.annotation.JsonProperty;

/** The severities that a status lists; what is only for information is no problem. */
@WireEnum
public enum ProblemSeverity {
    @JsonProperty("Error")
    ERROR,
    @JsonProperty("Warning")
    WARNING
}
