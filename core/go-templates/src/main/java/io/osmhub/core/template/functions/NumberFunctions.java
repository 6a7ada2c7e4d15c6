package io.osmhub.core.template.functions;

import static io.osmhub.core.template.functions.SprigArguments.bytes;
import static io.osmhub.core.template.functions.SprigArguments.integer;

import io.osmhub.core.golang.ExecutionEnvironment;
import io.osmhub.core.golang.ExecutionEnvironment.LimitExceededException;
import io.osmhub.core.golang.GoCallException;
import io.osmhub.core.golang.GoType;
import io.osmhub.core.golang.GoTypeParser;
import io.osmhub.core.golang.GoValue;
import io.osmhub.core.golang.GoValue.GoBool;
import io.osmhub.core.golang.GoValue.GoFloat;
import io.osmhub.core.golang.GoValue.GoInt;
import io.osmhub.core.golang.GoValue.GoPointer;
import io.osmhub.core.golang.GoValue.GoSlice;
import io.osmhub.core.golang.GoValue.GoString;
import io.osmhub.core.golang.text.GoNumbers;
import io.osmhub.core.golang.text.GoNumbers.ParsedFloat;
import io.osmhub.core.golang.text.GoNumbers.ParsedInt;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleBinaryOperator;
import java.util.function.DoubleUnaryOperator;
import java.util.function.LongBinaryOperator;
import org.jspecify.annotations.Nullable;

/** Arithmetic on any values that convert to numbers. Integers have 64 bits and wrap around. */
final class NumberFunctions {
    private static final String ANY_TO_INT64 = "func(interface {}) int64";
    private static final String ANY_TO_FLOAT = "func(interface {}) float64";

    private NumberFunctions() {}

    static void addTo(FunctionRegistry.Builder registry) {
        registry.addCode(
                "int",
                "func(interface {}) int",
                (environment, arguments) -> GoInt.of(NumberCasts.toInt(arguments.getFirst())));
        registry.addCode(
                "int64",
                ANY_TO_INT64,
                (environment, arguments) -> GoInt.int64(NumberCasts.toInt(arguments.getFirst())));
        registry.addCode(
                "float64",
                ANY_TO_FLOAT,
                (environment, arguments) -> GoFloat.of(NumberCasts.toFloat(arguments.getFirst())));
        registry.addCode(
                "atoi",
                "func(string) int",
                (environment, arguments) ->
                        GoInt.of(GoNumbers.readAtoi(bytes(arguments, 0)).value()));
        registry.addCode("toDecimal", ANY_TO_INT64, NumberFunctions::toDecimal);

        registry.addCode(
                "add",
                "func(...interface {}) int64",
                (environment, arguments) -> fold(environment, 0, arguments, Long::sum));
        registry.addCode(
                "add1",
                ANY_TO_INT64,
                (environment, arguments) -> GoInt.int64(NumberCasts.toInt(arguments.getFirst()) + 1));
        registry.addCode(
                "sub",
                "func(interface {}, interface {}) int64",
                (environment, arguments) ->
                        GoInt.int64(NumberCasts.toInt(arguments.get(0)) - NumberCasts.toInt(arguments.get(1))));
        registry.addCode(
                "div",
                "func(interface {}, interface {}) int64",
                (environment, arguments) -> GoInt.int64(NumberCasts.toInt(arguments.get(0)) / divisor(arguments)));
        registry.addCode(
                "mod",
                "func(interface {}, interface {}) int64",
                (environment, arguments) -> GoInt.int64(NumberCasts.toInt(arguments.get(0)) % divisor(arguments)));
        folding(registry, "mul", (left, right) -> left * right);
        folding(registry, "max", Math::max);
        folding(registry, "biggest", Math::max);
        folding(registry, "min", Math::min);
        foldingFloats(registry, "maxf", NumberFunctions::larger);
        foldingFloats(registry, "minf", (left, right) -> -larger(-left, -right));

        ofFloat(registry, "ceil", Math::ceil);
        ofFloat(registry, "floor", Math::floor);
        registry.addCode(
                "round",
                "func(interface {}, int, ...float64) float64",
                (environment, arguments) -> GoFloat.of(Rounding.round(
                        NumberCasts.toFloat(arguments.getFirst()),
                        integer(arguments, 1),
                        arguments.size() > 2 ? ((GoFloat) arguments.get(2)).value() : 0.5)));
        DecimalFunctions.addTo(registry);
        SequenceFunctions.addTo(registry);
    }

