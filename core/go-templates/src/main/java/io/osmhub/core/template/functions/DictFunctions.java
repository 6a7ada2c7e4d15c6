package io.osmhub.core.template.functions;

import static io.osmhub.core.template.functions.SprigArguments.bytes;
import static io.osmhub.core.template.functions.SprigArguments.map;

import io.osmhub.core.emit.NestingTracker;
import io.osmhub.core.golang.ExecutionEnvironment;
import io.osmhub.core.golang.GoCallException;
import io.osmhub.core.golang.GoType;
import io.osmhub.core.golang.GoType.GoKind;
import io.osmhub.core.golang.GoValue;
import io.osmhub.core.golang.GoValue.GoBool;
import io.osmhub.core.golang.GoValue.GoMap;
import io.osmhub.core.golang.GoValue.GoNil;
import io.osmhub.core.golang.GoValue.GoPointer;
import io.osmhub.core.golang.GoValue.GoSlice;
import io.osmhub.core.golang.GoValue.GoString;
import io.osmhub.core.golang.GoValue.GoStruct;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Maps with string keys. Where the original lists keys or values in random order, they are sorted by key, so that a profile always
 * renders the same.
 */
final class DictFunctions {
    private static final Comparator<GoValue> BY_BYTES = Comparator.comparing(key -> ((GoString) key).bytes());

    private DictFunctions() {}

    static void addTo(FunctionRegistry.Builder registry) {
        registry.addCode("dict", "func(...interface {}) map[string]interface {}", DictFunctions::dict);
        registry.addCode("get", "func(map[string]interface {}, string) interface {}", (environment, arguments) -> map(
                        arguments, 0)
                .elements()
                .getOrDefault(key(arguments, 1), GoString.EMPTY));
        registry.addCode(
                "set",
                "func(map[string]interface {}, string, interface {}) map[string]interface {}",
                DictFunctions::set);
        registry.addCode(
                "unset", "func(map[string]interface {}, string) map[string]interface {}", (environment, arguments) -> {
                    GoMap map = map(arguments, 0);
                    if (map.entries() != null) {
                        map.entries().remove(key(arguments, 1));
                    }
                    return map;
                });
        registry.addCode(
                "hasKey",
                "func(map[string]interface {}, string) bool",
                (environment, arguments) ->
                        GoBool.of(map(arguments, 0).elements().containsKey(key(arguments, 1))));
        registry.addCode("pluck", "func(string, ...map[string]interface {}) []interface {}", DictFunctions::pluck);
        registry.addCode("keys", "func(...map[string]interface {}) []string", DictFunctions::keys);
        registry.addCode("values", "func(map[string]interface {}) []interface {}", DictFunctions::values);
        registry.addCode(
                "pick", "func(map[string]interface {}, ...string) map[string]interface {}", DictFunctions::pick);
        registry.addCode(
                "omit", "func(map[string]interface {}, ...string) map[string]interface {}", DictFunctions::omit);
        registry.addCode("dig", "func(...interface {}) (interface {}, error)", DictFunctions::dig);
        MergeFunctions.addTo(registry);
    }

    private static GoString key(List<GoValue> arguments, int index) {
        return GoString.ofBytes(bytes(arguments, index));
    }

    private static GoValue dict(ExecutionEnvironment environment, List<GoValue> arguments) {
        SprigArguments.chargeSlots(environment, arguments.size());
        Map<GoValue, GoValue> entries = HashMap.newHashMap((arguments.size() + 1) / 2);
        for (int i = 0; i < arguments.size(); i += 2) {
            GoString key = GoString.ofBytes(TextConversion.toText(environment, arguments.get(i)));
            entries.put(key, i + 1 < arguments.size() ? arguments.get(i + 1) : GoString.EMPTY);
        }
        return GoMap.of(entries);
    }

    private static GoValue set(ExecutionEnvironment environment, List<GoValue> arguments) throws GoCallException {
        GoMap map = map(arguments, 0);
        if (map.entries() == null) {
            throw new GoCallException("assignment to entry in nil map");
        }
        environment.charge(1, 2 * SprigArguments.SLOT_BYTES);
        map.entries().put(key(arguments, 1), arguments.get(2));
        return map;
    }

    private static GoValue pluck(ExecutionEnvironment environment, List<GoValue> arguments) {
        SprigArguments.chargeSlots(environment, arguments.size());
        GoString key = key(arguments, 0);
        List<GoValue> found = new ArrayList<>();
        for (GoValue map : SprigArguments.rest(arguments, 1)) {
            GoValue value = ((GoMap) map).elements().get(key);
            if (value != null) {
                found.add(value);
            }
        }
        return GoSlice.of(found);
    }

