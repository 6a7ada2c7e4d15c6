package io.osmhub.core.template.sprig;

import static io.osmhub.core.template.sprig.Arguments.integer;

import io.osmhub.core.golang.Environment;
import io.osmhub.core.golang.Int;
import io.osmhub.core.golang.LimitExceeded;
import io.osmhub.core.golang.Signatures;
import io.osmhub.core.golang.Slice;
import io.osmhub.core.golang.Str;
import io.osmhub.core.golang.Type;
import io.osmhub.core.golang.Value;
import java.util.ArrayList;
import java.util.List;

/** Lists of consecutive integers. */
final class Sequences {
    private static final Type INTS = Signatures.type("[]int");
    private static final int TYPICAL_DIGITS = 4;

    private Sequences() {}

    static void addTo(Registry registry) {
        registry.add("until", "func(int) []int", (environment, arguments) -> {
            long end = integer(arguments, 0);
            return steps(environment, 0, end, end < 0 ? -1 : 1);
        });
        registry.add(
                "untilStep",
                "func(int, int, int) []int",
                (environment, arguments) ->
                        steps(environment, integer(arguments, 0), integer(arguments, 1), integer(arguments, 2)));
        registry.add("seq", "func(...int) string", Sequences::seq);
    }

    /** From {@code start} on while before {@code stop}; empty when the step does not lead there. */
    private static Slice steps(Environment environment, long start, long stop, long step) {
        if (stop < start ? step >= 0 : step <= 0) {
            return new Slice(INTS, new ArrayList<>());
        }
        long distance = stop < start ? start - stop : stop - start;
        long stride = step == Long.MIN_VALUE ? Long.MAX_VALUE : Math.abs(step);
        long count = distance == 0 ? 0 : Long.divideUnsigned(distance - 1, stride) + 1;
        if (count < 0) {
            throw new LimitExceeded("a list of more than 2^63 elements");
        }
        Arguments.chargeSlots(environment, count);
        List<Value> items = new ArrayList<>(Math.toIntExact(count));
        for (long i = 0; i < count; i++) {
            items.add(Int.of(start + i * step));
        }
        return new Slice(INTS, items);
    }

    // Like the shell's seq: first, step, last; but counts down by itself, and without arguments answers nothing.
    private static Value seq(Environment environment, List<Value> arguments) {
        int count = arguments.size();
        if (count == 0 || count > 3) {
            return Str.EMPTY;
        }
        long first = count == 1 ? 1 : integer(arguments, 0);
        long last = integer(arguments, count - 1);
        long direction = last < first ? -1 : 1;
        long step = count == 3 ? integer(arguments, 1) : direction;
        if (count == 3 && direction < 0 && step > 0) {
            return Str.EMPTY;
        }
        Slice numbers = steps(environment, first, last + direction, step);
        Arguments.chargeText(environment, (long) numbers.length() * TYPICAL_DIGITS);
        StringBuilder text = new StringBuilder();
        for (Value number : numbers.elements()) {
            text.append(text.isEmpty() ? "" : " ").append(((Int) number).value());
        }
        return Arguments.text(environment, text.toString());
    }
}