    private static void folding(FunctionRegistry.Builder registry, String name, LongBinaryOperator operator) {
        registry.addCode(
                name,
                "func(interface {}, ...interface {}) int64",
                (environment, arguments) -> fold(
                        environment,
                        NumberCasts.toInt(arguments.getFirst()),
                        SprigArguments.rest(arguments, 1),
                        operator));
    }

    private static GoValue fold(
            ExecutionEnvironment environment, long first, List<GoValue> others, LongBinaryOperator operator) {
        environment.charge(others.size(), 0);
        long result = first;
        for (GoValue other : others) {
            result = operator.applyAsLong(result, NumberCasts.toInt(other));
        }
        return GoInt.int64(result);
    }

    private static void foldingFloats(FunctionRegistry.Builder registry, String name, DoubleBinaryOperator operator) {
        registry.addCode(name, "func(interface {}, ...interface {}) float64", (environment, arguments) -> {
            environment.charge(arguments.size(), 0);
            double result = NumberCasts.toFloat(arguments.getFirst());
            for (GoValue other : SprigArguments.rest(arguments, 1)) {
                result = operator.applyAsDouble(result, NumberCasts.toFloat(other));
            }
            return GoFloat.of(result);
        });
    }

    // In Go, infinity takes precedence over NaN.
    private static double larger(double left, double right) {
        boolean infinite = left == Double.POSITIVE_INFINITY || right == Double.POSITIVE_INFINITY;
        return infinite ? Double.POSITIVE_INFINITY : Math.max(left, right);
    }

    private static void ofFloat(FunctionRegistry.Builder registry, String name, DoubleUnaryOperator operator) {
        registry.addCode(
                name,
                ANY_TO_FLOAT,
                (environment, arguments) ->
                        GoFloat.of(operator.applyAsDouble(NumberCasts.toFloat(arguments.getFirst()))));
    }

    private static long divisor(List<GoValue> arguments) throws GoCallException {
        long divisor = NumberCasts.toInt(arguments.get(1));
        if (divisor == 0) {
            throw new GoCallException("runtime error: integer divide by zero");
        }
        return divisor;
    }

    /** Parses the printed value as an octal number. */
    private static GoValue toDecimal(ExecutionEnvironment environment, List<GoValue> arguments) {
        String octal = TextConversion.print(environment, arguments.getFirst());
        ParsedInt read = GoNumbers.readInt(octal, 8, 64);
        return GoInt.int64(read.problem() == null ? read.value() : 0);
    }

    /** Rounds to decimal places in binary floats, with their errors, which profiles print. */
    private static final class Rounding {
        /** {@code threshold} is the fraction from which it rounds up. */
        static double round(double number, long places, double threshold) {
            double shift = powerOfTen(places);
            double shifted = shift * number;
            double fraction = Double.isInfinite(shifted) ? Double.NaN : shifted % 1;
            return (fraction >= threshold ? Math.ceil(shifted) : Math.floor(shifted)) / shift;
        }

        /** Computed as in Go, by squaring mantissas; Java's power differs in the last bit for some exponents. */
        private static double powerOfTen(long exponent) {
            if (exponent == Long.MIN_VALUE || (double) exponent == 0x1p63) {
                return exponent < 0 ? 0 : Double.POSITIVE_INFINITY;
            }
            double mantissa = 1;
            long binaryExponent = 0;
            double squareMantissa = 0.625;
            long squareExponent = 4;
            for (long bits = Math.abs(exponent); bits != 0; bits >>= 1) {
                if (Math.abs(squareExponent) > 1 << 12) {
                    // Beyond any float; the result cannot become finite again.
                    binaryExponent += squareExponent;
                    break;
                }
                if ((bits & 1) == 1) {
                    mantissa *= squareMantissa;
                    binaryExponent += squareExponent;
                }
                squareMantissa *= squareMantissa;
                squareExponent <<= 1;
                if (squareMantissa < 0.5) {
                    squareMantissa *= 2;
                    squareExponent--;
                }
            }
            if (exponent < 0) {
                mantissa = 1 / mantissa;
                binaryExponent = -binaryExponent;
            }
            return Math.scalb(mantissa, (int) binaryExponent);
        }
    }

