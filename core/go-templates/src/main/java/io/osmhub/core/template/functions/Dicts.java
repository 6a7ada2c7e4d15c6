package io.osmhub.core.template.functions;

import static io.osmhub.core.golang.GoType.ANY;
import static io.osmhub.core.golang.GoType.BOOL;
import static io.osmhub.core.golang.GoType.DICT;
import static io.osmhub.core.golang.GoType.LIST;
import static io.osmhub.core.golang.GoType.STRING;
import static io.osmhub.core.golang.GoType.STRINGS;
import static io.osmhub.core.golang.GoType.function;
import static io.osmhub.core.golang.GoType.variadic;

import io.osmhub.core.emit.NestingTracker;
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
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Maps with string keys. Where sprig lists keys or values in random order, they are sorted by key, so that a profile always renders
 * the same.
 */
final class Dicts {
    private static final Comparator<GoValue> BY_BYTES = Comparator.comparing(key -> ((GoString) key).bytes());
    private static final GoType OF_KEYS = variadic(DICT, DICT, STRING);
    private static final GoType MERGE = variadic(ANY, DICT, DICT);

    private Dicts() {}

    static void addTo(FunctionRegistry.Builder functions) {
        functions.add("dict", variadic(DICT, ANY), Dicts::dict);
        functions.add("get", function(ANY, DICT, STRING), call -> call.map(0)
                .elements()
                .getOrDefault(call.value(1), GoString.EMPTY));
        functions.add("set", function(DICT, DICT, STRING, ANY), Dicts::set);
        functions.add("unset", function(DICT, DICT, STRING), call -> {
            if (!call.map(0).isNil()) {
                call.map(0).elements().remove(call.value(1));
            }
            return call.value(0);
        });
        functions.add(
                "hasKey",
                function(BOOL, DICT, STRING),
                call -> GoBool.of(call.map(0).elements().containsKey(call.value(1))));
        functions.add("pluck", variadic(LIST, STRING, DICT), Dicts::pluck);
        functions.add("keys", variadic(STRINGS, DICT), Dicts::keys);
        functions.add("values", function(LIST, DICT), call -> {
            List<GoValue> values = sortedKeys(call, call.map(0));
            values.replaceAll(key -> call.map(0).elements().getOrDefault(key, GoNil.ANY));
            return GoSlice.of(values);
        });
        functions.add("pick", OF_KEYS, Dicts::pick);
        functions.add("omit", OF_KEYS, call -> {
            Map<GoValue, GoValue> kept = new HashMap<>(call.map(0).elements());
            call.rest(1).forEach(kept::remove);
            return GoMap.of(kept);
        });
        functions.add("dig", variadic(ANY, ANY), Dicts::dig);
        functions.withMust("merge", MERGE, call -> new Merger(call, false).merge());
        functions.withMust("mergeOverwrite", MERGE, call -> new Merger(call, true).merge());
    }

    static GoValue dict(FunctionCall call) {
        Map<GoValue, GoValue> entries = HashMap.newHashMap((call.count() + 1) / 2);
        for (int i = 0; i < call.count(); i += 2) {
            GoString key = GoString.ofBytes(call.toText(call.value(i)));
            entries.put(key, i + 1 < call.count() ? call.value(i + 1) : GoString.EMPTY);
        }
        return GoMap.of(entries);
    }

    private static GoValue set(FunctionCall call) throws GoCallException {
        if (call.map(0).isNil()) {
            throw new GoCallException("assignment to entry in nil map");
        }
        call.chargeSlots(2);
        call.map(0).elements().put(call.value(1), call.value(2));
        return call.value(0);
    }

    private static GoValue pluck(FunctionCall call) {
        List<GoValue> found = new ArrayList<>();
        for (GoValue map : call.rest(1)) {
            GoValue value = ((GoMap) map).elements().get(call.value(0));
            if (value != null) {
                found.add(value);
            }
        }
        return GoSlice.of(found);
    }

    private static GoValue keys(FunctionCall call) {
        List<GoValue> keys = new ArrayList<>();
        for (GoValue map : call.arguments()) {
            keys.addAll(sortedKeys(call, (GoMap) map));
        }
        return new GoSlice(STRINGS, keys);
    }

