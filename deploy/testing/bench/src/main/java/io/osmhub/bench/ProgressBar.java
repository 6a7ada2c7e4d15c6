package io.osmhub.bench;

import java.io.PrintStream;
import java.util.Locale;

/** Shows the progress of a step on a terminal; in a file, only its start and end. Not thread-safe. */
final class ProgressBar {
    private static final int WIDTH = 30;
    private static final long NANOS_BETWEEN_DRAWINGS = 100_000_000;

    private final PrintStream out;
    private final boolean terminal;
    private String step = "";
    private long began;
    private long drawn;

    ProgressBar(PrintStream out, boolean terminal) {
        this.out = out;
        this.terminal = terminal;
    }

    /** Starts a step. */
    void begin(String name) {
        step = name;
        began = System.nanoTime();
        drawn = began - NANOS_BETWEEN_DRAWINGS;
        if (!terminal) {
            out.println(name + " ...");
        }
    }

    /** Updates the step's progress. */
    void update(long done, long all) {
        long now = System.nanoTime();
        if (terminal && now - drawn >= NANOS_BETWEEN_DRAWINGS) {
            drawn = now;
            out.print("\r" + line(step, done, all, (now - began) / 1e9) + "\u001b[K");
            out.flush();
        }
    }

    /** Ends the step with its outcome. */
    void end(String outcome) {
        double seconds = (System.nanoTime() - began) / 1e9;
        out.println((terminal ? "\r\u001b[K" : "")
                + String.format(Locale.ROOT, "%-34s %7.1f s  %s", step, seconds, outcome)
                        .stripTrailing());
        out.flush();
    }

    static String line(String step, long done, long all, double seconds) {
        long bounded = Math.clamp(done, 0, Math.max(all, 0));
        int full = all <= 0 ? 0 : (int) (bounded * WIDTH / all);
        return String.format(
                Locale.ROOT,
                "%-34s [%s%s] %,d of %,d  %.0f s",
                step,
                "#".repeat(full),
                ".".repeat(WIDTH - full),
                done,
                all,
                seconds);
    }
}
