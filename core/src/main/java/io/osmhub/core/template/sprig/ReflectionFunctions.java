package io.osmhub.core.template.sprig;

import static io.osmhub.core.template.sprig.SprigArguments.bytes;

import io.osmhub.core.golang.GoValue;
import io.osmhub.core.golang.GoValue.GoBool;
import io.osmhub.core.golang.GoValue.GoNil;
import io.osmhub.core.golang.GoValue.GoNoValue;
import io.osmhub.core.golang.GoValue.GoString;

/** Go's type of a value. */
final class ReflectionFunctions {
    private ReflectionFunctions() {}

    static void addTo(FunctionRegistry registry) {
        registry.add(
                "typeOf",
                "func(interface {}) string",
                (environment, arguments) -> GoString.of(typeOf(arguments.getFirst())));
        registry.add(
                "typeIs",
                "func(string, interface {}) bool",
                (environment, arguments) -> GoBool.of(bytes(arguments, 0).equals(typeOf(arguments.get(1)))));
        registry.add("typeIsLike", "func(string, interface {}) bool", (environment, arguments) -> {
            String type = typeOf(arguments.get(1));
            return GoBool.of(bytes(arguments, 0).equals(type) || ("*" + bytes(arguments, 0)).equals(type));
        });
        registry.add(
                "kindOf",
                "func(interface {}) string",
                (environment, arguments) -> GoString.of(kindOf(arguments.getFirst())));
        registry.add(
                "kindIs",
                "func(string, interface {}) bool",
                (environment, arguments) -> GoBool.of(bytes(arguments, 0).equals(kindOf(arguments.get(1)))));
        registry.add(
                "deepEqual",
                "func(interface {}, interface {}) bool",
                (environment, arguments) ->
                        GoBool.of(DeepEqual.isDeepEqual(environment, arguments.get(0), arguments.get(1))));
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
