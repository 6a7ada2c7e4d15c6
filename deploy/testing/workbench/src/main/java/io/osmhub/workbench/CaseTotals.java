package io.osmhub.workbench;

import io.osmhub.core.problem.ProblemException;
import java.io.PrintStream;

/** Counts and prints the outcomes of cases. Not thread-safe. */
final class CaseTotals {
    private final PrintStream out;
    private int passed;
    private int failed;
    private int byDesign;
    private int refused;
    private int unsupported;

    CaseTotals(PrintStream out) {
        this.out = out;
    }

    void addPassed() {
        passed++;
    }

    /** A case with an unexpected result; {@code what} describes the differences. */
    void addFailed(String id, String what) {
        failed++;
        out.println("FAILED  " + id + "\n" + what.indent(4).stripTrailing());
    }

    /** A case whose expected result is an OSM defect that the hub fixes. */
    void addIntendedDifference(String id, String what) {
        byDesign++;
        out.println("differs " + id + "\n" + what.indent(4).stripTrailing());
    }

    /** A case that uses a function, format or kubelet that the hub refuses by its name. */
    void addRefused(String id, String name) {
        refused++;
        out.println("refused: " + name + " (" + id + ")");
    }

    /** A case of the reviewed list, whose result differs from that of Go or OSM. */
    void addUnsupported(String id, String difference) {
        unsupported++;
        out.println("differs: " + difference + " (" + id + ")");
    }

    /** Returns the exit code: 0 if nothing failed, otherwise 1. */
    int summary() {
        if (refused > 0) {
            out.println(refused + " refused (functions, formats and kubelets that the hub does not support)");
        }
        if (unsupported > 0) {
            out.println(unsupported + " differ (corpus/unsupported.tsv)");
        }
        if (byDesign > 0) {
            out.println(byDesign + " differ by design (defect-* cases, where OSM's result is defective)");
        }
        out.println(passed + " passed, " + failed + " failed");
        return failed == 0 ? 0 : 1;
    }

    /** Summarizes the failure of one case, so that the others can continue. */
    static final class ErrorSummary {
        private static final int PLACES = 3;

        private ErrorSummary() {}

        /** One line for errors of the case's author; others are our bugs and include locations. */
        static String describe(Throwable fault) {
            if (fault instanceof IllegalArgumentException || fault instanceof ProblemException) {
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
}
