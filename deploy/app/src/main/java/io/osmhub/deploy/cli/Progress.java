package io.osmhub.deploy.cli;

import io.osmhub.deploy.fleet.Plain;
import java.time.Duration;

/**
 * Tells whoever looks at a terminal that a command waits, and for whom, once that lasts. The line is taken away before anything
 * else is printed.
 */
final class Progress implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMillis(500);
    private static final Duration BETWEEN_LINES = Duration.ofSeconds(1);
    private static final String ERASED = "\r\u001b[K";

    private final Terminal terminal;
    private final String what;
    private final long begun = System.nanoTime();
    private boolean shown;
    private boolean over;

    private Progress(Terminal terminal, String what) {
        this.terminal = terminal;
        this.what = Plain.line(what);
    }

    /** @param what is waited for */
    static Progress begin(Terminal terminal, String what) {
        Progress progress = new Progress(terminal, what);
        if (terminal.isScreen()) {
            Thread.ofVirtual().start(progress::tell);
        }
        return progress;
    }

    private void tell() {
        try {
            Thread.sleep(PATIENCE);
            while (show()) {
                Thread.sleep(BETWEEN_LINES);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized boolean show() {
        if (!over) {
            shown = true;
            long seconds = Duration.ofNanos(System.nanoTime() - begun).toSeconds();
            String line = "waiting for " + what + (seconds == 0 ? "" : ", " + seconds + " s");
            int width = terminal.width();
            terminal.err().print(ERASED + (width > 0 && line.length() >= width ? line.substring(0, width - 1) : line));
            terminal.err().flush();
        }
        return !over;
    }

    @Override
    public void close() {
        end();
    }

    /** Something is there to be read, or nothing is waited for. */
    synchronized void end() {
        over = true;
        if (shown) {
            shown = false;
            terminal.err().print(ERASED);
            terminal.err().flush();
        }
    }
}
