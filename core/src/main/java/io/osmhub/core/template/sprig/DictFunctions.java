package io.osmhub.core.template.sprig;

import static io.osmhub.core.template.sprig.SprigArguments.bytes;
import static io.osmhub.core.template.sprig.SprigArguments.map;

import io.osmhub.core.golang.ExecutionEnvironment;
import io.osmhub.core.golang.GoCallException;
import io.osmhub.core.golang.GoType;
import io.osmhub.core.golang.GoValue;
import io.osmhub.core.golang.GoValue.GoBool;
import io.osmhub.core.golang.GoValue.GoMap;
import io.osmhub.core.golang.GoValue.GoNil;
import io.osmhub.core.golang.GoValue.GoSlice;
import io.osmhub.core.golang.GoValue.GoString;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Maps with string keys. Where the original lists keys or values in random order, they are sorted by key, so that a profile always
 * renders the same.
 */
final class DictFunctions {
    private static final Comparator<GoValue> BY_BYTES = Comparator.comparing(key -> ((GoString) key).bytes());

    private DictFunctions() {}

    static void addTo(FunctionRegistry registry) {
        registry.add("dict", "func(...interface {}) map[string]interface {}", DictFunctions::dict);
        registry.add("get", "func(map[string]interface {}, string) interface {}", (environment, arguments) -> map(
                        arguments, 0)
                .elements()
                .getOrDefault(key(arguments, 1), GoString.EMPTY));
        registry.add(
                "set",
                "func(map[string]interface {}, string, interface {}) map[string]interface {}",
                DictFunctions::set);
        registry.add(
                "unset", "func(map[string]interface {}, string) map[string]interface {}", (environment, arguments) -> {
                    GoMap map = map(arguments, 0);
                    if (map.entries() != null) {
                        map.entries().remove(key(arguments, 1));
                    }
                    return map;
                });
        registry.add(
                "hasKey",
                "func(map[string]interface {}, string) bool",
                (environment, arguments) ->
                        GoBool.of(map(arguments, 0).elements().containsKey(key(arguments, 1))));
        registry.add("pluck", "func(string, ...map[string]interface {}) []interface {}", DictFunctions::pluck);
        registry.add("keys", "func(...map[string]interface {}) []string", DictFunctions::keys);
        registry.add("values", "func(map[string]interface {}) []interface {}", DictFunctions::values);
        registry.add("pick", "func(map[string]interface {}, ...string) map[string]interface {}", DictFunctions::pick);
        registry.add("omit", "func(map[string]interface {}, ...string) map[string]interface {}", DictFunctions::omit);
        registry.add("dig", "func(...interface {}) (interface {}, error)", DictFunctions::dig);
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
}
