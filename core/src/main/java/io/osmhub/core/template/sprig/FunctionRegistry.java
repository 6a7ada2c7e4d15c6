package io.osmhub.core.template.sprig;

import io.osmhub.core.golang.GoType;
import io.osmhub.core.golang.GoTypeParser;
import io.osmhub.core.golang.GoValue.GoFunction;

/** Registers functions; a later function of the same name replaces an earlier one. */
@FunctionalInterface
public interface FunctionRegistry {
    /** Adds a function; {@code signature} is its Go type, with which the engine checks and converts the arguments. */
    void add(String name, GoType signature, GoFunction.Code code);

    /** Adds a function with its Go type as in {@link GoTypeParser#parseFunction}. */
    default void add(String name, String signature, GoFunction.Code code) {
        add(name, GoTypeParser.parseFunction(signature), code);
    }
}
