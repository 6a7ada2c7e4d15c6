package io.osmhub.core.template.functions;

import static io.osmhub.core.golang.GoType.ANY;
import static io.osmhub.core.golang.GoType.FLOAT64;
import static io.osmhub.core.golang.GoType.INT;
import static io.osmhub.core.golang.GoType.INT64;
import static io.osmhub.core.golang.GoType.STRING;
import static io.osmhub.core.golang.GoType.function;
import static io.osmhub.core.golang.GoType.variadic;

import io.osmhub.core.golang.GoCallException;
import io.osmhub.core.golang.GoType;
import io.osmhub.core.golang.GoValue;
import io.osmhub.core.golang.GoValue.GoBool;
import io.osmhub.core.golang.GoValue.GoFloat;
import io.osmhub.core.golang.GoValue.GoInt;
import io.osmhub.core.golang.GoValue.GoPointer;
import io.osmhub.core.golang.GoValue.GoString;
import io.osmhub.core.golang.text.GoNumbers;
import io.osmhub.core.golang.text.GoNumbers.ParsedFloat;
import io.osmhub.core.golang.text.GoNumbers.ParsedInt;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import java.util.function.BinaryOperator;
import java.util.function.DoubleBinaryOperator;
import java.util.function.LongBinaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Arithmetic on any values. They convert to numbers as leniently as by the Go library spf13/cast 1.10: pointers are followed, {@code
 * true} is 1, text is parsed as a number, and any other value is 0. Integers have 64 bits and wrap around.
 */
final class Numbers {
    private static final GoType TO_INT64 = function(INT64, ANY);
    private static final GoType TO_FLOAT = function(FLOAT64, ANY);
    private static final GoType TWO_TO_INT64 = function(INT64, ANY, ANY);
    private static final GoType ONE_OR_MORE_TO_INT64 = variadic(INT64, ANY, ANY);
    private static final GoType ONE_OR_MORE_TO_FLOAT = variadic(FLOAT64, ANY, ANY);

    /** Up to it a power of ten is a float without error, so Go and Java agree. */
    private static final int MOST_PLACES = 22;

    /** Go's result of converting a float that does not fit; the language does not define it. */
    private static final long UNREPRESENTABLE = Long.MIN_VALUE;

    private Numbers() {}

    static void addTo(FunctionRegistry.Builder functions) {
        functions.add("int", function(INT, ANY), call -> GoInt.of(toInt(call.value(0))));
        functions.add("int64", TO_INT64, call -> GoInt.int64(toInt(call.value(0))));
        functions.add("float64", TO_FLOAT, call -> GoFloat.of(toFloat(call.value(0))));
        functions.add(
                "atoi",
                function(INT, STRING),
                call -> GoInt.of(GoNumbers.readAtoi(call.text(0)).value()));
        functions.add("toDecimal", TO_INT64, call -> {
            ParsedInt octal = GoNumbers.readInt(call.print(call.value(0)), 8, 64);
            return GoInt.int64(octal.problem() == null ? octal.value() : 0);
        });

        functions.add("add", variadic(INT64, ANY), call -> fold(call, 0, 0, Long::sum));
        functions.add("add1", TO_INT64, call -> GoInt.int64(toInt(call.value(0)) + 1));
        functions.add("sub", TWO_TO_INT64, call -> fold(call, (left, right) -> left - right));
        functions.add("div", TWO_TO_INT64, call -> GoInt.int64(toInt(call.value(0)) / divisor(call)));
        functions.add("mod", TWO_TO_INT64, call -> GoInt.int64(toInt(call.value(0)) % divisor(call)));
        functions.add("mul", ONE_OR_MORE_TO_INT64, call -> fold(call, (left, right) -> left * right));
        functions.add("max", ONE_OR_MORE_TO_INT64, call -> fold(call, Math::max));
        functions.add("biggest", ONE_OR_MORE_TO_INT64, call -> fold(call, Math::max));
        functions.add("min", ONE_OR_MORE_TO_INT64, call -> fold(call, Math::min));
        functions.add("maxf", ONE_OR_MORE_TO_FLOAT, call -> foldFloats(call, Numbers::larger));
        functions.add("minf", ONE_OR_MORE_TO_FLOAT, call -> foldFloats(call, (left, right) -> -larger(-left, -right)));

        functions.add("ceil", TO_FLOAT, call -> GoFloat.of(Math.ceil(toFloat(call.value(0)))));
        functions.add("floor", TO_FLOAT, call -> GoFloat.of(Math.floor(toFloat(call.value(0)))));
        functions.add("round", variadic(FLOAT64, ANY, INT, FLOAT64), Numbers::rounded);

        functions.add(
                "addf",
                variadic(FLOAT64, ANY),
                call -> foldDecimals(call, BigDecimal.ZERO, call.arguments(), BigDecimal::add));
        functions.add("add1f", TO_FLOAT, call -> foldDecimals(call, BigDecimal.ONE, call.arguments(), BigDecimal::add));
        functions.add("subf", ONE_OR_MORE_TO_FLOAT, call -> foldDecimals(call, BigDecimal::subtract));
        functions.add("mulf", ONE_OR_MORE_TO_FLOAT, call -> foldDecimals(call, BigDecimal::multiply));
        functions.add("divf", ONE_OR_MORE_TO_FLOAT, Numbers::quotient);
    }

    private static GoValue fold(FunctionCall call, LongBinaryOperator operator) {
        return fold(call, toInt(call.value(0)), 1, operator);
    }

    private static GoValue fold(FunctionCall call, long start, int from, LongBinaryOperator operator) {
        long result = start;
        for (GoValue other : call.rest(from)) {
            result = operator.applyAsLong(result, toInt(other));
        }
        return GoInt.int64(result);
    }

