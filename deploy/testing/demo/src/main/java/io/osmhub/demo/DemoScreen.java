package io.osmhub.demo;

import java.util.List;

/** The demo's output. Thread-safe. */
interface DemoScreen extends AutoCloseable {
    /** Size of the output; 0 if unlimited. */
    record ScreenSize(int columns, int rows) {
        /** A file or a pipe. */
        public static final ScreenSize UNLIMITED = new ScreenSize(0, 0);
    }

    /** Prints a permanent line. */
    void printLine(String line);

    /** Shows the current state, replacing the previous one if possible. */
    void showState(List<String> block);

    /** The current size. */
    ScreenSize size();

    /** Whether to use colours. */
    boolean colour();

    /** Keeps the last state and restores the terminal. */
    @Override
    void close();
}
