package io.osmhub.core.template.functions;

import static io.osmhub.core.template.functions.SprigArguments.integer;

import io.osmhub.core.emit.NestingTracker;
import io.osmhub.core.golang.ExecutionEnvironment;
import io.osmhub.core.golang.GoCallException;
import io.osmhub.core.golang.GoType;
import io.osmhub.core.golang.GoType.GoKind;
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
import io.osmhub.core.template.functions.NumberFunctions.NumberCasts;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;

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

    static void addTo(FunctionRegistry.Builder registry) {
        for (String name : List.of("list", "tuple")) {
            registry.addCode(
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
        registry.addCode("concat", "func(...interface {}) interface {}", ListFunctions::concat);
    }

    /** Adds the function and its {@code must} variant, which has the same error messages. */
    private static void both(FunctionRegistry.Builder registry, String name, String signature, GoFunction.Code code) {
        registry.addCode(name, signature, code);
        registry.addCode("must" + Character.toUpperCase(name.charAt(0)) + name.substring(1), signature, code);
    }

    private static void add(
            FunctionRegistry.Builder registry,
            String name,
            String signature,
            String purpose,
            int position,
            ListCode code) {
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

    /** Go's {@code reflect.DeepEqual}: equal types at every level, and nil differs from empty. */
    static final class DeepEqual {
        private final NestingTracker nesting;

        private DeepEqual(NestingTracker nesting) {
            this.nesting = nesting;
        }

        static boolean isDeepEqual(ExecutionEnvironment environment, GoValue left, GoValue right) {
            return new DeepEqual(new NestingTracker(environment)).equal(left, right);
        }

        private boolean equal(GoValue left, GoValue right) {
            nesting.charge(0);
            if (!left.type().equals(right.type())) {
                return false;
            }
            return switch (left) {
                case GoNil nil -> right instanceof GoNil;
                case GoNoValue absent -> right instanceof GoNoValue;
                case GoBool bool -> right instanceof GoBool other && bool.value() == other.value();
                case GoInt number -> right instanceof GoInt other && number.value() == other.value();
                case GoFloat number -> right instanceof GoFloat other && number.value() == other.value();
                case GoComplex number ->
                    right instanceof GoComplex other
                            && number.real() == other.real()
                            && number.imaginary() == other.imaginary();
                case GoString text ->
                    right instanceof GoString other && text.bytes().equals(other.bytes());
                case GoFunction function ->
                    right instanceof GoFunction other && function.code() == null && other.code() == null;
                case GoOpaque opaque ->
                    right instanceof GoOpaque other && opaque.payload().equals(other.payload());
                case GoSlice list -> right instanceof GoSlice other && sameLists(list, other);
                case GoMap map -> right instanceof GoMap other && sameMaps(map, other);
                case GoPointer pointer -> right instanceof GoPointer other && sameTargets(pointer, other);
                case GoStruct struct -> right instanceof GoStruct other && sameFields(struct, other);
            };
        }

        private boolean sameLists(GoSlice left, GoSlice right) {
            List<GoValue> others = right.items();
            if (left.items() == others) {
                return true;
            }
            if (left.items() == null || others == null || left.length() != others.size()) {
                return false;
            }
            enter(left.items());
            boolean same = true;
            for (int i = 0; same && i < others.size(); i++) {
                same = equal(left.items().get(i), others.get(i));
            }
            nesting.leave();
            return same;
        }

        private boolean sameMaps(GoMap left, GoMap right) {
            Map<GoValue, GoValue> others = right.entries();
            if (left.entries() == others) {
                return true;
            }
            if (left.entries() == null || others == null || left.length() != others.size()) {
                return false;
            }
            enter(left.entries());
            boolean same = true;
            for (Map.Entry<GoValue, GoValue> entry : left.entries().entrySet()) {
                GoValue other = others.get(entry.getKey());
                if (other == null || !equal(entry.getValue(), other)) {
                    same = false;
                    break;
                }
            }
            nesting.leave();
            return same;
        }

        private boolean sameTargets(GoPointer left, GoPointer right) {
            if (left.target() == right.target()) {
                return true;
            }
            if (left.target() == null || right.target() == null) {
                return false;
            }
            enter(left);
            boolean same = equal(left.target(), right.target());
            nesting.leave();
            return same;
        }

        private boolean sameFields(GoStruct left, GoStruct right) {
            enter(left);
            boolean same = true;
            for (int i = 0; same && i < left.type().fields().size(); i++) {
                same = equal(left.field(i), right.field(i));
            }
            nesting.leave();
            return same;
        }

        private void enter(Object container) {
            if (!nesting.enter(container)) {
                throw nesting.newLimitException();
            }
        }
    }
}
