package io.osmhub.tenancy.connection;

import io.osmhub.core.problem.Reason;

/** A reason with its message, for a condition, an Event and the console. */
public record ReportedCondition(ConditionStatus truth, Reason reason, String message) {
    public enum ConditionStatus {
        YES,
        NO,
        UNKNOWN
    }
}
