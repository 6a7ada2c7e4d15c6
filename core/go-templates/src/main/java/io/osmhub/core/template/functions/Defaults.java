package io.osmhub.core.template.functions;

import static io.osmhub.core.golang.GoType.ANY;
import static io.osmhub.core.golang.GoType.BOOL;
import static io.osmhub.core.golang.GoType.STRING;
import static io.osmhub.core.golang.GoType.function;
import static io.osmhub.core.golang.GoType.variadic;

import io.osmhub.core.golang.GoCallException;
import io.osmhub.core.golang.GoType;
import io.osmhub.core.golang.GoValue;
import io.osmhub.core.golang.GoValue.GoBool;
import io.osmhub.core.golang.GoValue.GoFloat;
import io.osmhub.core.golang.GoValue.GoFunction;
import io.osmhub.core.golang.GoValue.GoInt;
import io.osmhub.core.golang.GoValue.GoMap;
import io.osmhub.core.golang.GoValue.GoNil;
import io.osmhub.core.golang.GoValue.GoNoValue;
import io.osmhub.core.golang.GoValue.GoPointer;
import io.osmhub.core.golang.GoValue.GoSlice;
import io.osmhub.core.golang.GoValue.GoString;
import io.osmhub.core.golang.GoValue.GoStruct;

/** Choices by emptiness, failing, and the Go types of values. */
final class Defaults {
    private static final GoType TYPE_TEST = function(BOOL, STRING, ANY);
    private static final GoType TEST_OF_VALUES = variadic(BOOL, ANY);
    private static final GoType DESCRIPTION = function(STRING, ANY);

    private Defaults() {}

    static void addTo(FunctionRegistry.Builder functions) {
        functions.add(
                "default",
                variadic(ANY, ANY, ANY),
                call -> call.value(call.count() < 2 || isEmpty(call.value(1)) ? 0 : 1));
        functions.add("empty", function(BOOL, ANY), call -> GoBool.of(isEmpty(call.value(0))));
        functions.add("coalesce", variadic(ANY, ANY), call -> call.arguments().stream()
                .filter(value -> !isEmpty(value))
                .findFirst()
                .orElse(GoNil.ANY));
        functions.add(
                "all",
                TEST_OF_VALUES,
                call -> GoBool.of(call.arguments().stream().noneMatch(Defaults::isEmpty)));
        functions.add(
                "any",
                TEST_OF_VALUES,
                call -> GoBool.of(!call.arguments().stream().allMatch(Defaults::isEmpty)));
        functions.add("ternary", function(ANY, ANY, ANY, BOOL), call -> call.value(call.bool(2) ? 0 : 1));
        functions.add("fail", function(STRING, STRING), call -> {
            throw new GoCallException(call.text(0));
        });
        functions.add(
                "deepEqual",
                function(BOOL, ANY, ANY),
                call -> GoBool.of(DeepValues.areEqual(call.environment(), call.value(0), call.value(1))));
        functions.withMust("deepCopy", function(ANY, ANY), call -> {
            if (isNothing(call.value(0))) {
                throw new GoCallException("nil cannot be copied");
            }
            return DeepValues.copy(call.environment(), call.value(0));
        });

        functions.add("typeOf", DESCRIPTION, call -> GoString.of(typeOf(call.value(0))));
        functions.add("kindOf", DESCRIPTION, call -> GoString.of(kindOf(call.value(0))));
        functions.add("typeIs", TYPE_TEST, call -> GoBool.of(call.text(0).equals(typeOf(call.value(1)))));
        functions.add("kindIs", TYPE_TEST, call -> GoBool.of(call.text(0).equals(kindOf(call.value(1)))));
        functions.add("typeIsLike", TYPE_TEST, call -> {
            String type = typeOf(call.value(1));
            return GoBool.of(call.text(0).equals(type) || ("*" + call.text(0)).equals(type));
        });
    }

    /** Zero, nil, or without elements. A pointer is empty only if nil; a struct is never empty. */
    static boolean isEmpty(GoValue value) {
        return switch (value) {
            case GoNil nil -> true;
            case GoNoValue absent -> true;
            case GoBool bool -> !bool.value();
            case GoInt number -> number.value() == 0;
            case GoFloat number -> number.value() == 0;
            case GoString text -> text.bytes().isEmpty();
            case GoSlice list -> list.length() == 0;
            case GoMap map -> map.length() == 0;
            case GoPointer pointer -> pointer.isNil();
            case GoFunction function -> function.code() == null;
            case GoStruct struct -> false;
        };
    }

    private static String typeOf(GoValue value) {
        return isNothing(value) ? "<nil>" : value.type().toString();
    }

    private static String kindOf(GoValue value) {
        return isNothing(value) ? "invalid" : value.kind().goName();
    }

    private static boolean isNothing(GoValue value) {
        return value instanceof GoNil || value instanceof GoNoValue;
    }
}
