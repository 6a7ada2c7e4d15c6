package io.osmhub.core.template.handlebars;

import io.osmhub.core.golang.CallFailure;
import io.osmhub.core.golang.Environment;
import io.osmhub.core.golang.Flt;
import io.osmhub.core.golang.Int;
import io.osmhub.core.golang.MapValue;
import io.osmhub.core.golang.Nil;
import io.osmhub.core.golang.Slice;
import io.osmhub.core.golang.Str;
import io.osmhub.core.golang.Value;
import java.util.List;
import java.util.Map;

/** The arguments of one call of a helper, pointers followed; texts are bytes. */
record Arguments(List<Value> values, Map<String, Value> named, Environment environment) {
    /** Below this every whole number has a floating-point value of its own. */
    private static final double EXACT = 1L << 53;

    int count() {
        return values.size();
    }

    Value value(int index) {
        return values.get(index);
    }

    Value last() {
        return values.getLast();
    }

    /** The text of any value that can be printed; "" for nothing. */
    String text(int index) throws CallFailure {
        String text = Values.text(value(index), environment);
        environment.charge(1, text.length());
        return text;
    }

    /** A whole number, also when it is written as text. */
    long number(int index) throws CallFailure {
        return switch (value(index)) {
            case Int integer -> integer.value();
            case Flt number
            when number.value() == Math.rint(number.value()) && Math.abs(number.value()) < EXACT ->
                (long) number.value();
            case Str text when isWhole(text.bytes()) -> Long.parseLong(text.bytes());
            case Value other -> throw wrong(index, "a whole number", other);
        };
    }

    private static boolean isWhole(String text) {
        String digits = text.startsWith("-") ? text.substring(1) : text;
        return !digits.isEmpty() && digits.length() < 19 && digits.chars().allMatch(c -> c >= '0' && c <= '9');
    }

    /** The elements of a list; none for nothing. */
    List<Value> list(int index) throws CallFailure {
        return switch (value(index)) {
            case Slice slice -> {
                environment.charge(slice.length(), 0);
                yield slice.elements();
            }
            case Nil nil -> List.of();
            case Value other -> throw wrong(index, "a list", other);
        };
    }

    /** The entries of a map; none for nothing. */
    Map<Value, Value> map(int index) throws CallFailure {
        return switch (value(index)) {
            case MapValue map -> map.elements();
            case Nil nil -> Map.of();
            case Value other -> throw wrong(index, "a map", other);
        };
    }

    CallFailure wrong(int index, String wanted, Value found) {
        return new CallFailure("argument " + (index + 1) + " must be " + wanted + ", not " + Values.kind(found));
    }
}
