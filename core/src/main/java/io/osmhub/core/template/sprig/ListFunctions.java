package io.osmhub.core.template.sprig;

import static io.osmhub.core.template.sprig.SprigArguments.integer;

import io.osmhub.core.golang.ExecutionEnvironment;
import io.osmhub.core.golang.GoCallException;
import io.osmhub.core.golang.GoType;
import io.osmhub.core.golang.GoType.GoKind;
import io.osmhub.core.golang.GoValue;
import io.osmhub.core.golang.GoValue.GoBool;
import io.osmhub.core.golang.GoValue.GoFunction;
import io.osmhub.core.golang.GoValue.GoNil;
import io.osmhub.core.golang.GoValue.GoSlice;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Lists of any element type; results are lists of {@code interface {}}, except for {@code slice}. */
final class ListFunctions {
    private static final String OF_LIST = "func(interface {}) []interface {}";
    private static final String OF_LIST_AND_ELEMENT = "func(interface {}, interface {}) []interface {}";
    private static final GoType CHUNKS = GoType.sliceOf(GoType.LIST);

    /** A list function. */
    @FunctionalInterface
    private interface ListCode {
        GoValue call(ExecutionEnvironment environment, List<GoValue> list, List<GoValue> arguments)
                throws GoCallException;
    }

    private ListFunctions() {}

    static void addTo(FunctionRegistry registry) {
        for (String name : List.of("list", "tuple")) {
            registry.add(
                    name,
                    "func(...interface {}) []interface {}",
                    (environment, arguments) -> copied(environment, arguments));
        }
        String elementOf = "func(interface {}) interface {}";
        add(
                registry,
                "first",
                elementOf,
                "find first on type",
                0,
                (environment, list, arguments) -> list.isEmpty() ? GoNil.ANY : list.getFirst());
        add(
                registry,
                "last",
                elementOf,
                "find last on type",
                0,
                (environment, list, arguments) -> list.isEmpty() ? GoNil.ANY : list.getLast());
        add(
                registry,
                "rest",
                OF_LIST,
                "find rest on type",
                0,
                (environment, list, arguments) -> list.isEmpty()
                        ? new GoSlice(GoType.LIST, null)
                        : copied(environment, list.subList(1, list.size())));
        add(
                registry,
                "initial",
                OF_LIST,
                "find initial on type",
                0,
                (environment, list, arguments) -> list.isEmpty()
                        ? new GoSlice(GoType.LIST, null)
                        : copied(environment, list.subList(0, list.size() - 1)));
        add(registry, "reverse", OF_LIST, "find reverse on type", 0, (environment, list, arguments) -> {
            GoSlice copy = copied(environment, list);
            Collections.reverse(copy.elements());
            return copy;
        });
        add(registry, "compact", OF_LIST, "compact on type", 0, ListFunctions::compact);
        add(registry, "uniq", OF_LIST, "find uniq on type", 0, ListFunctions::uniq);
        add(
                registry,
                "without",
                "func(interface {}, ...interface {}) []interface {}",
                "find without on type",
                0,
                ListFunctions::without);
        add(registry, "append", OF_LIST_AND_ELEMENT, "push on type", 0, ListFunctions::push);
        add(registry, "push", OF_LIST_AND_ELEMENT, "push on type", 0, ListFunctions::push);
        add(registry, "prepend", OF_LIST_AND_ELEMENT, "prepend on type", 0, ListFunctions::prepend);
        add(registry, "chunk", "func(int, interface {}) [][]interface {}", "chunk type", 1, ListFunctions::chunk);
        both(registry, "has", "func(interface {}, interface {}) bool", ListFunctions::has);
        both(registry, "slice", "func(interface {}, ...interface {}) interface {}", ListFunctions::slice);
        registry.add("concat", "func(...interface {}) interface {}", ListFunctions::concat);
    }

    /** Adds the function and its {@code must} variant, which has the same error messages. */
    private static void both(FunctionRegistry registry, String name, String signature, GoFunction.Code code) {
        registry.add(name, signature, code);
        registry.add("must" + Character.toUpperCase(name.charAt(0)) + name.substring(1), signature, code);
    }

    private static void add(
            FunctionRegistry registry, String name, String signature, String purpose, int position, ListCode code) {
        both(
                registry,
                name,
                signature,
                (environment, arguments) ->
                        code.call(environment, elements(arguments.get(position), "Cannot " + purpose), arguments));
    }

    private static List<GoValue> elements(GoValue value, String complaint) throws GoCallException {
        if (value instanceof GoSlice list) {
            return list.elements();
        }
        throw notAList(value, complaint + " " + value.kind().goName());
    }

    private static GoCallException notAList(GoValue value, String complaint) {
        return new GoCallException(
                value instanceof GoNil
                        ? "runtime error: invalid memory address or nil pointer dereference"
                        : complaint);
    }

    private static GoSlice copied(ExecutionEnvironment environment, List<GoValue> items) {
        SprigArguments.chargeSlots(environment, items.size());
        return GoSlice.of(new ArrayList<>(items));
    }

