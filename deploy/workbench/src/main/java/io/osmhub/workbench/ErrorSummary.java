package io.osmhub.workbench;

import io.osmhub.core.problem.Problem;

/** Summarizes the failure of one case, so that the others can continue. */
final class ErrorSummary {
    private static final int PLACES = 3;

    private ErrorSummary() {}

    /** One line for errors of the case's author; others are our bugs and include locations. */
    static String describe(Throwable fault) {
        if (fault instanceof IllegalArgumentException || fault instanceof Problem) {
            return "invalid case: " + fault.getMessage();
        }
        StringBuilder text = new StringBuilder("internal error: ").append(fault);
        int places = 0;
        for (StackTraceElement place : fault.getStackTrace()) {
            if (place.getClassName().startsWith("io.osmhub.") && places++ < PLACES) {
                text.append("\n  at ").append(place);
            }
        }
        return text.toString();
    }
}
