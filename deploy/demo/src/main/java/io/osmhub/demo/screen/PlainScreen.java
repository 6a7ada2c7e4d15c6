package io.osmhub.demo.screen;

import java.io.PrintStream;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;

/** Lines one after the other: for files, pipes and terminals that cannot do more. The state comes rarely and only when it has changed. */
public final class PlainScreen implements Screen {
    private static final Duration BETWEEN_STATES = Duration.ofSeconds(5);

    private final PrintStream out;
    private final InstantSource clock;
    private List<String> shown = List.of();
    private Instant next = Instant.MIN;

    /** Writes to a stream that somebody else closes. */
    public PlainScreen(PrintStream out, InstantSource clock) {
        this.out = out;
        this.clock = clock;
    }

    @Override
    public synchronized void say(String line) {
        out.println(line);
        out.flush();
    }

    @Override
    public synchronized void show(List<String> block) {
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
    public Size size() {
        return Size.UNLIMITED;
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
