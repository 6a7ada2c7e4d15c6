package io.osmhub.core.template.sprig;

import io.osmhub.core.golang.Func;
import io.osmhub.core.golang.Signatures;
import io.osmhub.core.golang.Type;

/** Where a family of functions puts its members; a later function of the same name replaces the earlier one. */
@FunctionalInterface
public interface Registry {
    /** Adds a function; {@code signature} is its Go type, by which the engine checks and converts the arguments. */
    void add(String name, Type signature, Func.Code code);

    /** Adds a function whose Go type is written as in {@link Signatures#func}. */
    default void add(String name, String signature, Func.Code code) {
        add(name, Signatures.func(signature), code);
    }
}
