package io.osmhub.core.template.handlebars;

import io.osmhub.core.golang.ExecutionEnvironment;
import io.osmhub.core.golang.GoCallException;
import io.osmhub.core.golang.GoValue;
import io.osmhub.core.golang.GoValue.GoFloat;
import io.osmhub.core.golang.GoValue.GoInt;
import io.osmhub.core.golang.GoValue.GoMap;
import io.osmhub.core.golang.GoValue.GoNil;
import io.osmhub.core.golang.GoValue.GoSlice;
import io.osmhub.core.golang.GoValue.GoString;
import java.util.List;
import java.util.Map;

/** The arguments of one call of a helper, pointers followed; texts are bytes. */
record HelperArguments(List<GoValue> values, Map<String, GoValue> named, ExecutionEnvironment environment) {
    /** Below this every integer is exact as a floating-point value. */
    private static final double EXACT = 1L << 53;

    int count() {
        return values.size();
    }

    GoValue value(int index) {
        return values.get(index);
    }

    GoValue last() {
        return values.getLast();
    }

    /** The text of any value that can be printed; "" for nothing. */
    String text(int index) throws GoCallException {
        String text = HandlebarsValues.text(value(index), environment);
        environment.charge(1, text.length());
        return text;
    }

    /** An integer, also from a text. */
    long number(int index) throws GoCallException {
        return switch (value(index)) {
            case GoInt integer -> integer.value();
            case GoFloat number
            when number.value() == Math.rint(number.value()) && Math.abs(number.value()) < EXACT ->
                (long) number.value();
            case GoString text when isWhole(text.bytes()) -> Long.parseLong(text.bytes());
            case GoValue other -> throw typeMismatch(index, "a whole number", other);
        };
    }

    private static boolean isWhole(String text) {
        String digits = text.startsWith("-") ? text.substring(1) : text;
        return !digits.isEmpty() && digits.length() < 19 && digits.chars().allMatch(c -> c >= '0' && c <= '9');
    }

    /** The elements of a list; none for nothing. */
    List<GoValue> list(int index) throws GoCallException {
        return switch (value(index)) {
            case GoSlice slice -> {
                environment.charge(slice.length(), 0);
                yield slice.elements();
            }
            case GoNil nil -> List.of();
            case GoValue other -> throw typeMismatch(index, "a list", other);
        };
    }

    /** The entries of a map; none for nothing. */
    Map<GoValue, GoValue> map(int index) throws GoCallException {
        return switch (value(index)) {
            case GoMap map -> map.elements();
            case GoNil nil -> Map.of();
            case GoValue other -> throw typeMismatch(index, "a map", other);
        };
    }

    GoCallException typeMismatch(int index, String wanted, GoValue found) {
        return new GoCallException(
                "argument " + (index + 1) + " must be " + wanted + ", not " + HandlebarsValues.describeKind(found));
    }
}
