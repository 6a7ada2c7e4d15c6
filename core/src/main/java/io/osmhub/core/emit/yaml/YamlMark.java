package io.osmhub.core.emit.yaml;

import io.osmhub.core.golang.GoCallException;

/** A position in a document, line and column from 0; {@code index} counts characters from its beginning. */
record YamlMark(int index, int line, int column) {
    /**
     * An error that the scanner found while it was reading what began at {@code context}. As in Go the line is left out where
     * it would be the first.
     */
    static GoCallException scannerError(YamlMark context, YamlMark problem, String text) {
        int line = context.line() != 0 ? context.line() : problem.line();
        return failure(line == 0 ? 0 : line + 1, text);
    }

    /** An error that the parser found in something that began at {@code context}. Go counts its lines from 0. */
    static GoCallException parserError(YamlMark context, YamlMark problem, String text) {
        return failure(context.line() != 0 ? context.line() : problem.line(), text);
    }

    private static GoCallException failure(int line, String text) {
        return new GoCallException(line == 0 ? "yaml: " + text : "yaml: line " + line + ": " + text);
    }
}
