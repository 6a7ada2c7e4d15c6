package io.osmhub.demo;

import java.io.PrintStream;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;

/** Consecutive lines for files, pipes and simple terminals. Prints the state rarely and only if it changed. */
final class PlainScreen implements DemoScreen {
    private static final Duration BETWEEN_STATES = Duration.ofSeconds(5);

    private final PrintStream out;
    private final InstantSource clock;
    private List<String> shown = List.of();
    private Instant next = Instant.MIN;

    /** The caller closes the stream. */
    PlainScreen(PrintStream out, InstantSource clock) {
        this.out = out;
        this.clock = clock;
    }

    @Override
    public synchronized void printLine(String line) {
        out.println(line);
        out.flush();
    }

    @Override
    public synchronized void showState(List<String> block) {
        Instant now = clock.instant();
        if (!block.equals(shown) && !now.isBefore(next)) {
            out.println();
            block.forEach(out::println);
            out.flush();
            shown = List.copyOf(block);
            next = now.plus(BETWEEN_STATES);
        }
    }

    @Override
    public ScreenSize size() {
        return ScreenSize.UNLIMITED;
    }

    @Override
    public boolean colour() {
        return false;
    }

    @Override
    public void close() {
        out.flush();
    }
}
