package io.osmhub.core.template.functions;

import static io.osmhub.core.golang.GoType.ANY;
import static io.osmhub.core.golang.GoType.BOOL;
import static io.osmhub.core.golang.GoType.INT;
import static io.osmhub.core.golang.GoType.LIST;
import static io.osmhub.core.golang.GoType.STRING;
import static io.osmhub.core.golang.GoType.function;
import static io.osmhub.core.golang.GoType.variadic;

import io.osmhub.core.golang.ExecutionEnvironment.LimitExceededException;
import io.osmhub.core.golang.GoCallException;
import io.osmhub.core.golang.GoType;
import io.osmhub.core.golang.GoValue;
import io.osmhub.core.golang.GoValue.GoBool;
import io.osmhub.core.golang.GoValue.GoInt;
import io.osmhub.core.golang.GoValue.GoNil;
import io.osmhub.core.golang.GoValue.GoSlice;
import io.osmhub.core.golang.GoValue.GoString;
import java.util.ArrayList;
import java.util.List;

/** Lists of any element type; results are lists of {@code interface {}}, except for {@code slice}. */
final class Lists {
    private static final GoType ELEMENT = function(ANY, ANY);
    private static final GoType WITH_ELEMENT = function(LIST, ANY, ANY);
    private static final GoType OF_VALUES = variadic(LIST, ANY);
    private static final GoType CHUNKS = GoType.sliceOf(LIST);
    private static final GoType INTS = GoType.sliceOf(INT);
    private static final int TYPICAL_DIGITS = 4;

    private Lists() {}

    static void addTo(FunctionRegistry.Builder functions) {
        functions.add("list", OF_VALUES, call -> copy(call.arguments()));
        functions.add("tuple", OF_VALUES, call -> copy(call.arguments()));
        functions.withMust(
                "first",
                ELEMENT,
                call -> call.list(0).isEmpty() ? GoNil.ANY : call.list(0).getFirst());
        functions.withMust(
                "last",
                ELEMENT,
                call -> call.list(0).isEmpty() ? GoNil.ANY : call.list(0).getLast());
        functions.list("rest", call -> part(call.list(0), 1, 0));
        functions.list("initial", call -> part(call.list(0), 0, 1));
        functions.list("reverse", call -> copy(call.list(0).reversed()));
        functions.list("compact", call -> {
            return GoSlice.of(new ArrayList<>(call.list(0).stream()
                    .filter(element -> !Defaults.isEmpty(element))
                    .toList()));
        });
        functions.list("uniq", Lists::unique);
        functions.withMust("without", variadic(LIST, ANY, ANY), Lists::without);
        functions.withMust("append", WITH_ELEMENT, call -> joined(call.list(0), List.of(call.value(1))));
        functions.withMust("push", WITH_ELEMENT, call -> joined(call.list(0), List.of(call.value(1))));
        functions.withMust("prepend", WITH_ELEMENT, call -> joined(List.of(call.value(1)), call.list(0)));
        functions.withMust("chunk", function(CHUNKS, INT, ANY), Lists::chunked);
        functions.withMust("has", function(BOOL, ANY, ANY), call -> {
            boolean isNil = call.value(1) instanceof GoNil;
            return GoBool.of(!isNil && contains(call, call.list(1), call.value(0)));
        });
        functions.withMust("slice", variadic(ANY, ANY, ANY), Lists::slice);
        functions.add("concat", variadic(ANY, ANY), Lists::concatenated);

        functions.add("until", function(INTS, INT), call -> {
            long end = call.integer(0);
            return steps(call, 0, end, end < 0 ? -1 : 1);
        });
        functions.add(
                "untilStep",
                function(INTS, INT, INT, INT),
                call -> steps(call, call.integer(0), call.integer(1), call.integer(2)));
        functions.add("seq", variadic(STRING, INT), Lists::sequence);
    }

    private static GoSlice copy(List<GoValue> items) {
        return GoSlice.of(new ArrayList<>(items));
    }

    private static GoSlice joined(List<GoValue> first, List<GoValue> then) {
        List<GoValue> items = new ArrayList<>(first.size() + then.size());
        items.addAll(first);
        items.addAll(then);
        return GoSlice.of(items);
    }

    /** The list without elements at both ends; nil for an empty one. */
    private static GoSlice part(List<GoValue> list, int fromStart, int fromEnd) {
        return list.isEmpty() ? new GoSlice(LIST, null) : copy(list.subList(fromStart, list.size() - fromEnd));
    }

