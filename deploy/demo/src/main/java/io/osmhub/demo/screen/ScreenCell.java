package io.osmhub.demo.screen;

import io.osmhub.core.problem.MessageFormatter;

/** A cell's text, without control characters. */
public record ScreenCell(String text, ScreenStyle tone) {
    public ScreenCell {
        text = MessageFormatter.sanitize(text);
    }

    /** A cell without a colour. */
    public static ScreenCell of(Object value) {
        return new ScreenCell(String.valueOf(value), ScreenStyle.PLAIN);
    }
}
