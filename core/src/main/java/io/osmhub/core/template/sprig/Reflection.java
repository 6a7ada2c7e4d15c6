package io.osmhub.core.template.sprig;

import static io.osmhub.core.template.sprig.Arguments.bytes;

import io.osmhub.core.golang.Absent;
import io.osmhub.core.golang.Bool;
import io.osmhub.core.golang.Nil;
import io.osmhub.core.golang.Str;
import io.osmhub.core.golang.Value;

/** Questions about a value's Go type. */
final class Reflection {
    private Reflection() {}

    static void addTo(Registry registry) {
        registry.add(
                "typeOf",
                "func(interface {}) string",
                (environment, arguments) -> Str.of(typeOf(arguments.getFirst())));
        registry.add(
                "typeIs",
                "func(string, interface {}) bool",
                (environment, arguments) -> Bool.of(bytes(arguments, 0).equals(typeOf(arguments.get(1)))));
        registry.add("typeIsLike", "func(string, interface {}) bool", (environment, arguments) -> {
            String type = typeOf(arguments.get(1));
            return Bool.of(bytes(arguments, 0).equals(type) || ("*" + bytes(arguments, 0)).equals(type));
        });
        registry.add(
                "kindOf",
                "func(interface {}) string",
                (environment, arguments) -> Str.of(kindOf(arguments.getFirst())));
        registry.add(
                "kindIs",
                "func(string, interface {}) bool",
                (environment, arguments) -> Bool.of(bytes(arguments, 0).equals(kindOf(arguments.get(1)))));
        registry.add(
                "deepEqual",
                "func(interface {}, interface {}) bool",
                (environment, arguments) -> Bool.of(DeepEqual.test(environment, arguments.get(0), arguments.get(1))));
    }

    private static String typeOf(Value value) {
        return isNothing(value) ? "<nil>" : value.type().toString();
    }

    private static String kindOf(Value value) {
        return isNothing(value) ? "invalid" : value.kind().goName();
    }

    private static boolean isNothing(Value value) {
        return value instanceof Nil || value instanceof Absent;
    }
}
