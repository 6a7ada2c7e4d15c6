package io.osmhub.core.document;

/** A place in a text, line and column from 1; both 0 when the document has no text. */
public record Position(int line, int column) {
    public static final Position NONE = new Position(0, 0);

    public boolean known() {
        return line > 0;
    }
}