    private static List<GoValue> sortedKeys(FunctionCall call, GoMap map) {
        call.charge(map.length());
        List<GoValue> keys = new ArrayList<>(map.elements().keySet());
        keys.sort(BY_BYTES);
        return keys;
    }

    private static GoValue pick(FunctionCall call) {
        Map<GoValue, GoValue> picked = new HashMap<>();
        for (GoValue key : call.rest(1)) {
            GoValue value = call.map(0).elements().get(key);
            if (value != null) {
                picked.put(key, value);
            }
        }
        return GoMap.of(picked);
    }

    /** Follows keys through nested maps; returns the argument before the map if a key is missing. */
    private static GoValue dig(FunctionCall call) throws GoCallException {
        int keys = call.count() - 2;
        if (keys < 1) {
            throw new GoCallException("dig needs at least three arguments");
        }
        for (int i = 0; i < keys; i++) {
            if (!call.value(i).type().equals(STRING)) {
                throw new GoCallException(
                        "expected a text as key, got " + call.value(i).type());
            }
        }
        GoValue found = call.value(keys + 1);
        for (int i = 0; i < keys; i++) {
            if (!(found instanceof GoMap map) || !map.type().equals(DICT)) {
                throw new GoCallException("expected a map, got " + found.type());
            }
            found = map.elements().get(call.value(i));
            if (found == null) {
                return call.value(keys);
            }
        }
        return found;
    }

    /**
     * Merges maps into the first argument, which is modified: nested maps are merged as well, other values are copied where the target
     * is empty, or always with {@code overwrite}. The rules are those of the Go library mergo 1.0.
     */
    private static final class Merger {
        private final FunctionCall call;
        private final boolean overwrite;
        private final NestingTracker nesting;

        private Merger(FunctionCall call, boolean overwrite) {
            this.call = call;
            this.overwrite = overwrite;
            this.nesting = new NestingTracker(call.environment());
        }

        private GoValue merge() throws GoCallException {
            GoMap into = call.map(0);
            for (GoValue from : call.rest(1)) {
                into = into.isNil() && !((GoMap) from).isNil() ? GoMap.of(new HashMap<>()) : into;
                merge(into, (GoMap) from);
            }
            return into;
        }

        private void merge(GoMap into, GoMap from) throws GoCallException {
            if (into.isNil() || from.length() == 0) {
                return;
            }
            nesting.enter(into.elements());
            call.chargeSlots(2L * from.length());
            requireAssignable(into.type().key(), from.type().key());
            // A copy, because both maps may be the same one or share inner maps.
            for (Map.Entry<GoValue, GoValue> entry : List.copyOf(from.elements().entrySet())) {
                GoValue present = into.elements().get(entry.getKey());
                if (replaces(present, entry.getValue())) {
                    requireAssignable(into.type().elem(), from.type().elem());
                    into.elements().put(entry.getKey(), entry.getValue());
                }
            }
            nesting.leave();
        }

        /** Merges maps into each other; of other values, whether the wanted one replaces the present one. */
        private boolean replaces(@Nullable GoValue present, GoValue wanted) throws GoCallException {
            if (wanted instanceof GoNil) {
                return overwrite;
            }
            if (present == null || present instanceof GoNil) {
                return true;
            }
            if (present instanceof GoMap into && wanted instanceof GoMap from) {
                merge(into, from);
                return into.length() == 0;
            }
            if (hasFields(present) || hasFields(wanted)) {
                throw GoCallException.unsupported("merge of structs and pointers", "only maps can be merged");
            }
            return overwrite || Defaults.isEmpty(present);
        }

        private static boolean hasFields(GoValue value) {
            return value instanceof GoPointer || value.kind() == GoKind.STRUCT;
        }

        private static void requireAssignable(GoType to, GoType from) throws GoCallException {
            if (!to.isInterface() && !to.equals(from)) {
                throw new GoCallException("a value of type " + from + " cannot be put into a map of " + to);
            }
        }
    }
}
