package io.osmhub.core.template.sprig;

import static io.osmhub.core.template.sprig.SprigArguments.integer;

import io.osmhub.core.golang.ExecutionEnvironment;
import io.osmhub.core.golang.GoInt;
import io.osmhub.core.golang.GoSlice;
import io.osmhub.core.golang.GoString;
import io.osmhub.core.golang.GoType;
import io.osmhub.core.golang.GoTypeParser;
import io.osmhub.core.golang.GoValue;
import io.osmhub.core.golang.LimitExceededException;
import java.util.ArrayList;
import java.util.List;

/** Lists of consecutive integers. */
final class SequenceFunctions {
    private static final GoType INTS = GoTypeParser.parseType("[]int");
    private static final int TYPICAL_DIGITS = 4;

    private SequenceFunctions() {}

    static void addTo(FunctionRegistry registry) {
        registry.add("until", "func(int) []int", (environment, arguments) -> {
            long end = integer(arguments, 0);
            return steps(environment, 0, end, end < 0 ? -1 : 1);
        });
        registry.add(
                "untilStep",
                "func(int, int, int) []int",
                (environment, arguments) ->
                        steps(environment, integer(arguments, 0), integer(arguments, 1), integer(arguments, 2)));
        registry.add("seq", "func(...int) string", SequenceFunctions::seq);
    }

    /** From {@code start} up to before {@code stop}; empty if the step leads away from it. */
    private static GoSlice steps(ExecutionEnvironment environment, long start, long stop, long step) {
        if (stop < start ? step >= 0 : step <= 0) {
            return new GoSlice(INTS, new ArrayList<>());
        }
        long distance = stop < start ? start - stop : stop - start;
        long stride = step == Long.MIN_VALUE ? Long.MAX_VALUE : Math.abs(step);
        long count = distance == 0 ? 0 : Long.divideUnsigned(distance - 1, stride) + 1;
        if (count < 0) {
            throw new LimitExceededException("a list of more than 2^63 elements");
        }
        SprigArguments.chargeSlots(environment, count);
        List<GoValue> items = new ArrayList<>(Math.toIntExact(count));
        for (long i = 0; i < count; i++) {
            items.add(GoInt.of(start + i * step));
        }
        return new GoSlice(INTS, items);
    }

    // Like the shell's seq: first, step, last; but counts down automatically, and returns nothing without arguments.
    private static GoValue seq(ExecutionEnvironment environment, List<GoValue> arguments) {
        int count = arguments.size();
        if (count == 0 || count > 3) {
            return GoString.EMPTY;
        }
        long first = count == 1 ? 1 : integer(arguments, 0);
        long last = integer(arguments, count - 1);
        long direction = last < first ? -1 : 1;
        long step = count == 3 ? integer(arguments, 1) : direction;
        if (count == 3 && direction < 0 && step > 0) {
            return GoString.EMPTY;
        }
        GoSlice numbers = steps(environment, first, last + direction, step);
        SprigArguments.chargeText(environment, (long) numbers.length() * TYPICAL_DIGITS);
        StringBuilder text = new StringBuilder();
        for (GoValue number : numbers.elements()) {
            text.append(text.isEmpty() ? "" : " ").append(((GoInt) number).value());
        }
        return SprigArguments.text(environment, text.toString());
    }
}
