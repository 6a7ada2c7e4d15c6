package io.osmhub.core.template.handlebars;

import io.osmhub.core.golang.Bool;
import io.osmhub.core.golang.CallFailure;
import io.osmhub.core.golang.Complex;
import io.osmhub.core.golang.Flt;
import io.osmhub.core.golang.Int;
import io.osmhub.core.golang.Nil;
import io.osmhub.core.golang.Str;
import io.osmhub.core.golang.Value;

/** Comparing and choosing. */
final class LogicHelpers {
    private LogicHelpers() {}

    static void addTo(HelperTable.Builder table) {
        table.add(new Helper(
                "eq",
                "A B ...",
                2,
                Helper.ANY,
                "Whether the first value equals any of the others; numbers and texts of any type compare by content.",
                "{{eq \"aws\" \"azure\" \"aws\"}}",
                "true",
                arguments -> Bool.of(equalsAny(arguments))));
        table.add(new Helper(
                "ne",
                "A B",
                2,
                2,
                "Whether two values differ.",
                "{{ne 1 2}}",
                "true",
                arguments -> Bool.of(!equalsAny(arguments))));
        table.add(comparison("lt", "below", "true", order -> order < 0));
        table.add(comparison("le", "below or equal to", "true", order -> order <= 0));
        table.add(comparison("gt", "above", "false", order -> order > 0));
        table.add(comparison("ge", "above or equal to", "false", order -> order >= 0));
        table.add(new Helper(
                "and",
                "A B ...",
                1,
                Helper.ANY,
                "The first empty value, else the last one.",
                "{{and 1 \"x\"}}",
                "x",
                LogicHelpers::and));
        table.add(new Helper(
                "or",
                "A B ...",
                1,
                Helper.ANY,
                "The first value that is not empty, else the last one.",
                "{{or \"\" \"x\"}}",
                "x",
                LogicHelpers::or));
        table.add(new Helper(
                "not",
                "A",
                1,
                1,
                "Whether a value is empty.",
                "{{not \"\"}}",
                "true",
                arguments -> Bool.of(!Values.truth(arguments.value(0)))));
        table.add(new Helper(
                "default",
                "VALUE FALLBACK",
                2,
                2,
                "The value, or the fallback if the value is empty.",
                "{{default \"\" \"none\"}}",
                "none",
                LogicHelpers::or));
        table.add(new Helper(
                "coalesce",
                "A B ...",
                1,
                Helper.ANY,
                "The first value that is not empty, else nothing.",
                "{{coalesce \"\" 0 \"x\"}}",
                "x",
                arguments -> Values.truth(or(arguments)) ? or(arguments) : Nil.ANY));
        table.add(new Helper(
                "ternary",
                "CONDITION THEN ELSE",
                3,
                3,
                "The second argument if the first is not empty, else the third.",
                "{{ternary true \"on\" \"off\"}}",
                "on",
                arguments -> arguments.value(Values.truth(arguments.value(0)) ? 1 : 2)));
        table.add(new Helper(
                "fail",
                "MESSAGE",
                1,
                1,
                "Ends the rendering with a message for whoever uses the profile.",
                "{{#if \"\"}}{{fail \"set a proxy\"}}{{/if}}fine",
                "fine",
                arguments -> {
                    throw new CallFailure(Str.text(arguments.text(0)));
                }));
    }

    @FunctionalInterface
    private interface Order {
        boolean holds(int order);
    }

    private static Helper comparison(String name, String words, String result, Order order) {
        return new Helper(
                name,
                "A B",
                2,
                2,
                "Whether the first of two numbers, or of two texts, is " + words + " the second.",
                "{{" + name + " 9 10}}",
                result,
                arguments -> Bool.of(order.holds(compare(arguments))));
    }

    private static Value and(Arguments arguments) {
        for (Value value : arguments.values()) {
            if (!Values.truth(value)) {
                return value;
            }
        }
        return arguments.last();
    }

    private static Value or(Arguments arguments) {
        for (Value value : arguments.values()) {
            if (Values.truth(value)) {
                return value;
            }
        }
        return arguments.last();
    }

    private static boolean equalsAny(Arguments arguments) throws CallFailure {
        for (int i = 1; i < arguments.count(); i++) {
            if (same(arguments, i)) {
                return true;
            }
        }
        return false;
    }

    private static boolean same(Arguments arguments, int index) throws CallFailure {
        Value first = arguments.value(0);
        Value other = arguments.value(index);
        if (first instanceof Nil || other instanceof Nil) {
            return first instanceof Nil && other instanceof Nil;
        }
        if (isNumber(first) && isNumber(other)) {
            return compareNumbers(first, other) == 0;
        }
        if (first instanceof Bool left && other instanceof Bool right) {
            return left.value() == right.value();
        }
        if (isNumber(first) || isNumber(other) || first instanceof Bool || other instanceof Bool) {
            throw new CallFailure("cannot compare " + Values.kind(first) + " with " + Values.kind(other));
        }
        return arguments.text(0).equals(arguments.text(index));
    }

    private static int compare(Arguments arguments) throws CallFailure {
        Value first = arguments.value(0);
        Value second = arguments.value(1);
        if (isNumber(first) && isNumber(second)) {
            return compareNumbers(first, second);
        }
        if (first instanceof Str left && second instanceof Str right) {
            return left.bytes().compareTo(right.bytes());
        }
        throw new CallFailure("cannot compare " + Values.kind(first) + " with " + Values.kind(second));
    }

    private static boolean isNumber(Value value) {
        return value instanceof Int || value instanceof Flt || value instanceof Complex;
    }

    private static int compareNumbers(Value left, Value right) throws CallFailure {
        if (left instanceof Int a && right instanceof Int b) {
            return compareIntegers(a, b);
        }
        return Double.compare(asDouble(left), asDouble(right));
    }

    private static int compareIntegers(Int a, Int b) {
        boolean hugeA = a.kind().isUnsigned() && a.value() < 0;
        boolean hugeB = b.kind().isUnsigned() && b.value() < 0;
        return hugeA == hugeB ? Long.compare(a.value(), b.value()) : hugeA ? 1 : -1;
    }

    private static double asDouble(Value value) throws CallFailure {
        return switch (value) {
            case Int integer -> integer.value();
            case Flt number -> number.value();
            case Value other -> throw new CallFailure("cannot compare " + Values.kind(other));
        };
    }
}