    private static GoValue keys(ExecutionEnvironment environment, List<GoValue> arguments) {
        List<GoValue> keys = new ArrayList<>();
        for (GoValue map : arguments) {
            keys.addAll(sortedKeys(environment, (GoMap) map));
        }
        return new GoSlice(GoType.STRINGS, keys);
    }

    private static GoValue values(ExecutionEnvironment environment, List<GoValue> arguments) {
        GoMap map = map(arguments, 0);
        List<GoValue> values = sortedKeys(environment, map);
        values.replaceAll(key -> map.elements().getOrDefault(key, GoNil.ANY));
        return GoSlice.of(values);
    }

    private static List<GoValue> sortedKeys(ExecutionEnvironment environment, GoMap map) {
        SprigArguments.chargeSlots(environment, 2L * map.length());
        List<GoValue> keys = new ArrayList<>(map.elements().keySet());
        keys.sort(BY_BYTES);
        return keys;
    }

    private static GoValue pick(ExecutionEnvironment environment, List<GoValue> arguments) {
        SprigArguments.chargeSlots(environment, 2L * arguments.size());
        Map<GoValue, GoValue> all = map(arguments, 0).elements();
        Map<GoValue, GoValue> picked = new HashMap<>();
        for (GoValue key : SprigArguments.rest(arguments, 1)) {
            GoValue value = all.get(key);
            if (value != null) {
                picked.put(key, value);
            }
        }
        return GoMap.of(picked);
    }

    private static GoValue omit(ExecutionEnvironment environment, List<GoValue> arguments) {
        GoMap map = map(arguments, 0);
        SprigArguments.chargeSlots(environment, 2L * map.length() + arguments.size());
        Map<GoValue, GoValue> kept = new HashMap<>(map.elements());
        SprigArguments.rest(arguments, 1).forEach(kept::remove);
        return GoMap.of(kept);
    }

    /** Follows keys through nested maps; returns the argument before the map if a key is missing. */
    private static GoValue dig(ExecutionEnvironment environment, List<GoValue> arguments) throws GoCallException {
        if (arguments.size() < 3) {
            throw new GoCallException("dig needs at least three arguments");
        }
        environment.charge(arguments.size(), 0);
        GoMap map = asDict(arguments.getLast());
        List<GoValue> keys = arguments.subList(0, arguments.size() - 2);
        for (GoValue key : keys) {
            if (!key.type().equals(GoType.STRING)) {
                throw wrongType(key, "string");
            }
        }
        for (int i = 0; ; i++) {
            GoValue value = map.elements().get(keys.get(i));
            if (value == null) {
                return arguments.get(arguments.size() - 2);
            }
            if (i == keys.size() - 1) {
                return value;
            }
            map = asDict(value);
        }
    }

    private static GoMap asDict(GoValue value) throws GoCallException {
        if (value instanceof GoMap map && map.type().equals(GoType.DICT)) {
            return map;
        }
        throw wrongType(value, GoType.DICT.toString());
    }

    private static GoCallException wrongType(GoValue value, String wanted) {
        String actual = value instanceof GoNil ? "nil" : value.type().toString();
        return new GoCallException("interface conversion: interface {} is " + actual + ", not " + wanted);
    }

    /**
     * Merges maps into the first one, which is modified: nested maps are merged recursively, other values are copied where the target
     * is empty, or always with {@code overwrite}. The rules are those of the Go library mergo 1.0.
     */
    private static final class MergeFunctions {
        private static final String SIGNATURE =
                "func(map[string]interface {}, ...map[string]interface {}) interface {}";

        /** A type conflict that is returned as an error; others end the call even where errors are ignored. */
        private static final String DIFFERENT_TYPES = "src and dst must be of same type";

        private final ExecutionEnvironment environment;
        private final boolean overwrite;
        private final NestingTracker nesting;

        private MergeFunctions(ExecutionEnvironment environment, boolean overwrite) {
            this.environment = environment;
            this.overwrite = overwrite;
            this.nesting = new NestingTracker(environment);
        }

        static void addTo(FunctionRegistry.Builder registry) {
            add(registry, "merge", false, false);
            add(registry, "mergeOverwrite", true, false);
            add(registry, "mustMerge", false, true);
            add(registry, "mustMergeOverwrite", true, true);
        }

