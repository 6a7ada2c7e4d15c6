package io.osmhub.core.template.handlebars;

import io.osmhub.core.golang.Value;
import org.jspecify.annotations.Nullable;

/**
 * A value that names are looked up in: the context of a file, or what {@code with} and {@code each} put in its place. Told apart
 * from a value that a path goes on into, because a name that is missing in a scope is looked for further out, while one that is
 * missing at the end of a path is not.
 *
 * @param names which hide the value's own: those after a block tag's {@code as}, or those that a snippet was called with. The
 *     library has contexts for both, but within them it looks outside before it looks inside.
 */
record Scope(Value value, Names names) {
    /** Names that hide others. */
    @FunctionalInterface
    interface Names {
        Names NONE = name -> null;

        @Nullable Value get(String name);
    }

    Scope(Value value) {
        this(value, Names.NONE);
    }
}
