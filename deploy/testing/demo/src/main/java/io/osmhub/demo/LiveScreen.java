package io.osmhub.demo;

import java.io.PrintStream;
import java.util.List;
import java.util.function.Supplier;

/** Keeps the state at the bottom of a terminal and scrolls permanent lines above it. */
final class LiveScreen implements DemoScreen {
    private static final String HIDE_CURSOR = "\u001b[?25l";
    private static final String SHOW_CURSOR = "\u001b[?25h";
    private static final String CLEAR_BELOW = "\u001b[J";
    private static final String CLEAR_REST = "\u001b[K";

    private final PrintStream out;
    private final Supplier<ScreenSize> size;
    private final boolean colour;
    private List<String> block = List.of();
    private boolean closed;

    /** {@code size} may change. */
    LiveScreen(PrintStream out, Supplier<ScreenSize> size, boolean colour) {
        this.out = out;
        this.size = size;
        this.colour = colour;
    }

    @Override
    public synchronized void printLine(String line) {
        draw(line + CLEAR_REST + "\n", block);
    }

    @Override
    public synchronized void showState(List<String> lines) {
        if (!lines.equals(block)) {
            draw("", lines);
        }
    }

    @Override
    public ScreenSize size() {
        return size.get();
    }

    @Override
    public boolean colour() {
        return colour;
    }

    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            out.print(SHOW_CURSOR);
            out.flush();
        }
    }

    // In one write to avoid flicker.
    private void draw(String above, List<String> lines) {
        StringBuilder text = new StringBuilder();
        if (!closed) {
            text.append(HIDE_CURSOR);
        }
        if (!block.isEmpty()) {
            text.append("\u001b[").append(block.size()).append("F");
        }
        text.append(above);
        for (String line : lines) {
            text.append(line).append(CLEAR_REST).append('\n');
        }
        text.append(CLEAR_BELOW);
        out.print(text);
        out.flush();
        block = List.copyOf(lines);
    }
}
