package io.osmhub.demo.screen;

/** A column's heading and alignment. Only left-aligned texts are truncated on a narrow terminal. */
public record ScreenColumn(String heading, Side side) {
    /** Texts are left-aligned, numbers right-aligned. */
    public enum Side {
        LEFT,
        RIGHT
    }

    /** A column of texts. */
    public static ScreenColumn text(String heading) {
        return new ScreenColumn(heading, Side.LEFT);
    }

    /** A column of numbers. */
    public static ScreenColumn number(String heading) {
        return new ScreenColumn(heading, Side.RIGHT);
    }
}
