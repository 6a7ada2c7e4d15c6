package io.osmhub.demo.screen;

import java.util.List;

/** Where the demo shows what happens. Safe for use by several threads. */
public interface Screen extends AutoCloseable {
    /** How much fits; {@code columns} 0 means that lines may be as long as they like, {@code rows} likewise. */
    record Size(int columns, int rows) {
        /** A file or a pipe. */
        public static final Size UNLIMITED = new Size(0, 0);
    }

    /** Says something that stays. */
    void say(String line);

    /** Shows the state of things in place of the one shown before, where that is possible. */
    void show(List<String> block);

    /** What fits now. */
    Size size();

    /** Whether tones are shown. */
    boolean colour();

    /** Leaves the last state where it is, and the terminal as it was. */
    @Override
    void close();
}
