package io.osmhub.core.template.sprig;

import static io.osmhub.core.template.sprig.Arguments.bool;
import static io.osmhub.core.template.sprig.Arguments.bytes;

import io.osmhub.core.golang.Absent;
import io.osmhub.core.golang.Bool;
import io.osmhub.core.golang.CallFailure;
import io.osmhub.core.golang.Complex;
import io.osmhub.core.golang.Flt;
import io.osmhub.core.golang.Func;
import io.osmhub.core.golang.Int;
import io.osmhub.core.golang.MapValue;
import io.osmhub.core.golang.Nil;
import io.osmhub.core.golang.Opaque;
import io.osmhub.core.golang.Pointer;
import io.osmhub.core.golang.Slice;
import io.osmhub.core.golang.Str;
import io.osmhub.core.golang.Struct;
import io.osmhub.core.golang.Value;
import java.util.List;

/** Choosing between values by whether they are empty, and giving up. */
final class Defaults {
    private Defaults() {}

    static void addTo(Registry registry) {
        registry.add(
                "default",
                "func(interface {}, ...interface {}) interface {}",
                (environment, arguments) ->
                        arguments.size() < 2 || isEmpty(arguments.get(1)) ? arguments.getFirst() : arguments.get(1));
        registry.add(
                "empty", "func(interface {}) bool", (environment, arguments) -> Bool.of(isEmpty(arguments.getFirst())));
        registry.add("coalesce", "func(...interface {}) interface {}", (environment, arguments) -> {
            environment.charge(arguments.size(), 0);
            return arguments.stream()
                    .filter(value -> !isEmpty(value))
                    .findFirst()
                    .orElse(Nil.ANY);
        });
        registry.add("all", "func(...interface {}) bool", (environment, arguments) -> {
            environment.charge(arguments.size(), 0);
            return Bool.of(arguments.stream().noneMatch(Defaults::isEmpty));
        });
        registry.add("any", "func(...interface {}) bool", (environment, arguments) -> {
            environment.charge(arguments.size(), 0);
            return Bool.of(!arguments.stream().allMatch(Defaults::isEmpty));
        });
        registry.add(
                "ternary",
                "func(interface {}, interface {}, bool) interface {}",
                (environment, arguments) -> arguments.get(bool(arguments, 2) ? 0 : 1));
        registry.add("fail", "func(string) (string, error)", (environment, arguments) -> {
            throw new CallFailure(bytes(arguments, 0));
        });
        for (String name : List.of("deepCopy", "mustDeepCopy")) {
            registry.add(
                    name,
                    "func(interface {}) interface {}",
                    (environment, arguments) -> DeepCopy.of(environment, arguments.getFirst()));
        }
    }

    /** Zero, nothing, or without elements. A pointer counts by itself and not by what it points to; a struct is never empty. */
    static boolean isEmpty(Value value) {
        return switch (value) {
            case Nil nil -> true;
            case Absent absent -> true;
            case Bool bool -> !bool.value();
            case Int number -> number.value() == 0;
            case Flt number -> number.value() == 0;
            case Complex number -> number.real() == 0 && number.imaginary() == 0;
            case Str text -> text.bytes().isEmpty();
            case Slice list -> list.length() == 0;
            case MapValue map -> map.length() == 0;
            case Pointer pointer -> pointer.isNil();
            case Func function -> function.code() == null;
            case Struct struct -> false;
            case Opaque struct -> false;
        };
    }
}