        private static void add(FunctionRegistry.Builder registry, String name, boolean overwrite, boolean must) {
            registry.addCode(name, SIGNATURE, (environment, arguments) -> {
                GoMap into = (GoMap) arguments.getFirst();
                try {
                    for (GoValue from : SprigArguments.rest(arguments, 1)) {
                        boolean isNew = into.isNil() && !((GoMap) from).isNil();
                        into = isNew ? GoMap.of(new HashMap<>()) : into;
                        new MergeFunctions(environment, overwrite).merge(into, (GoMap) from);
                    }
                } catch (GoCallException failure) {
                    if (!must && failure.text().equals(DIFFERENT_TYPES)) {
                        return GoString.EMPTY;
                    }
                    throw failure;
                }
                return into;
            });
        }

        private void merge(GoMap into, GoMap from) throws GoCallException {
            Map<GoValue, GoValue> target = into.entries();
            if (target == null || from.length() == 0) {
                return;
            }
            if (!nesting.enter(target)) {
                throw nesting.newLimitException();
            }
            SprigArguments.chargeSlots(environment, 2L * from.length());
            checkKeys(into.type().key(), from.type().key());
            // A copy, because both maps may be the same one or share inner maps.
            for (Map.Entry<GoValue, GoValue> entry :
                    new ArrayList<>(from.elements().entrySet())) {
                mergeEntry(
                        into.type(),
                        target,
                        entry.getKey(),
                        entry.getValue(),
                        from.type().elem());
            }
            nesting.leave();
        }

        private void mergeEntry(GoType type, Map<GoValue, GoValue> target, GoValue key, GoValue wanted, GoType declared)
                throws GoCallException {
            if (wanted instanceof GoNil) {
                if (overwrite) {
                    put(type, target, key, wanted, declared);
                }
                return;
            }
            @Nullable GoValue present = target.get(key);
            if (present != null && !(present instanceof GoNil)) {
                mergeInner(present, wanted);
                if (present.kind() == GoKind.MAP && wanted.kind() == GoKind.MAP && !isEmpty(present)) {
                    return;
                }
            }
            if (overwrite || present == null || isEmpty(present)) {
                put(type, target, key, wanted, declared);
            }
        }

        private static void put(GoType type, Map<GoValue, GoValue> target, GoValue key, GoValue value, GoType declared)
                throws GoCallException {
            GoType elem = type.elem();
            if (!elem.isInterface() && !elem.equals(declared)) {
                throw new GoCallException(
                        "reflect.Value.SetMapIndex: value of type " + declared + " is not assignable to type " + elem);
            }
            target.put(key, value);
        }

        private static void checkKeys(GoType into, GoType from) throws GoCallException {
            if (!into.isInterface() && !into.equals(from)) {
                throw new GoCallException(
                        "reflect.Value.MapIndex: value of type " + from + " is not assignable to type " + into);
            }
        }

        /** Merges the contents of both; other values are left to the caller. */
        private void mergeInner(GoValue present, GoValue wanted) throws GoCallException {
            boolean hasInside =
                    switch (wanted.kind()) {
                        case MAP, POINTER, STRUCT -> true;
                        default -> false;
                    };
            if (!hasInside) {
                return;
            }
            if (present instanceof GoMap into) {
                if (into.isNil() && wanted.kind() == GoKind.STRUCT) {
                    throw new GoCallException("reflect: call of reflect.Value.IsNil on struct Value");
                }
                if (wanted instanceof GoMap from) {
                    merge(into, from);
                }
            } else if (present instanceof GoStruct && !(wanted.kind() == GoKind.STRUCT)) {
                throw new GoCallException("reflect: call of reflect.Value.Field on "
                        + wanted.kind().goName() + " Value");
            } else if (present instanceof GoPointer into && into.target() != null) {
                mergeTarget(into.target(), wanted);
            }
        }

        private void mergeTarget(GoValue target, GoValue wanted) throws GoCallException {
            if (wanted instanceof GoPointer from) {
                boolean assigned = overwrite && from.target() != null && !isEmpty(from.target());
                if (from.target() instanceof GoMap source && target instanceof GoMap into) {
                    merge(into, source);
                } else if (assigned && !target.type().equals(wanted.type().elem())) {
                    throw new GoCallException("reflect.Set: value of type "
                            + wanted.type().elem() + " is not assignable to type " + target.type());
                }
                return;
            }
            if (wanted instanceof GoMap from && from.isNil() || overwrite) {
                return;
            }
            if (!target.type().equals(wanted.type())) {
                throw new GoCallException(DIFFERENT_TYPES);
            }
            mergeInner(target, wanted);
        }

        /** As {@link DefaultFunctions#isEmpty}, but follows pointers. */
        private static boolean isEmpty(GoValue value) {
            GoValue target = value;
            for (int i = 0; target instanceof GoPointer pointer && pointer.target() != null && i < 100; i++) {
                target = pointer.target();
            }
            return DefaultFunctions.isEmpty(target);
        }
    }
}
