package io.osmhub.core.template.sprig;

import static io.osmhub.core.template.sprig.SprigArguments.bytes;
import static io.osmhub.core.template.sprig.SprigArguments.integer;

import io.osmhub.core.golang.ExecutionEnvironment;
import io.osmhub.core.golang.GoCallException;
import io.osmhub.core.golang.GoFloat;
import io.osmhub.core.golang.GoInt;
import io.osmhub.core.golang.GoValue;
import io.osmhub.core.golang.text.GoNumbers;
import io.osmhub.core.golang.text.GoNumbers.ParsedInt;
import java.util.List;
import java.util.function.DoubleBinaryOperator;
import java.util.function.DoubleUnaryOperator;
import java.util.function.LongBinaryOperator;

/** Arithmetic on any values that convert to numbers. Integers have 64 bits and wrap around. */
final class NumberFunctions {
    private static final String ANY_TO_INT64 = "func(interface {}) int64";
    private static final String ANY_TO_FLOAT = "func(interface {}) float64";

    private NumberFunctions() {}

    static void addTo(FunctionRegistry registry) {
        registry.add(
                "int",
                "func(interface {}) int",
                (environment, arguments) -> GoInt.of(NumberCasts.toInt(arguments.getFirst())));
        registry.add(
                "int64",
                ANY_TO_INT64,
                (environment, arguments) -> GoInt.int64(NumberCasts.toInt(arguments.getFirst())));
        registry.add(
                "float64",
                ANY_TO_FLOAT,
                (environment, arguments) -> GoFloat.of(NumberCasts.toFloat(arguments.getFirst())));
        registry.add(
                "atoi",
                "func(string) int",
                (environment, arguments) ->
                        GoInt.of(GoNumbers.readAtoi(bytes(arguments, 0)).value()));
        registry.add("toDecimal", ANY_TO_INT64, NumberFunctions::toDecimal);

        registry.add(
                "add",
                "func(...interface {}) int64",
                (environment, arguments) -> fold(environment, 0, arguments, Long::sum));
        registry.add(
                "add1",
                ANY_TO_INT64,
                (environment, arguments) -> GoInt.int64(NumberCasts.toInt(arguments.getFirst()) + 1));
        registry.add(
                "sub",
                "func(interface {}, interface {}) int64",
                (environment, arguments) ->
                        GoInt.int64(NumberCasts.toInt(arguments.get(0)) - NumberCasts.toInt(arguments.get(1))));
        registry.add(
                "div",
                "func(interface {}, interface {}) int64",
                (environment, arguments) -> GoInt.int64(NumberCasts.toInt(arguments.get(0)) / divisor(arguments)));
        registry.add(
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
        registry.add(
                "round",
                "func(interface {}, int, ...float64) float64",
                (environment, arguments) -> GoFloat.of(Rounding.round(
                        NumberCasts.toFloat(arguments.getFirst()),
                        integer(arguments, 1),
                        arguments.size() > 2 ? ((GoFloat) arguments.get(2)).value() : 0.5)));
        registry.add("randInt", "func(int, int) int", NumberFunctions::randInt);
    }

    private static void folding(FunctionRegistry registry, String name, LongBinaryOperator operator) {
        registry.add(
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

    private static void foldingFloats(FunctionRegistry registry, String name, DoubleBinaryOperator operator) {
        registry.add(name, "func(interface {}, ...interface {}) float64", (environment, arguments) -> {
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

    private static void ofFloat(FunctionRegistry registry, String name, DoubleUnaryOperator operator) {
        registry.add(
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

    private static GoValue randInt(ExecutionEnvironment environment, List<GoValue> arguments) throws GoCallException {
        long low = integer(arguments, 0);
        long range = integer(arguments, 1) - low;
        if (range <= 0) {
            throw new GoCallException("invalid argument to Intn");
        }
        return GoInt.of(low + environment.random().nextLong(range));
    }
}
