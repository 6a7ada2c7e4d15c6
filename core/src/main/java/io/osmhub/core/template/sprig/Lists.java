package io.osmhub.core.template.sprig;

import static io.osmhub.core.template.sprig.Arguments.integer;

import io.osmhub.core.golang.Bool;
import io.osmhub.core.golang.CallFailure;
import io.osmhub.core.golang.Environment;
import io.osmhub.core.golang.Func;
import io.osmhub.core.golang.Kind;
import io.osmhub.core.golang.Nil;
import io.osmhub.core.golang.Slice;
import io.osmhub.core.golang.Type;
import io.osmhub.core.golang.Value;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Lists of any element type; but for {@code slice}, what they answer are lists of {@code interface {}}. */
final class Lists {
    private static final String OF_LIST = "func(interface {}) []interface {}";
    private static final String OF_LIST_AND_ELEMENT = "func(interface {}, interface {}) []interface {}";
    private static final Type CHUNKS = Type.sliceOf(Type.LIST);

    /** What a function of that name makes of a list. */
    @FunctionalInterface
    private interface ListCode {
        Value call(Environment environment, List<Value> list, List<Value> arguments) throws CallFailure;
    }

    private Lists() {}

    static void addTo(Registry registry) {
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
                (environment, list, arguments) -> list.isEmpty() ? Nil.ANY : list.getFirst());
        add(
                registry,
                "last",
                elementOf,
                "find last on type",
                0,
                (environment, list, arguments) -> list.isEmpty() ? Nil.ANY : list.getLast());
        add(
                registry,
                "rest",
                OF_LIST,
                "find rest on type",
                0,
                (environment, list, arguments) -> list.isEmpty()
                        ? new Slice(Type.LIST, null)
                        : copied(environment, list.subList(1, list.size())));
        add(
                registry,
                "initial",
                OF_LIST,
                "find initial on type",
                0,
                (environment, list, arguments) -> list.isEmpty()
                        ? new Slice(Type.LIST, null)
                        : copied(environment, list.subList(0, list.size() - 1)));
        add(registry, "reverse", OF_LIST, "find reverse on type", 0, (environment, list, arguments) -> {
            Slice copy = copied(environment, list);
            Collections.reverse(copy.elements());
            return copy;
        });
        add(registry, "compact", OF_LIST, "compact on type", 0, Lists::compact);
        add(registry, "uniq", OF_LIST, "find uniq on type", 0, Lists::uniq);
        add(
                registry,
                "without",
                "func(interface {}, ...interface {}) []interface {}",
                "find without on type",
                0,
                Lists::without);
        add(registry, "append", OF_LIST_AND_ELEMENT, "push on type", 0, Lists::push);
        add(registry, "push", OF_LIST_AND_ELEMENT, "push on type", 0, Lists::push);
        add(registry, "prepend", OF_LIST_AND_ELEMENT, "prepend on type", 0, Lists::prepend);
        add(registry, "chunk", "func(int, interface {}) [][]interface {}", "chunk type", 1, Lists::chunk);
        both(registry, "has", "func(interface {}, interface {}) bool", Lists::has);
        both(registry, "slice", "func(interface {}, ...interface {}) interface {}", Lists::slice);
        registry.add("concat", "func(...interface {}) interface {}", Lists::concat);
    }

    /** Adds the function and its {@code must} twin, which fails in the same words. */
    private static void both(Registry registry, String name, String signature, Func.Code code) {
        registry.add(name, signature, code);
        registry.add("must" + Character.toUpperCase(name.charAt(0)) + name.substring(1), signature, code);
    }

    private static void add(
            Registry registry, String name, String signature, String purpose, int position, ListCode code) {
        both(
                registry,
                name,
                signature,
                (environment, arguments) ->
                        code.call(environment, elements(arguments.get(position), "Cannot " + purpose), arguments));
    }

    private static List<Value> elements(Value value, String complaint) throws CallFailure {
        if (value instanceof Slice list) {
            return list.elements();
        }
        throw notAList(value, complaint + " " + value.kind().goName());
    }

    private static CallFailure notAList(Value value, String complaint) {
        return new CallFailure(
                value instanceof Nil ? "runtime error: invalid memory address or nil pointer dereference" : complaint);
    }

    private static Slice copied(Environment environment, List<Value> items) {
        Arguments.chargeSlots(environment, items.size());
        return Slice.of(new ArrayList<>(items));
    }

    private static Value compact(Environment environment, List<Value> list, List<Value> arguments) {
        Slice kept = copied(environment, list);
        kept.elements().removeIf(Defaults::isEmpty);
        return kept;
    }

    private static Value uniq(Environment environment, List<Value> list, List<Value> arguments) {
        List<Value> kept = new ArrayList<>();
        for (Value element : list) {
            if (!contains(environment, kept, element)) {
                environment.charge(1, Arguments.SLOT_BYTES);
                kept.add(element);
            }
        }
        return Slice.of(kept);
    }

    private static Value without(Environment environment, List<Value> list, List<Value> arguments) {
        List<Value> unwanted = Arguments.rest(arguments, 1);
        List<Value> kept = new ArrayList<>();
        for (Value element : list) {
            if (!contains(environment, unwanted, element)) {
                environment.charge(1, Arguments.SLOT_BYTES);
                kept.add(element);
            }
        }
        return Slice.of(kept);
    }

    private static boolean contains(Environment environment, List<Value> list, Value wanted) {
        for (Value element : list) {
            if (DeepEqual.test(environment, wanted, element)) {
                return true;
            }
        }
        return false;
    }

    private static Value push(Environment environment, List<Value> list, List<Value> arguments) {
        Arguments.chargeSlots(environment, list.size() + 1);
        List<Value> items = new ArrayList<>(list.size() + 1);
        items.addAll(list);
        items.add(arguments.get(1));
        return Slice.of(items);
    }

    private static Value prepend(Environment environment, List<Value> list, List<Value> arguments) {
        Arguments.chargeSlots(environment, list.size() + 1);
        List<Value> items = new ArrayList<>(list.size() + 1);
        items.add(arguments.get(1));
        items.addAll(list);
        return Slice.of(items);
    }

    private static Value chunk(Environment environment, List<Value> list, List<Value> arguments) throws CallFailure {
        long size = integer(arguments, 0);
        // The original computes the number of chunks before it looks at the size, so that some negative ones pass.
        if (size < 0 && list.size() >= 2 && size <= 1 - list.size()) {
            return new Slice(CHUNKS, new ArrayList<>());
        }
        boolean alone = size < -1 && list.size() == 1;
        if (size <= 0 && !alone) {
            throw new CallFailure("runtime error: makeslice: len out of range");
        }
        Arguments.chargeSlots(environment, 2L * list.size());
        List<Value> chunks = new ArrayList<>();
        for (int start = 0; start < list.size(); ) {
            int end = (int) Math.min(list.size(), start + Math.min(alone ? 1 : size, list.size()));
            chunks.add(Slice.of(new ArrayList<>(list.subList(start, end))));
            start = end;
        }
        return new Slice(CHUNKS, chunks);
    }

    private static Value has(Environment environment, List<Value> arguments) throws CallFailure {
        Value haystack = arguments.get(1);
        return Bool.of(!(haystack instanceof Nil)
                && contains(environment, elements(haystack, "Cannot find has on type"), arguments.getFirst()));
    }

    private static Value slice(Environment environment, List<Value> arguments) throws CallFailure {
        if (!(arguments.getFirst() instanceof Slice list)) {
            Value value = arguments.getFirst();
            throw notAList(
                    value,
                    "list should be type of slice or array but " + value.kind().goName());
        }
        if (list.length() == 0) {
            return Nil.ANY;
        }
        long start = arguments.size() > 1 ? Casts.toInt(arguments.get(1)) : 0;
        long end = arguments.size() > 2 ? Casts.toInt(arguments.get(2)) : list.length();
        if (start < 0 || end < start || end > list.length()) {
            throw new CallFailure("reflect.Value.Slice: slice index out of bounds");
        }
        Arguments.chargeSlots(environment, end - start);
        return new Slice(list.type(), new ArrayList<>(list.elements().subList((int) start, (int) end)));
    }

    private static Value concat(Environment environment, List<Value> arguments) throws CallFailure {
        List<Value> all = null;
        for (Value argument : arguments) {
            if (!(argument instanceof Slice list) || argument.kind() != Kind.SLICE && argument.kind() != Kind.ARRAY) {
                throw notAList(argument, "Cannot concat type " + argument.kind().goName() + " as list");
            }
            Arguments.chargeSlots(environment, list.length());
            all = all == null && list.length() > 0 ? new ArrayList<>() : all;
            if (all != null) {
                all.addAll(list.elements());
            }
        }
        return new Slice(Type.LIST, all);
    }
}