    private static GoValue compact(ExecutionEnvironment environment, List<GoValue> list, List<GoValue> arguments) {
        GoSlice kept = copied(environment, list);
        kept.elements().removeIf(DefaultFunctions::isEmpty);
        return kept;
    }

    private static GoValue uniq(ExecutionEnvironment environment, List<GoValue> list, List<GoValue> arguments) {
        List<GoValue> kept = new ArrayList<>();
        for (GoValue element : list) {
            if (!contains(environment, kept, element)) {
                environment.charge(1, SprigArguments.SLOT_BYTES);
                kept.add(element);
            }
        }
        return GoSlice.of(kept);
    }

    private static GoValue without(ExecutionEnvironment environment, List<GoValue> list, List<GoValue> arguments) {
        List<GoValue> unwanted = SprigArguments.rest(arguments, 1);
        List<GoValue> kept = new ArrayList<>();
        for (GoValue element : list) {
            if (!contains(environment, unwanted, element)) {
                environment.charge(1, SprigArguments.SLOT_BYTES);
                kept.add(element);
            }
        }
        return GoSlice.of(kept);
    }

    private static boolean contains(ExecutionEnvironment environment, List<GoValue> list, GoValue wanted) {
        for (GoValue element : list) {
            if (DeepEqual.isDeepEqual(environment, wanted, element)) {
                return true;
            }
        }
        return false;
    }

    private static GoValue push(ExecutionEnvironment environment, List<GoValue> list, List<GoValue> arguments) {
        SprigArguments.chargeSlots(environment, list.size() + 1);
        List<GoValue> items = new ArrayList<>(list.size() + 1);
        items.addAll(list);
        items.add(arguments.get(1));
        return GoSlice.of(items);
    }

    private static GoValue prepend(ExecutionEnvironment environment, List<GoValue> list, List<GoValue> arguments) {
        SprigArguments.chargeSlots(environment, list.size() + 1);
        List<GoValue> items = new ArrayList<>(list.size() + 1);
        items.add(arguments.get(1));
        items.addAll(list);
        return GoSlice.of(items);
    }

    private static GoValue chunk(ExecutionEnvironment environment, List<GoValue> list, List<GoValue> arguments)
            throws GoCallException {
        long size = integer(arguments, 0);
        // As in the original, the number of chunks is computed before the size is checked, so that some negative ones
        // pass.
        if (size < 0 && list.size() >= 2 && size <= 1 - list.size()) {
            return new GoSlice(CHUNKS, new ArrayList<>());
        }
        boolean alone = size < -1 && list.size() == 1;
        if (size <= 0 && !alone) {
            throw new GoCallException("runtime error: makeslice: len out of range");
        }
        SprigArguments.chargeSlots(environment, 2L * list.size());
        List<GoValue> chunks = new ArrayList<>();
        for (int start = 0; start < list.size(); ) {
            int end = (int) Math.min(list.size(), start + Math.min(alone ? 1 : size, list.size()));
            chunks.add(GoSlice.of(new ArrayList<>(list.subList(start, end))));
            start = end;
        }
        return new GoSlice(CHUNKS, chunks);
    }

    private static GoValue has(ExecutionEnvironment environment, List<GoValue> arguments) throws GoCallException {
        GoValue haystack = arguments.get(1);
        return GoBool.of(!(haystack instanceof GoNil)
                && contains(environment, elements(haystack, "Cannot find has on type"), arguments.getFirst()));
    }

    private static GoValue slice(ExecutionEnvironment environment, List<GoValue> arguments) throws GoCallException {
        if (!(arguments.getFirst() instanceof GoSlice list)) {
            GoValue value = arguments.getFirst();
            throw notAList(
                    value,
                    "list should be type of slice or array but " + value.kind().goName());
        }
        if (list.length() == 0) {
            return GoNil.ANY;
        }
        long start = arguments.size() > 1 ? NumberCasts.toInt(arguments.get(1)) : 0;
        long end = arguments.size() > 2 ? NumberCasts.toInt(arguments.get(2)) : list.length();
        if (start < 0 || end < start || end > list.length()) {
            throw new GoCallException("reflect.Value.Slice: slice index out of bounds");
        }
        SprigArguments.chargeSlots(environment, end - start);
        return new GoSlice(list.type(), new ArrayList<>(list.elements().subList((int) start, (int) end)));
    }

    private static GoValue concat(ExecutionEnvironment environment, List<GoValue> arguments) throws GoCallException {
        List<GoValue> all = null;
        for (GoValue argument : arguments) {
            if (!(argument instanceof GoSlice list)
                    || argument.kind() != GoKind.SLICE && argument.kind() != GoKind.ARRAY) {
                throw notAList(argument, "Cannot concat type " + argument.kind().goName() + " as list");
            }
            SprigArguments.chargeSlots(environment, list.length());
            all = all == null && list.length() > 0 ? new ArrayList<>() : all;
            if (all != null) {
                all.addAll(list.elements());
            }
        }
        return new GoSlice(GoType.LIST, all);
    }
}
