package io.osmhub.core.template.functions;

import static io.osmhub.core.template.functions.SprigArguments.bool;
import static io.osmhub.core.template.functions.SprigArguments.bytes;

import io.osmhub.core.emit.NestingTracker;
import io.osmhub.core.golang.ExecutionEnvironment;
import io.osmhub.core.golang.GoCallException;
import io.osmhub.core.golang.GoValue;
import io.osmhub.core.golang.GoValue.GoBool;
import io.osmhub.core.golang.GoValue.GoComplex;
import io.osmhub.core.golang.GoValue.GoFloat;
import io.osmhub.core.golang.GoValue.GoFunction;
import io.osmhub.core.golang.GoValue.GoInt;
import io.osmhub.core.golang.GoValue.GoMap;
import io.osmhub.core.golang.GoValue.GoNil;
import io.osmhub.core.golang.GoValue.GoNoValue;
import io.osmhub.core.golang.GoValue.GoOpaque;
import io.osmhub.core.golang.GoValue.GoPointer;
import io.osmhub.core.golang.GoValue.GoSlice;
import io.osmhub.core.golang.GoValue.GoString;
import io.osmhub.core.golang.GoValue.GoStruct;
import io.osmhub.core.golang.wellknown.WellKnownTypes;
import io.osmhub.core.template.functions.ListFunctions.DeepEqual;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Choices by emptiness, failing, and the Go types of values. */
final class DefaultFunctions {
    private DefaultFunctions() {}

    static void addTo(FunctionRegistry.Builder registry) {
        registry.addCode(
                "default",
                "func(interface {}, ...interface {}) interface {}",
                (environment, arguments) ->
                        arguments.size() < 2 || isEmpty(arguments.get(1)) ? arguments.getFirst() : arguments.get(1));
        registry.addCode(
                "empty",
                "func(interface {}) bool",
                (environment, arguments) -> GoBool.of(isEmpty(arguments.getFirst())));
        registry.addCode("coalesce", "func(...interface {}) interface {}", (environment, arguments) -> {
            environment.charge(arguments.size(), 0);
            return arguments.stream()
                    .filter(value -> !isEmpty(value))
                    .findFirst()
                    .orElse(GoNil.ANY);
        });
        registry.addCode("all", "func(...interface {}) bool", (environment, arguments) -> {
            environment.charge(arguments.size(), 0);
            return GoBool.of(arguments.stream().noneMatch(DefaultFunctions::isEmpty));
        });
        registry.addCode("any", "func(...interface {}) bool", (environment, arguments) -> {
            environment.charge(arguments.size(), 0);
            return GoBool.of(!arguments.stream().allMatch(DefaultFunctions::isEmpty));
        });
        registry.addCode(
                "ternary",
                "func(interface {}, interface {}, bool) interface {}",
                (environment, arguments) -> arguments.get(bool(arguments, 2) ? 0 : 1));
        registry.addCode("fail", "func(string) (string, error)", (environment, arguments) -> {
            throw new GoCallException(bytes(arguments, 0));
        });
        for (String name : List.of("deepCopy", "mustDeepCopy")) {
            registry.addCode(
                    name,
                    "func(interface {}) interface {}",
                    (environment, arguments) -> DeepCopy.copy(environment, arguments.getFirst()));
        }
        registry.addCode(
                "typeOf",
                "func(interface {}) string",
                (environment, arguments) -> GoString.of(typeOf(arguments.getFirst())));
        registry.addCode(
                "typeIs",
                "func(string, interface {}) bool",
                (environment, arguments) -> GoBool.of(bytes(arguments, 0).equals(typeOf(arguments.get(1)))));
        registry.addCode("typeIsLike", "func(string, interface {}) bool", (environment, arguments) -> {
            String type = typeOf(arguments.get(1));
            return GoBool.of(bytes(arguments, 0).equals(type) || ("*" + bytes(arguments, 0)).equals(type));
        });
        registry.addCode(
                "kindOf",
                "func(interface {}) string",
                (environment, arguments) -> GoString.of(kindOf(arguments.getFirst())));
        registry.addCode(
                "kindIs",
                "func(string, interface {}) bool",
                (environment, arguments) -> GoBool.of(bytes(arguments, 0).equals(kindOf(arguments.get(1)))));
        registry.addCode(
                "deepEqual",
                "func(interface {}, interface {}) bool",
                (environment, arguments) ->
                        GoBool.of(DeepEqual.isDeepEqual(environment, arguments.get(0), arguments.get(1))));
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

    /** Deep copies of values, which share no map or list. */
    private static final class DeepCopy {
        /** The copy of an error: its message is in a field that a copy by reflection omits. */
        private static final GoValue NO_MESSAGE = GoStruct.of(WellKnownTypes.ERROR_STRING, List.of(GoString.EMPTY));

        private final NestingTracker nesting;

        private DeepCopy(NestingTracker nesting) {
            this.nesting = nesting;
        }

        static GoValue copy(ExecutionEnvironment environment, GoValue value) throws GoCallException {
            if (value instanceof GoNil || value instanceof GoNoValue) {
                throw new GoCallException("reflect: call of reflect.Value.Type on zero Value");
            }
            return new DeepCopy(new NestingTracker(environment)).copy(value);
        }

        private GoValue copy(GoValue value) {
            nesting.charge(SprigArguments.SLOT_BYTES);
            return switch (value) {
                case GoNil nil -> nil;
                case GoNoValue absent -> absent;
                case GoBool bool -> bool;
                case GoInt number -> number;
                case GoFloat number -> number;
                case GoComplex number -> number;
                case GoString text -> text;
                case GoFunction function -> function;
                case GoOpaque opaque -> SemverFunctions.withoutHiddenFields(opaque);
                case GoSlice list -> list.items() == null ? list : new GoSlice(list.type(), items(list.items()));
                case GoMap map -> map.entries() == null ? map : new GoMap(map.type(), entries(map.entries()));
                case GoPointer pointer -> pointer.target() == null ? pointer : target(pointer, pointer.target());
                case GoStruct error when error.type().equals(WellKnownTypes.ERROR_STRING) -> NO_MESSAGE;
                case GoStruct struct -> fields(struct);
            };
        }

        private List<GoValue> items(List<GoValue> items) {
            enter(items);
            List<GoValue> copies = new ArrayList<>(items.size());
            for (GoValue item : items) {
                copies.add(copy(item));
            }
            nesting.leave();
            return copies;
        }

        private Map<GoValue, GoValue> entries(Map<GoValue, GoValue> entries) {
            enter(entries);
            Map<GoValue, GoValue> copies = HashMap.newHashMap(entries.size());
            for (Map.Entry<GoValue, GoValue> entry : entries.entrySet()) {
                copies.put(entry.getKey(), copy(entry.getValue()));
            }
            nesting.leave();
            return copies;
        }

        private GoValue target(GoPointer pointer, GoValue target) {
            enter(pointer);
            GoPointer copy = new GoPointer(pointer.type(), copy(target));
            nesting.leave();
            return copy;
        }

        private GoValue fields(GoStruct struct) {
            enter(struct);
            List<GoValue> copies = new ArrayList<>();
            for (int i = 0; i < struct.type().fields().size(); i++) {
                copies.add(copy(struct.field(i)));
            }
            nesting.leave();
            return GoStruct.of(struct.type(), copies);
        }

        private void enter(Object container) {
            if (!nesting.enter(container)) {
                throw nesting.newLimitException();
            }
        }
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
