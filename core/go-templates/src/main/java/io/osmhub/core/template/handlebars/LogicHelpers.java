package io.osmhub.core.template.handlebars;

import io.osmhub.core.golang.GoCallException;
import io.osmhub.core.golang.GoValue;
import io.osmhub.core.golang.GoValue.GoBool;
import io.osmhub.core.golang.GoValue.GoComplex;
import io.osmhub.core.golang.GoValue.GoFloat;
import io.osmhub.core.golang.GoValue.GoInt;
import io.osmhub.core.golang.GoValue.GoNil;
import io.osmhub.core.golang.GoValue.GoString;
import io.osmhub.core.version.SemanticVersion;
import io.osmhub.core.version.SemanticVersion.InvalidVersionException;
import io.osmhub.core.version.VersionConstraint;
import java.util.function.LongBinaryOperator;

/** Comparison and choice. */
final class LogicHelpers {
    private LogicHelpers() {}

    static void addTo(HandlebarsHelpers helpers) {
        helpers.add("eq", 2, HandlebarsHelpers.ANY, arguments -> GoBool.of(equalsAny(arguments)));
        helpers.add("ne", 2, arguments -> GoBool.of(!equalsAny(arguments)));
        helpers.add("lt", 2, arguments -> GoBool.of(compare(arguments) < 0));
        helpers.add("le", 2, arguments -> GoBool.of(compare(arguments) <= 0));
        helpers.add("gt", 2, arguments -> GoBool.of(compare(arguments) > 0));
        helpers.add("ge", 2, arguments -> GoBool.of(compare(arguments) >= 0));
        helpers.add("and", 1, HandlebarsHelpers.ANY, LogicHelpers::and);
        helpers.add("or", 1, HandlebarsHelpers.ANY, LogicHelpers::or);
        helpers.add("not", 1, arguments -> GoBool.of(!HandlebarsValues.isTruthy(arguments.value(0))));
        helpers.add("default", 2, LogicHelpers::or);
        helpers.add(
                "coalesce",
                1,
                HandlebarsHelpers.ANY,
                arguments -> HandlebarsValues.isTruthy(or(arguments)) ? or(arguments) : GoNil.ANY);
        helpers.add("ternary", 3, arguments -> arguments.value(HandlebarsValues.isTruthy(arguments.value(0)) ? 1 : 2));
        helpers.add("fail", 1, arguments -> {
            throw new GoCallException(GoString.text(arguments.text(0)));
        });
        helpers.add("add", 2, HandlebarsHelpers.ANY, arguments -> combine(arguments, Math::addExact));
        helpers.add("sub", 2, HandlebarsHelpers.ANY, arguments -> combine(arguments, Math::subtractExact));
        helpers.add("mul", 2, HandlebarsHelpers.ANY, arguments -> combine(arguments, Math::multiplyExact));
        helpers.add("semver", 2, LogicHelpers::allows);
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

    private static GoValue combine(HelperArguments arguments, LongBinaryOperator operator) throws GoCallException {
        long number = arguments.number(0);
        for (int i = 1; i < arguments.count(); i++) {
            long next = arguments.number(i);
            try {
                number = operator.applyAsLong(number, next);
            } catch (ArithmeticException overflow) {
                throw new GoCallException("the result exceeds 64 bits");
            }
        }
        return GoInt.of(number);
    }

    private static GoValue allows(HelperArguments arguments) throws GoCallException {
        try {
            VersionConstraint constraint = VersionConstraint.parse(GoString.text(arguments.text(0)));
            return GoBool.of(constraint.allows(SemanticVersion.parse(GoString.text(arguments.text(1)))));
        } catch (InvalidVersionException invalid) {
            throw new GoCallException(String.valueOf(invalid.getMessage()));
        }
    }
}