    private static long divisor(FunctionCall call) throws GoCallException {
        long divisor = toInt(call.value(1));
        if (divisor == 0) {
            throw new GoCallException("runtime error: integer divide by zero");
        }
        return divisor;
    }

    private static GoValue foldFloats(FunctionCall call, DoubleBinaryOperator operator) {
        double result = toFloat(call.value(0));
        for (GoValue other : call.rest(1)) {
            result = operator.applyAsDouble(result, toFloat(other));
        }
        return GoFloat.of(result);
    }

    // In Go, infinity takes precedence over NaN.
    private static double larger(double left, double right) {
        boolean infinite = left == Double.POSITIVE_INFINITY || right == Double.POSITIVE_INFINITY;
        return infinite ? Double.POSITIVE_INFINITY : Math.max(left, right);
    }

    /** Rounds to decimal places in binary floats, with their errors, which profiles print. */
    private static GoValue rounded(FunctionCall call) throws GoCallException {
        long places = call.integer(1);
        double roundUpFrom = call.count() > 2 ? toFloat(call.value(2)) : 0.5;
        if (places < -MOST_PLACES || places > MOST_PLACES) {
            throw GoCallException.unsupported(
                    "round to " + places + " places", "at most " + MOST_PLACES + " are exact");
        }
        double power = Math.pow(10, (int) Math.abs(places));
        double shift = places < 0 ? 1 / power : power;
        double shifted = shift * toFloat(call.value(0));
        double fraction = Double.isInfinite(shifted) ? Double.NaN : shifted % 1;
        return GoFloat.of((fraction >= roundUpFrom ? Math.ceil(shifted) : Math.floor(shifted)) / shift);
    }

    private static GoValue foldDecimals(FunctionCall call, BinaryOperator<BigDecimal> operator) throws GoCallException {
        return foldDecimals(call, decimal(call.value(0)), call.rest(1), operator);
    }

    /** Calculates without the errors of binary floats: {@code addf 0.1 0.2} is 0.3. */
    private static GoValue foldDecimals(
            FunctionCall call, BigDecimal start, List<GoValue> others, BinaryOperator<BigDecimal> operator)
            throws GoCallException {
        BigDecimal result = start;
        for (GoValue other : others) {
            // Products of many factors have many digits, and so have sums of very large and very small numbers.
            call.charge(1 + result.unscaledValue().bitLength() / 16);
            result = operator.apply(result, decimal(other));
        }
        return GoFloat.of(result.doubleValue());
    }

    private static GoValue quotient(FunctionCall call) throws GoCallException {
        for (GoValue divisor : call.rest(1)) {
            if (toFloat(divisor) == 0) {
                throw new GoCallException("decimal division by 0");
            }
        }
        return foldDecimals(call, (dividend, divisor) -> dividend.divide(divisor, 16, RoundingMode.HALF_UP));
    }

    /** The shortest decimal of the float, which is what its author wrote. */
    private static BigDecimal decimal(GoValue value) throws GoCallException {
        double number = toFloat(value);
        if (Double.isNaN(number) || Double.isInfinite(number)) {
            throw new GoCallException("Cannot create a Decimal from " + number);
        }
        return new BigDecimal(GoNumbers.formatFloat(number, 'e', -1, 64));
    }

    static long toInt(GoValue value) {
        GoValue target = target(value);
        if (target instanceof GoInt number) {
            return number.value();
        }
        if (target instanceof GoFloat number) {
            return truncate(number.value());
        }
        if (target instanceof GoBool bool) {
            return bool.value() ? 1 : 0;
        }
        return target instanceof GoString text ? toInt(text.bytes()) : 0;
    }

    static double toFloat(GoValue value) {
        GoValue target = target(value);
        if (target instanceof GoInt number) {
            return number.kind().isUnsigned() ? unsigned(number.value()) : number.value();
        }
        if (target instanceof GoFloat number) {
            return number.value();
        }
        if (target instanceof GoBool bool) {
            return bool.value() ? 1 : 0;
        }
        if (target instanceof GoString text) {
            ParsedFloat read = GoNumbers.readFloat(text.bytes(), 64);
            return read.problem() == null ? read.value() : 0;
        }
        return 0;
    }

    /** Go's conversion of a float64 to an int64. */
    static long truncate(double number) {
        boolean fits = number >= -0x1p63 && number < 0x1p63;
        return fits ? (long) number : UNREPRESENTABLE;
    }

    private static double unsigned(long bits) {
        if (bits >= 0) {
            return bits;
        }
        // Halved with a sticky last bit, so that it is rounded once.
        return (double) (bits >>> 1 | bits & 1) * 2;
    }

    private static @Nullable GoValue target(GoValue value) {
        GoValue target = value;
        // Bounded, because a pointer can point to itself.
        for (int i = 0; target instanceof GoPointer pointer && i < 100; i++) {
            target = pointer.target();
        }
        return target;
    }

    // The prefix determines the base, so 010 is 8; digits after a decimal point are cut off, but only of a decimal
    // number.
    private static long toInt(String text) {
        int point = text.indexOf('.');
        String whole = point >= 0 && isDigits(text, sign(text), point) && isDigits(text, point + 1, text.length())
                ? text.substring(0, point)
                : text;
        ParsedInt read = GoNumbers.readInt(whole, 0, 64);
        return read.problem() == null ? read.value() : 0;
    }

    private static int sign(String text) {
        return text.startsWith("-") || text.startsWith("+") ? 1 : 0;
    }

    private static boolean isDigits(String text, int start, int end) {
        for (int i = start; i < end; i++) {
            if (text.charAt(i) < '0' || text.charAt(i) > '9') {
                return false;
            }
        }
        return true;
    }
}
