package io.osmhub.core.problem;

/** A position in a text, line and column from 1; both 0 for a document without text. */
public record SourcePosition(int line, int column) {
    public static final SourcePosition NONE = new SourcePosition(0, 0);

    public boolean isKnown() {
        return line > 0;
    }
}
