package io.osmhub.core.template.handlebars;

import io.osmhub.core.golang.GoValue;
import org.jspecify.annotations.Nullable;

/**
 * A value in which names are resolved: the context of a file, or its replacement by {@code with} and {@code each}. It differs from
 * a value inside a path: a name missing in a scope is resolved further out, one missing at the end of a path is not.
 *
 * @param names override the value's own: those after a block tag's {@code as}, or a snippet's arguments. The library has contexts
 *     for both, but within them it resolves outside before inside.
 */
record NameScope(GoValue value, Names names) {
    @FunctionalInterface
    interface Names {
        Names NONE = name -> null;

        @Nullable GoValue get(String name);
    }

    NameScope(GoValue value) {
        this(value, Names.NONE);
    }
}
