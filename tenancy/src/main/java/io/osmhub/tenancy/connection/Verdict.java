package io.osmhub.tenancy.connection;

import io.osmhub.core.problem.Reason;

/** A reason with its message, as it goes into a condition, an Event and the console. */
public record Verdict(Truth truth, Reason reason, String message) {
    /** Status of a condition. */
    public enum Truth {
        YES,
        NO,
        UNKNOWN
    }
}
