package io.osmhub.core.template.sprig;

import io.osmhub.core.golang.ExecutionEnvironment;
import io.osmhub.core.golang.GoType;
import io.osmhub.core.golang.GoValue;
import io.osmhub.core.golang.GoValue.GoBool;
import io.osmhub.core.golang.GoValue.GoInt;
import io.osmhub.core.golang.GoValue.GoMap;
import io.osmhub.core.golang.GoValue.GoSlice;
import io.osmhub.core.golang.GoValue.GoString;
import java.util.ArrayList;
import java.util.List;

/** Reads the arguments of a call, whose types the engine has checked, and creates results that are charged to the budget. */
final class SprigArguments {
    /** Approximate memory of one element of a list or one value of a map. */
    static final int SLOT_BYTES = 32;

    private static final int CHARS_PER_STEP = 16;
    private static final int COMPARISONS_PER_STEP = 128;

    private SprigArguments() {}

    static String bytes(List<GoValue> arguments, int index) {
        return ((GoString) arguments.get(index)).bytes();
    }

    static long integer(List<GoValue> arguments, int index) {
        return ((GoInt) arguments.get(index)).value();
    }

    static boolean bool(List<GoValue> arguments, int index) {
        return ((GoBool) arguments.get(index)).value();
    }

    static GoMap map(List<GoValue> arguments, int index) {
        return (GoMap) arguments.get(index);
    }

    /** The arguments after the first {@code count}. */
    static List<GoValue> rest(List<GoValue> arguments, int count) {
        return arguments.subList(count, arguments.size());
    }

    /** Charges for a text of that length before it is created. */
    static void chargeText(ExecutionEnvironment environment, long chars) {
        environment.charge(1 + chars / CHARS_PER_STEP, chars);
    }

    /** Charges for reading a text of that length. */
    static void chargeReading(ExecutionEnvironment environment, long chars) {
        environment.charge(1 + chars / CHARS_PER_STEP, 0);
    }

    /** Charges for searching a text for another; in the worst case they are compared at each position. */
    static void chargeSearch(ExecutionEnvironment environment, String subject, String needle) {
        chargeReading(environment, subject.length());
        environment.charge((long) subject.length() * needle.length() / COMPARISONS_PER_STEP, 0);
    }

    /** Charges for a list or map of that many elements before it is created. */
    static void chargeSlots(ExecutionEnvironment environment, long count) {
        long bounded = Math.min(count, Long.MAX_VALUE / (2 * SLOT_BYTES));
        environment.charge(1 + bounded, bounded * SLOT_BYTES);
    }

    /** A {@code string} with its charge. */
    static GoString text(ExecutionEnvironment environment, String bytes) {
        chargeText(environment, bytes.length());
        return GoString.ofBytes(bytes);
    }

    /** A {@code []string}; its elements can be sorted in place. */
    static GoSlice strings(ExecutionEnvironment environment, List<String> texts) {
        chargeSlots(environment, texts.size());
        List<GoValue> items = new ArrayList<>(texts.size());
        long chars = 0;
        for (String text : texts) {
            chars += text.length();
            items.add(GoString.ofBytes(text));
        }
        chargeText(environment, chars);
        return new GoSlice(GoType.STRINGS, items);
    }
}
