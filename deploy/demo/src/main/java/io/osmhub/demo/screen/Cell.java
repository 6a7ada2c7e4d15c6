package io.osmhub.demo.screen;

import io.osmhub.core.problem.Message;

/** One text of a table, without characters that would disturb a terminal. */
public record Cell(String text, Tone tone) {
    public Cell {
        text = Message.clean(text);
    }

    /** A cell without a colour. */
    public static Cell of(Object value) {
        return new Cell(String.valueOf(value), Tone.PLAIN);
    }
}
