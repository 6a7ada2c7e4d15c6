package io.osmhub.demo.screen;

/** The heading of a column and on which side its texts stand. Only texts that stand left are cut on a narrow terminal. */
public record Column(String heading, Side side) {
    /** Texts stand left, numbers right. */
    public enum Side {
        LEFT,
        RIGHT
    }

    /** A column of texts. */
    public static Column text(String heading) {
        return new Column(heading, Side.LEFT);
    }

    /** A column of numbers. */
    public static Column number(String heading) {
        return new Column(heading, Side.RIGHT);
    }
}
