package io.osmhub.core.template.sprig;

import io.osmhub.core.golang.GoType;
import io.osmhub.core.golang.GoTypeParser;
import io.osmhub.core.golang.GoValue.GoFunction;
import io.osmhub.core.golang.GoValue.GoString;

/** All of sprig's text map. OSM's functions of the same names must be added after it. */
public final class SprigFunctions {
    private static final int CHARS_PER_STEP = 256;

    private SprigFunctions() {}

    public static void addTo(FunctionRegistry functions) {
        FunctionRegistry registry = (name, signature, code) -> functions.add(name, signature, charged(code));
        StringFunctions.addTo(registry);
        NumberFunctions.addTo(registry);
        ListFunctions.addTo(registry);
        DictFunctions.addTo(registry);
        DefaultFunctions.addTo(registry);
        RegexFunctions.addTo(registry);
        SemverFunctions.addTo(registry);
        PathFunctions.addTo(registry);
        EncodingFunctions.addTo(registry);
    }

    /** Charges for reading the text arguments, which every function may do once. */
    private static GoFunction.Code charged(GoFunction.Code code) {
        return (environment, arguments) -> {
            long chars = 0;
            for (int i = 0; i < arguments.size(); i++) {
                chars +=
                        arguments.get(i) instanceof GoString text ? text.bytes().length() : 0;
            }
            environment.charge(chars / CHARS_PER_STEP, 0);
            return code.call(environment, arguments);
        };
    }

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
}
