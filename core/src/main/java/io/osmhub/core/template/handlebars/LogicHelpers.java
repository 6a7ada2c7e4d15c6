package io.osmhub.core.template.handlebars;

import io.osmhub.core.golang.GoBool;
import io.osmhub.core.golang.GoCallException;
import io.osmhub.core.golang.GoComplex;
import io.osmhub.core.golang.GoFloat;
import io.osmhub.core.golang.GoInt;
import io.osmhub.core.golang.GoNil;
import io.osmhub.core.golang.GoString;
import io.osmhub.core.golang.GoValue;

/** Comparison and choice. */
final class LogicHelpers {
    private LogicHelpers() {}

    static void addTo(HelperTable.Builder table) {
        table.add(new HelperDefinition(
                "eq",
                "A B ...",
                2,
                HelperDefinition.ANY,
                "Whether the first value equals any of the others; numbers and texts of any type compare by content.",
                "{{eq \"aws\" \"azure\" \"aws\"}}",
                "true",
                arguments -> GoBool.of(equalsAny(arguments))));
        table.add(new HelperDefinition(
                "ne",
                "A B",
                2,
                2,
                "Whether two values differ.",
                "{{ne 1 2}}",
                "true",
                arguments -> GoBool.of(!equalsAny(arguments))));
        table.add(comparison("lt", "below", "true", order -> order < 0));
        table.add(comparison("le", "below or equal to", "true", order -> order <= 0));
        table.add(comparison("gt", "above", "false", order -> order > 0));
        table.add(comparison("ge", "above or equal to", "false", order -> order >= 0));
        table.add(new HelperDefinition(
                "and",
                "A B ...",
                1,
                HelperDefinition.ANY,
                "The first empty value, else the last one.",
                "{{and 1 \"x\"}}",
                "x",
                LogicHelpers::and));
        table.add(new HelperDefinition(
                "or",
                "A B ...",
                1,
                HelperDefinition.ANY,
                "The first value that is not empty, else the last one.",
                "{{or \"\" \"x\"}}",
                "x",
                LogicHelpers::or));
        table.add(new HelperDefinition(
                "not",
                "A",
                1,
                1,
                "Whether a value is empty.",
                "{{not \"\"}}",
                "true",
                arguments -> GoBool.of(!HandlebarsValues.isTruthy(arguments.value(0)))));
        table.add(new HelperDefinition(
                "default",
                "VALUE FALLBACK",
                2,
                2,
                "The value, or the fallback if the value is empty.",
                "{{default \"\" \"none\"}}",
                "none",
                LogicHelpers::or));
        table.add(new HelperDefinition(
                "coalesce",
                "A B ...",
                1,
                HelperDefinition.ANY,
                "The first value that is not empty, else nothing.",
                "{{coalesce \"\" 0 \"x\"}}",
                "x",
                arguments -> HandlebarsValues.isTruthy(or(arguments)) ? or(arguments) : GoNil.ANY));
        table.add(new HelperDefinition(
                "ternary",
                "CONDITION THEN ELSE",
                3,
                3,
                "The second argument if the first is not empty, else the third.",
                "{{ternary true \"on\" \"off\"}}",
                "on",
                arguments -> arguments.value(HandlebarsValues.isTruthy(arguments.value(0)) ? 1 : 2)));
        table.add(new HelperDefinition(
                "fail",
                "MESSAGE",
                1,
                1,
                "Ends the rendering with a message for users of the profile.",
                "{{#if \"\"}}{{fail \"set a proxy\"}}{{/if}}fine",
                "fine",
                arguments -> {
                    throw new GoCallException(GoString.text(arguments.text(0)));
                }));
    }

    @FunctionalInterface
    private interface Order {
        boolean holds(int order);
    }

    private static HelperDefinition comparison(String name, String words, String result, Order order) {
        return new HelperDefinition(
                name,
                "A B",
                2,
                2,
                "Whether the first of two numbers, or of two texts, is " + words + " the second.",
                "{{" + name + " 9 10}}",
                result,
                arguments -> GoBool.of(order.holds(compare(arguments))));
    }

    private static GoValue and(HelperArguments arguments) {
        for (GoValue value : arguments.values()) {
            if (!HandlebarsValues.isTruthy(value)) {
                return value;
            }
        }
        return arguments.last();
    }

    private static GoValue or(HelperArguments arguments) {
        for (GoValue value : arguments.values()) {
            if (HandlebarsValues.isTruthy(value)) {
                return value;
            }
        }
        return arguments.last();
    }

    private static boolean equalsAny(HelperArguments arguments) throws GoCallException {
        for (int i = 1; i < arguments.count(); i++) {
            if (same(arguments, i)) {
                return true;
            }
        }
        return false;
    }

    private static boolean same(HelperArguments arguments, int index) throws GoCallException {
        GoValue first = arguments.value(0);
        GoValue other = arguments.value(index);
        if (first instanceof GoNil || other instanceof GoNil) {
            return first instanceof GoNil && other instanceof GoNil;
        }
        if (isNumber(first) && isNumber(other)) {
            return compareNumbers(first, other) == 0;
        }
        if (first instanceof GoBool left && other instanceof GoBool right) {
            return left.value() == right.value();
        }
        if (isNumber(first) || isNumber(other) || first instanceof GoBool || other instanceof GoBool) {
            throw new GoCallException("cannot compare " + HandlebarsValues.describeKind(first) + " with "
                    + HandlebarsValues.describeKind(other));
        }
        return arguments.text(0).equals(arguments.text(index));
    }

    private static int compare(HelperArguments arguments) throws GoCallException {
        GoValue first = arguments.value(0);
        GoValue second = arguments.value(1);
        if (isNumber(first) && isNumber(second)) {
            return compareNumbers(first, second);
        }
        if (first instanceof GoString left && second instanceof GoString right) {
            return left.bytes().compareTo(right.bytes());
        }
        throw new GoCallException("cannot compare " + HandlebarsValues.describeKind(first) + " with "
                + HandlebarsValues.describeKind(second));
    }

    private static boolean isNumber(GoValue value) {
        return value instanceof GoInt || value instanceof GoFloat || value instanceof GoComplex;
    }

    private static int compareNumbers(GoValue left, GoValue right) throws GoCallException {
        if (left instanceof GoInt a && right instanceof GoInt b) {
            return compareIntegers(a, b);
        }
        return Double.compare(asDouble(left), asDouble(right));
    }

    private static int compareIntegers(GoInt a, GoInt b) {
        boolean hugeA = a.kind().isUnsigned() && a.value() < 0;
        boolean hugeB = b.kind().isUnsigned() && b.value() < 0;
        return hugeA == hugeB ? Long.compare(a.value(), b.value()) : hugeA ? 1 : -1;
    }

    private static double asDouble(GoValue value) throws GoCallException {
        return switch (value) {
            case GoInt integer -> integer.value();
            case GoFloat number -> number.value();
            case GoValue other -> throw new GoCallException("cannot compare " + HandlebarsValues.describeKind(other));
        };
    }
}
