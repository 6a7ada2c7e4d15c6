package io.osmhub.workbench;

import java.io.PrintStream;

/** Counts what came of cases and prints it. Not for concurrent use. */
final class Tally {
    private final PrintStream out;
    private int passed;
    private int failed;
    private int byDesign;

    Tally(PrintStream out) {
        this.out = out;
    }

    void passed() {
        passed++;
    }

    /** A case that is not as wanted; {@code what} says why, in as many lines as it takes. */
    void failed(String id, String what) {
        failed++;
        out.println("FAILED  " + id + "\n" + what.indent(4).stripTrailing());
    }

    /** A case whose wanted result is a fault of the peer on which the hub does better. */
    void differsByDesign(String id, String what) {
        byDesign++;
        out.println("differs " + id + "\n" + what.indent(4).stripTrailing());
    }

    /** The exit code: 0 when nothing failed, 1 when something did. */
    int summary() {
        if (byDesign > 0) {
            out.println(byDesign + " differ by design (defect-* cases, where the peer's result is broken)");
        }
        out.println(passed + " passed, " + failed + " failed");
        return failed == 0 ? 0 : 1;
    }
}
