package io.osmhub.core.document;

import io.osmhub.core.problem.SourcePosition;
import org.jspecify.annotations.Nullable;

/** A text cannot be read as YAML. The message quotes nothing of it but a duplicate key. */
public final class YamlException extends Exception {
    private static final long serialVersionUID = 1L;

    /** What is wrong. */
    public enum Kind {
        SYNTAX,
        /** Valid YAML that is not a tree of objects with text keys. */
        CONTENT,
        /** Most programs accept it; the key may be secret. */
        DUPLICATE_KEY,
        /** The text is too large or nested too deeply for the reader, and may be valid. */
        LIMIT
    }

    private final Kind kind;
    private final transient SourcePosition position;
    private final String fix;
    private final @Nullable String key;

    YamlException(Kind kind, SourcePosition position, String problem, String fix, @Nullable String key) {
        super(problem, null, false, false);
        this.kind = kind;
        this.position = position;
        this.fix = fix;
        this.key = key;
    }

    public Kind kind() {
        return kind;
    }

    /** Unknown of a text that is too large. */
    public SourcePosition position() {
        return position;
    }

    public String problem() {
        return String.valueOf(getMessage());
    }

    public String fix() {
        return fix;
    }

    /** The duplicate key; null for other kinds. */
    public @Nullable String key() {
        return key;
    }
}
