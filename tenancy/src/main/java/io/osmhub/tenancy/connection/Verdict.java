package io.osmhub.tenancy.connection;

import io.osmhub.core.problem.Reason;

/** A reason with its message, as it goes into a condition, an Event and the console. */
public record Verdict(Truth truth, Reason reason, String message) {
    /** Status of a condition. */
    public enum Truth {
        YES("True"),
        NO("False"),
        UNKNOWN("Unknown");

        private final String word;

        Truth(String word) {
            this.word = word;
        }

        /** As in {@code status} of a condition. */
        public String word() {
            return word;
        }
    }
}
