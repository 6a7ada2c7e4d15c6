package io.osmhub.workbench;

import io.osmhub.core.problem.Problem;

/** Says in a few lines what went wrong with one case, so that the others go on. */
final class Faults {
    private static final int PLACES = 3;

    private Faults() {}

    /** What a case's author can do something about is one line; anything else is a fault of ours, with its place. */
    static String describe(Throwable fault) {
        if (fault instanceof IllegalArgumentException || fault instanceof Problem) {
            return "not understood: " + fault.getMessage();
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