    /** Decimal arithmetic without the errors of binary floats: {@code addf 0.1 0.2} is 0.3. */
    private static final class DecimalFunctions {
        private static final int QUOTIENT_DIGITS = 16;

        @FunctionalInterface
        private interface Operation {
            BigDecimal apply(BigDecimal left, BigDecimal right) throws GoCallException;
        }

        static void addTo(FunctionRegistry.Builder registry) {
            GoValue zero = GoInt.of(0);
            registry.addCode(
                    "addf",
                    "func(...interface {}) float64",
                    (environment, arguments) -> fold(environment, zero, arguments, BigDecimal::add));
            registry.addCode(
                    "add1f",
                    "func(interface {}) float64",
                    (environment, arguments) ->
                            fold(environment, arguments.getFirst(), List.of(GoInt.of(1)), BigDecimal::add));
            folding(registry, "subf", BigDecimal::subtract);
            folding(registry, "mulf", BigDecimal::multiply);
            folding(registry, "divf", DecimalFunctions::quotient);
        }

        private static void folding(FunctionRegistry.Builder registry, String name, Operation operation) {
            registry.addCode(
                    name,
                    "func(interface {}, ...interface {}) float64",
                    (environment, arguments) ->
                            fold(environment, arguments.getFirst(), SprigArguments.rest(arguments, 1), operation));
        }

        private static GoValue fold(
                ExecutionEnvironment environment, GoValue first, List<GoValue> others, Operation operation)
                throws GoCallException {
            BigDecimal result = decimal(first);
            for (GoValue other : others) {
                // Products of many factors have many digits, and so have sums of very large and very small numbers.
                environment.charge(1 + result.unscaledValue().bitLength() / 16, 0);
                result = operation.apply(result, decimal(other));
            }
            return GoFloat.of(result.doubleValue());
        }

        private static BigDecimal quotient(BigDecimal dividend, BigDecimal divisor) throws GoCallException {
            if (divisor.signum() == 0) {
                throw new GoCallException("decimal division by 0");
            }
            return dividend.divide(divisor, QUOTIENT_DIGITS, RoundingMode.HALF_UP);
        }

        /** The shortest decimal of the float, which is what its author wrote. */
        private static BigDecimal decimal(GoValue value) throws GoCallException {
            double number = NumberCasts.toFloat(value);
            String text = GoNumbers.formatFloat(number, 'e', -1, 64);
            if (Double.isNaN(number) || Double.isInfinite(number)) {
                throw new GoCallException("Cannot create a Decimal from " + text);
            }
            return new BigDecimal(text);
        }
    }

    /** Lists of consecutive integers. */
    private static final class SequenceFunctions {
        private static final GoType INTS = GoTypeParser.parseType("[]int");
        private static final int TYPICAL_DIGITS = 4;

        static void addTo(FunctionRegistry.Builder registry) {
            registry.addCode("until", "func(int) []int", (environment, arguments) -> {
                long end = integer(arguments, 0);
                return steps(environment, 0, end, end < 0 ? -1 : 1);
            });
            registry.addCode(
                    "untilStep",
                    "func(int, int, int) []int",
                    (environment, arguments) ->
                            steps(environment, integer(arguments, 0), integer(arguments, 1), integer(arguments, 2)));
            registry.addCode("seq", "func(...int) string", SequenceFunctions::seq);
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

        // Like the shell's seq: first, step, last; but counts down automatically, and returns nothing without
        // arguments.
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

    /**
     * Converts any value to a number, as leniently as the Go library spf13/cast 1.10: pointers are followed, {@code true} is 1, text is
     * parsed as a number, and any other value is 0.
     */
    static final class NumberCasts {
        /** Go's result of converting a float that does not fit; the language does not define it. */
        private static final long UNREPRESENTABLE = Long.MIN_VALUE;

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
}
