package io.osmhub.core.template.sprig;

import static io.osmhub.core.template.sprig.SprigArguments.bool;
import static io.osmhub.core.template.sprig.SprigArguments.bytes;

import io.osmhub.core.golang.GoBool;
import io.osmhub.core.golang.GoCallException;
import io.osmhub.core.golang.GoComplex;
import io.osmhub.core.golang.GoFloat;
import io.osmhub.core.golang.GoFunction;
import io.osmhub.core.golang.GoInt;
import io.osmhub.core.golang.GoMap;
import io.osmhub.core.golang.GoNil;
import io.osmhub.core.golang.GoNoValue;
import io.osmhub.core.golang.GoOpaque;
import io.osmhub.core.golang.GoPointer;
import io.osmhub.core.golang.GoSlice;
import io.osmhub.core.golang.GoString;
import io.osmhub.core.golang.GoStruct;
import io.osmhub.core.golang.GoValue;
import java.util.List;

/** Choices by emptiness, and failing. */
final class DefaultFunctions {
    private DefaultFunctions() {}

    static void addTo(FunctionRegistry registry) {
        registry.add(
                "default",
                "func(interface {}, ...interface {}) interface {}",
                (environment, arguments) ->
                        arguments.size() < 2 || isEmpty(arguments.get(1)) ? arguments.getFirst() : arguments.get(1));
        registry.add(
                "empty",
                "func(interface {}) bool",
                (environment, arguments) -> GoBool.of(isEmpty(arguments.getFirst())));
        registry.add("coalesce", "func(...interface {}) interface {}", (environment, arguments) -> {
            environment.charge(arguments.size(), 0);
            return arguments.stream()
                    .filter(value -> !isEmpty(value))
                    .findFirst()
                    .orElse(GoNil.ANY);
        });
        registry.add("all", "func(...interface {}) bool", (environment, arguments) -> {
            environment.charge(arguments.size(), 0);
            return GoBool.of(arguments.stream().noneMatch(DefaultFunctions::isEmpty));
        });
        registry.add("any", "func(...interface {}) bool", (environment, arguments) -> {
            environment.charge(arguments.size(), 0);
            return GoBool.of(!arguments.stream().allMatch(DefaultFunctions::isEmpty));
        });
        registry.add(
                "ternary",
                "func(interface {}, interface {}, bool) interface {}",
                (environment, arguments) -> arguments.get(bool(arguments, 2) ? 0 : 1));
        registry.add("fail", "func(string) (string, error)", (environment, arguments) -> {
            throw new GoCallException(bytes(arguments, 0));
        });
        for (String name : List.of("deepCopy", "mustDeepCopy")) {
            registry.add(
                    name,
                    "func(interface {}) interface {}",
                    (environment, arguments) -> DeepCopy.copy(environment, arguments.getFirst()));
        }
    }

    /** Zero, nil, or without elements. A pointer is empty only if nil; a struct is never empty. */
    static boolean isEmpty(GoValue value) {
        return switch (value) {
            case GoNil nil -> true;
            case GoNoValue absent -> true;
            case GoBool bool -> !bool.value();
            case GoInt number -> number.value() == 0;
            case GoFloat number -> number.value() == 0;
            case GoComplex number -> number.real() == 0 && number.imaginary() == 0;
            case GoString text -> text.bytes().isEmpty();
            case GoSlice list -> list.length() == 0;
            case GoMap map -> map.length() == 0;
            case GoPointer pointer -> pointer.isNil();
            case GoFunction function -> function.code() == null;
            case GoStruct struct -> false;
            case GoOpaque struct -> false;
        };
    }
}
