package io.osmhub.core.resource;

import com.fasterxml.jackson.annotation.JsonProperty;

/** The severities of problems in a status; Info is not a problem. */
@WireEnum
public enum ProblemSeverity {
    @JsonProperty("Error")
    ERROR,
    @JsonProperty("Warning")
    WARNING
}
