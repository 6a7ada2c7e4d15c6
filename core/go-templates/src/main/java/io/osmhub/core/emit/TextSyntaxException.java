package io.osmhub.core.emit;

import io.osmhub.core.golang.GoCallException;
import org.jspecify.annotations.Nullable;

/** A text is not valid JSON, YAML or TOML, or has something that is not supported. Nothing of the text is quoted. */
public final class TextSyntaxException extends Exception {
    private static final long serialVersionUID = 1L;

    private final int line;
    private final int column;
    private final @Nullable String unsupported;

    /** {@code line} and {@code column} count from 1, the column in characters; both are 0 when the place is unknown. */
    public TextSyntaxException(int line, int column, String problem) {
        this(line, column, problem, null);
    }

    private TextSyntaxException(int line, int column, String problem, @Nullable String unsupported) {
        super(problem, null, false, false);
        this.line = line;
        this.column = column;
        this.unsupported = unsupported;
    }

    /** The text is valid, but has a value that templates cannot have, for example {@code a date}. */
    public static TextSyntaxException unsupported(int line, int column, String value) {
        return new TextSyntaxException(line, column, value + " is not supported; write it as text in quotes", value);
    }

    public int line() {
        return line;
    }

    public int column() {
        return column;
    }

    /** Whether the text is valid, and only a value in it is not supported. */
    public boolean isUnsupported() {
        return unsupported != null;
    }

    /** What is wrong, without the place. */
    public String problem() {
        return String.valueOf(getMessage());
    }

    /** As the error of a template function; {@code format} is the name that begins the message. */
    public GoCallException toCallException(String format) {
        String place = line == 0 ? "" : "line " + line + ", column " + column + ": ";
        return unsupported == null
                ? new GoCallException(format + ": " + place + problem())
                : GoCallException.unsupported(unsupported + " in " + format, place + "write it as text in quotes");
    }
}