    private static GoValue unique(FunctionCall call) throws GoCallException {
        List<GoValue> kept = new ArrayList<>();
        for (GoValue element : call.list(0)) {
            if (!contains(call, kept, element)) {
                kept.add(element);
            }
        }
        return GoSlice.of(kept);
    }

    private static GoValue without(FunctionCall call) throws GoCallException {
        List<GoValue> kept = new ArrayList<>();
        for (GoValue element : call.list(0)) {
            if (!contains(call, call.rest(1), element)) {
                kept.add(element);
            }
        }
        return GoSlice.of(kept);
    }

    private static boolean contains(FunctionCall call, List<GoValue> list, GoValue wanted) {
        for (GoValue element : list) {
            if (DeepValues.areEqual(call.environment(), wanted, element)) {
                return true;
            }
        }
        return false;
    }

    private static GoValue chunked(FunctionCall call) throws GoCallException {
        long size = call.integer(0);
        List<GoValue> list = call.list(1);
        if (size <= 1L - list.size() && list.size() > 1) {
            // The number of chunks, computed before the size is checked, is 0.
            return new GoSlice(CHUNKS, new ArrayList<>());
        }
        if (size <= 0) {
            throw new GoCallException("a chunk has at least one element, not " + size);
        }
        call.chargeSlots(2L * list.size());
        List<GoValue> chunks = new ArrayList<>();
        for (int start = 0; start < list.size(); start += (int) Math.min(size, list.size())) {
            chunks.add(copy(list.subList(start, (int) Math.min(list.size(), start + size))));
        }
        return new GoSlice(CHUNKS, chunks);
    }

    private static GoValue slice(FunctionCall call) throws GoCallException {
        List<GoValue> list = call.list(0);
        if (list.isEmpty()) {
            return GoNil.ANY;
        }
        long start = call.count() > 1 ? Numbers.toInt(call.value(1)) : 0;
        long end = call.count() > 2 ? Numbers.toInt(call.value(2)) : list.size();
        if (start < 0 || end < start || end > list.size()) {
            throw new GoCallException("the elements from " + start + " to " + end + " are outside of a list of "
                    + list.size() + " elements");
        }
        call.chargeSlots(end - start);
        return new GoSlice(call.value(0).type(), new ArrayList<>(list.subList((int) start, (int) end)));
    }

    private static GoValue concatenated(FunctionCall call) throws GoCallException {
        List<GoValue> all = new ArrayList<>();
        for (int i = 0; i < call.count(); i++) {
            List<GoValue> list = call.list(i);
            call.chargeSlots(list.size());
            all.addAll(list);
        }
        return new GoSlice(LIST, all.isEmpty() ? null : all);
    }

    /** From {@code start} up to before {@code stop}; empty if the step leads away from it. */
    private static GoSlice steps(FunctionCall call, long start, long stop, long step) {
        if (stop < start ? step >= 0 : step <= 0) {
            return new GoSlice(INTS, new ArrayList<>());
        }
        long distance = stop < start ? start - stop : stop - start;
        long stride = step == Long.MIN_VALUE ? Long.MAX_VALUE : Math.abs(step);
        long count = distance == 0 ? 0 : Long.divideUnsigned(distance - 1, stride) + 1;
        if (count < 0) {
            throw new LimitExceededException("a list of more than 2^63 elements");
        }
        call.chargeSlots(count);
        List<GoValue> items = new ArrayList<>(Math.toIntExact(count));
        for (long i = 0; i < count; i++) {
            items.add(GoInt.of(start + i * step));
        }
        return new GoSlice(INTS, items);
    }

    // Like the shell's seq: first, step, last; but counts down by itself, and gives nothing without arguments.
    private static GoValue sequence(FunctionCall call) {
        int count = call.count();
        if (count == 0 || count > 3) {
            return GoString.EMPTY;
        }
        long first = count == 1 ? 1 : call.integer(0);
        long last = call.integer(count - 1);
        long direction = last < first ? -1 : 1;
        long step = count == 3 ? call.integer(1) : direction;
        if (count == 3 && direction < 0 && step > 0) {
            return GoString.EMPTY;
        }
        GoSlice numbers = steps(call, first, last + direction, step);
        call.chargeText((long) numbers.length() * TYPICAL_DIGITS);
        StringBuilder text = new StringBuilder();
        for (GoValue number : numbers.elements()) {
            text.append(text.isEmpty() ? "" : " ").append(((GoInt) number).value());
        }
        return GoString.ofBytes(text.toString());
    }
}
