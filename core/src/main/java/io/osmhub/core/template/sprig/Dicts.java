package io.osmhub.core.template.sprig;

import static io.osmhub.core.template.sprig.Arguments.bytes;
import static io.osmhub.core.template.sprig.Arguments.map;

import io.osmhub.core.golang.Bool;
import io.osmhub.core.golang.CallFailure;
import io.osmhub.core.golang.Environment;
import io.osmhub.core.golang.MapValue;
import io.osmhub.core.golang.Nil;
import io.osmhub.core.golang.Slice;
import io.osmhub.core.golang.Str;
import io.osmhub.core.golang.Type;
import io.osmhub.core.golang.Value;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Maps with string keys. Where the original lists keys or values in random order, here they come in the order of the keys,
 * so that the same profile always renders the same.
 */
final class Dicts {
    private static final Comparator<Value> BY_BYTES = Comparator.comparing(key -> ((Str) key).bytes());

    private Dicts() {}

    static void addTo(Registry registry) {
        registry.add("dict", "func(...interface {}) map[string]interface {}", Dicts::dict);
        registry.add(
                "get",
                "func(map[string]interface {}, string) interface {}",
                (environment, arguments) -> map(arguments, 0).elements().getOrDefault(key(arguments, 1), Str.EMPTY));
        registry.add("set", "func(map[string]interface {}, string, interface {}) map[string]interface {}", Dicts::set);
        registry.add(
                "unset", "func(map[string]interface {}, string) map[string]interface {}", (environment, arguments) -> {
                    MapValue map = map(arguments, 0);
                    if (map.entries() != null) {
                        map.entries().remove(key(arguments, 1));
                    }
                    return map;
                });
        registry.add(
                "hasKey",
                "func(map[string]interface {}, string) bool",
                (environment, arguments) -> Bool.of(map(arguments, 0).elements().containsKey(key(arguments, 1))));
        registry.add("pluck", "func(string, ...map[string]interface {}) []interface {}", Dicts::pluck);
        registry.add("keys", "func(...map[string]interface {}) []string", Dicts::keys);
        registry.add("values", "func(map[string]interface {}) []interface {}", Dicts::values);
        registry.add("pick", "func(map[string]interface {}, ...string) map[string]interface {}", Dicts::pick);
        registry.add("omit", "func(map[string]interface {}, ...string) map[string]interface {}", Dicts::omit);
        registry.add("dig", "func(...interface {}) (interface {}, error)", Dicts::dig);
    }

    private static Str key(List<Value> arguments, int index) {
        return Str.ofBytes(bytes(arguments, index));
    }

    private static Value dict(Environment environment, List<Value> arguments) {
        Arguments.chargeSlots(environment, arguments.size());
        Map<Value, Value> entries = HashMap.newHashMap((arguments.size() + 1) / 2);
        for (int i = 0; i < arguments.size(); i += 2) {
            Str key = Str.ofBytes(Texts.of(environment, arguments.get(i)));
            entries.put(key, i + 1 < arguments.size() ? arguments.get(i + 1) : Str.EMPTY);
        }
        return MapValue.of(entries);
    }

    private static Value set(Environment environment, List<Value> arguments) throws CallFailure {
        MapValue map = map(arguments, 0);
        if (map.entries() == null) {
            throw new CallFailure("assignment to entry in nil map");
        }
        environment.charge(1, 2 * Arguments.SLOT_BYTES);
        map.entries().put(key(arguments, 1), arguments.get(2));
        return map;
    }

    private static Value pluck(Environment environment, List<Value> arguments) {
        Arguments.chargeSlots(environment, arguments.size());
        Str key = key(arguments, 0);
        List<Value> found = new ArrayList<>();
        for (Value map : Arguments.rest(arguments, 1)) {
            Value value = ((MapValue) map).elements().get(key);
            if (value != null) {
                found.add(value);
            }
        }
        return Slice.of(found);
    }

    private static Value keys(Environment environment, List<Value> arguments) {
        List<Value> keys = new ArrayList<>();
        for (Value map : arguments) {
            keys.addAll(sortedKeys(environment, (MapValue) map));
        }
        return new Slice(Type.STRINGS, keys);
    }

    private static Value values(Environment environment, List<Value> arguments) {
        MapValue map = map(arguments, 0);
        List<Value> values = sortedKeys(environment, map);
        values.replaceAll(key -> map.elements().getOrDefault(key, Nil.ANY));
        return Slice.of(values);
    }

    private static List<Value> sortedKeys(Environment environment, MapValue map) {
        Arguments.chargeSlots(environment, 2L * map.length());
        List<Value> keys = new ArrayList<>(map.elements().keySet());
        keys.sort(BY_BYTES);
        return keys;
    }

    private static Value pick(Environment environment, List<Value> arguments) {
        Arguments.chargeSlots(environment, 2L * arguments.size());
        Map<Value, Value> all = map(arguments, 0).elements();
        Map<Value, Value> picked = new HashMap<>();
        for (Value key : Arguments.rest(arguments, 1)) {
            Value value = all.get(key);
            if (value != null) {
                picked.put(key, value);
            }
        }
        return MapValue.of(picked);
    }

    private static Value omit(Environment environment, List<Value> arguments) {
        MapValue map = map(arguments, 0);
        Arguments.chargeSlots(environment, 2L * map.length() + arguments.size());
        Map<Value, Value> kept = new HashMap<>(map.elements());
        Arguments.rest(arguments, 1).forEach(kept::remove);
        return MapValue.of(kept);
    }

    /** Follows keys through nested maps; the argument before the map is the answer when one of the keys is not there. */
    private static Value dig(Environment environment, List<Value> arguments) throws CallFailure {
        if (arguments.size() < 3) {
            throw new CallFailure("dig needs at least three arguments");
        }
        environment.charge(arguments.size(), 0);
        MapValue map = asDict(arguments.getLast());
        List<Value> keys = arguments.subList(0, arguments.size() - 2);
        for (Value key : keys) {
            if (!key.type().equals(Type.STRING)) {
                throw wrongType(key, "string");
            }
        }
        for (int i = 0; ; i++) {
            Value value = map.elements().get(keys.get(i));
            if (value == null) {
                return arguments.get(arguments.size() - 2);
            }
            if (i == keys.size() - 1) {
                return value;
            }
            map = asDict(value);
        }
    }

    private static MapValue asDict(Value value) throws CallFailure {
        if (value instanceof MapValue map && map.type().equals(Type.DICT)) {
            return map;
        }
        throw wrongType(value, Type.DICT.toString());
    }

    private static CallFailure wrongType(Value value, String wanted) {
        String actual = value instanceof Nil ? "nil" : value.type().toString();
        return new CallFailure("interface conversion: interface {} is " + actual + ", not " + wanted);
    }
}
