package io.osmhub.core.template.functions;

import static io.osmhub.core.golang.GoType.ANY;
import static io.osmhub.core.golang.GoType.BOOL;
import static io.osmhub.core.golang.GoType.LIST;
import static io.osmhub.core.golang.GoType.STRING;
import static io.osmhub.core.golang.GoType.STRINGS;
import static io.osmhub.core.golang.GoType.function;

import io.osmhub.core.golang.GoType;
import io.osmhub.core.golang.GoValue;
import io.osmhub.core.golang.GoValue.GoBool;
import io.osmhub.core.golang.GoValue.GoFunction;
import io.osmhub.core.golang.GoValue.GoMap;
import io.osmhub.core.golang.GoValue.GoSlice;
import io.osmhub.core.golang.GoValue.GoString;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.function.BinaryOperator;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The functions that templates may call, by name, and those that they may not. The type of a {@link GoFunction} has its parameters,
 * by which the engines check and convert arguments. Immutable.
 */
public final class FunctionRegistry {
    private final Map<String, GoFunction> functions;

    private FunctionRegistry(Map<String, GoFunction> functions) {
        this.functions = Map.copyOf(functions);
    }

    public static Builder builder() {
        return new Builder();
    }

    /** The function of that name; null if there is none. */
    public @Nullable GoFunction get(String name) {
        return functions.get(name);
    }

    public Set<String> names() {
        return functions.keySet();
    }

    /** Why a function that is known elsewhere is missing here; null if it is not missing, or not known. */
    public @Nullable RefusedFunction refused(String name) {
        return functions.containsKey(name) ? null : RefusedFunction.find(name);
    }

    /**
     * Collects functions; a later one replaces an earlier one with the same name.
     *
     * <p>A call is charged here, for both languages: one step, reading the text arguments, and the size of a result that the function
     * created. A result declared as {@code interface {}} is usually one of the arguments or a part of them, and is not charged.
     */
    public static final class Builder {
        private static final int CHARS_PER_STEP = 256;
        private static final GoType OF_TEXT = function(STRING, STRING);
        private static final GoType OF_TWO_TEXTS = function(STRING, STRING, STRING);
        private static final GoType TEST = function(BOOL, STRING);
        private static final GoType TEST_OF_TWO = function(BOOL, STRING, STRING);
        private static final GoType OF_LIST = function(LIST, ANY);

        private final Map<String, GoFunction> functions = new LinkedHashMap<>();

        private Builder() {}

        /** Adds the functions of sprig 3.3.0 that are not refused, and OSM's. */
        public Builder addAll() {
            Strings.addTo(this);
            Numbers.addTo(this);
            Lists.addTo(this);
            Dicts.addTo(this);
            Defaults.addTo(this);
            Regexes.addTo(this);
            Versions.addTo(this);
            Paths.addTo(this);
            Encodings.addTo(this);
            Formats.addTo(this);
            return this;
        }

        /** Adds a function that charges its calls itself. */
        public Builder add(String name, GoFunction function) {
            functions.put(name, function);
            return this;
        }

        /** Adds a function with its Go type. */
        Builder add(String name, GoType type, FunctionCall.Body body) {
            return add(name, new GoFunction(type, charged(type, body)));
        }

        /** Adds a function and its variant with the prefix {@code must}, which fails in the same way. */
        Builder withMust(String name, GoType type, FunctionCall.Body body) {
            return add(name, type, body).add(must(name), type, body);
        }

        /** Adds a function from one text to another. */
        Builder text(String name, UnaryOperator<String> body) {
            return add(name, OF_TEXT, call -> GoString.ofBytes(body.apply(call.text(0))));
        }

        /** Adds a function from two texts to one; like {@code trimPrefix} it may search the second one for the first. */
        Builder text(String name, BinaryOperator<String> body) {
            return add(name, OF_TWO_TEXTS, call -> {
                call.chargeSearch(call.text(1), call.text(0));
                return GoString.ofBytes(body.apply(call.text(0), call.text(1)));
            });
        }

        /** Adds a test of a text. */
        Builder test(String name, Predicate<String> body) {
            return add(name, TEST, call -> GoBool.of(body.test(call.text(0))));
        }

        /** Adds a test of two texts; like {@code contains} it may search the second one for the first. */
        Builder test(String name, BiPredicate<String, String> body) {
            return add(name, TEST_OF_TWO, call -> {
                call.chargeSearch(call.text(1), call.text(0));
                return GoBool.of(body.test(call.text(0), call.text(1)));
            });
        }

        /** Adds a function from a list of any element type to a {@code []interface {}}, and its variant with {@code must}. */
        Builder list(String name, FunctionCall.Body body) {
            return withMust(name, OF_LIST, body);
        }

        public FunctionRegistry build() {
            return new FunctionRegistry(functions);
        }

        /** The name with the prefix {@code must}. */
        static String must(String name) {
            return "must" + Character.toUpperCase(name.charAt(0)) + name.substring(1);
        }

        /** Code that charges its calls. */
        static GoFunction.Code charged(GoType type, FunctionCall.Body body) {
            GoType declared = type.result();
            boolean creates = declared != null && !declared.isInterface();
            return (environment, arguments) -> {
                environment.charge(1 + textLength(arguments) / CHARS_PER_STEP, 0);
                FunctionCall call = new FunctionCall(environment, arguments);
                GoValue result = body.call(call);
                if (creates && !isArgument(result, arguments)) {
                    environment.charge(0, Math.max(0, size(result) - call.chargedBytes()));
                }
                return result;
            };
        }

        private static long textLength(List<GoValue> values) {
            long chars = 0;
            for (GoValue value : values) {
                chars += value instanceof GoString text ? text.bytes().length() : 0;
            }
            return chars;
        }

        @SuppressWarnings("ReferenceEquality") // the same value is not charged again, an equal one is
        private static boolean isArgument(GoValue result, List<GoValue> arguments) {
            for (GoValue argument : arguments) {
                if (argument == result) {
                    return true;
                }
            }
            return false;
        }

        /** The memory of a result; that of texts in it only where they are its declared elements. */
        private static long size(GoValue result) {
            return switch (result) {
                case GoString text -> text.bytes().length();
                case GoSlice list ->
                    (long) list.length() * FunctionCall.SLOT_BYTES
                            + (list.type().equals(STRINGS) ? textLength(list.elements()) : 0);
                case GoMap map -> 2L * map.length() * FunctionCall.SLOT_BYTES;
                default -> 0;
            };
        }
    }
}
