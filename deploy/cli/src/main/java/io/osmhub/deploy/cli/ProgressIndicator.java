package io.osmhub.deploy.cli;

import io.osmhub.deploy.fleet.TerminalSanitizer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** Shows on a terminal what a slow command waits for. The line is erased before other output. */
final class ProgressIndicator implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMillis(500);
    private static final Duration BETWEEN_LINES = Duration.ofSeconds(1);
    private static final String ERASED = "\r\u001b[K";

    private final Terminal terminal;
    private final String what;
    private final long begun = System.nanoTime();
    private boolean shown;
    private boolean over;

    private ProgressIndicator(Terminal terminal, String what) {
        this.terminal = terminal;
        this.what = TerminalSanitizer.sanitizeLine(what);
    }

    /** @param what the command waits for */
    static ProgressIndicator start(Terminal terminal, String what) {
        ProgressIndicator progress = new ProgressIndicator(terminal, what);
        if (terminal.isScreen()) {
            Thread.ofVirtual().start(progress::showWhenSlow);
        }
        return progress;
    }

    private void showWhenSlow() {
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
            write(ERASED + (width > 0 && line.length() >= width ? line.substring(0, width - 1) : line));
        }
        return !over;
    }

    @Override
    public void close() {
        stop();
    }

    /** Call when data arrives or waiting ends. */
    synchronized void stop() {
        over = true;
        erase();
    }

    /** Prints above the line. */
    synchronized void interrupt(Runnable print) {
        erase();
        print.run();
    }

    private void erase() {
        if (shown) {
            shown = false;
            write(ERASED);
        }
    }

    /** As bytes, because printed text is escaped. */
    private void write(String text) {
        terminal.err().writeBytes(text.getBytes(StandardCharsets.UTF_8));
        terminal.err().flush();
    }
}
