package io.osmhub.core.template.sprig;

import io.osmhub.core.golang.Bool;
import io.osmhub.core.golang.Environment;
import io.osmhub.core.golang.Int;
import io.osmhub.core.golang.MapValue;
import io.osmhub.core.golang.Slice;
import io.osmhub.core.golang.Str;
import io.osmhub.core.golang.Type;
import io.osmhub.core.golang.Value;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads the arguments of a call, whose types the engine has checked against the signature, and makes results that are charged
 * to the budget.
 */
final class Arguments {
    /** What one element of a list or one value of a map costs in memory, roughly. */
    static final int SLOT_BYTES = 32;

    private static final int CHARS_PER_STEP = 16;
    private static final int COMPARISONS_PER_STEP = 128;

    private Arguments() {}

    static String bytes(List<Value> arguments, int index) {
        return ((Str) arguments.get(index)).bytes();
    }

    static long integer(List<Value> arguments, int index) {
        return ((Int) arguments.get(index)).value();
    }

    static boolean bool(List<Value> arguments, int index) {
        return ((Bool) arguments.get(index)).value();
    }

    static MapValue map(List<Value> arguments, int index) {
        return (MapValue) arguments.get(index);
    }

    /** The arguments after the first {@code count}. */
    static List<Value> rest(List<Value> arguments, int count) {
        return arguments.subList(count, arguments.size());
    }

    /** Charges for a text of that length before it is made. */
    static void chargeText(Environment environment, long chars) {
        environment.charge(1 + chars / CHARS_PER_STEP, chars);
    }

    /** Charges for reading a text of that length. */
    static void chargeReading(Environment environment, long chars) {
        environment.charge(1 + chars / CHARS_PER_STEP, 0);
    }

    /** Charges for looking in a text for another; at worst they are compared at each position. */
    static void chargeSearch(Environment environment, String subject, String needle) {
        chargeReading(environment, subject.length());
        environment.charge((long) subject.length() * needle.length() / COMPARISONS_PER_STEP, 0);
    }

    /** Charges for a list or map of that many elements before it is made. */
    static void chargeSlots(Environment environment, long count) {
        long bounded = Math.min(count, Long.MAX_VALUE / (2 * SLOT_BYTES));
        environment.charge(1 + bounded, bounded * SLOT_BYTES);
    }

    /** A {@code string} that is charged for. */
    static Str text(Environment environment, String bytes) {
        chargeText(environment, bytes.length());
        return Str.ofBytes(bytes);
    }

    /** A {@code []string}; its elements can be sorted in place. */
    static Slice strings(Environment environment, List<String> texts) {
        chargeSlots(environment, texts.size());
        List<Value> items = new ArrayList<>(texts.size());
        long chars = 0;
        for (String text : texts) {
            chars += text.length();
            items.add(Str.ofBytes(text));
        }
        chargeText(environment, chars);
        return new Slice(Type.STRINGS, items);
    }
}
