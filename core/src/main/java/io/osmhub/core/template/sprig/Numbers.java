package io.osmhub.core.template.sprig;

import static io.osmhub.core.template.sprig.Arguments.bytes;
import static io.osmhub.core.template.sprig.Arguments.integer;

import io.osmhub.core.golang.CallFailure;
import io.osmhub.core.golang.Environment;
import io.osmhub.core.golang.Flt;
import io.osmhub.core.golang.Int;
import io.osmhub.core.golang.Value;
import io.osmhub.core.golang.text.GoNumbers;
import io.osmhub.core.golang.text.GoNumbers.ParsedInt;
import java.util.List;
import java.util.function.DoubleBinaryOperator;
import java.util.function.DoubleUnaryOperator;
import java.util.function.LongBinaryOperator;

/** Arithmetic on whatever can be read as a number. Integers have 64 bits and wrap around. */
final class Numbers {
    private static final String ANY_TO_INT64 = "func(interface {}) int64";
    private static final String ANY_TO_FLOAT = "func(interface {}) float64";

    private Numbers() {}

    static void addTo(Registry registry) {
        registry.add(
                "int", "func(interface {}) int", (environment, arguments) -> Int.of(Casts.toInt(arguments.getFirst())));
        registry.add("int64", ANY_TO_INT64, (environment, arguments) -> Int.int64(Casts.toInt(arguments.getFirst())));
        registry.add("float64", ANY_TO_FLOAT, (environment, arguments) -> Flt.of(Casts.toFloat(arguments.getFirst())));
        registry.add(
                "atoi",
                "func(string) int",
                (environment, arguments) ->
                        Int.of(GoNumbers.readAtoi(bytes(arguments, 0)).value()));
        registry.add("toDecimal", ANY_TO_INT64, Numbers::toDecimal);

        registry.add(
                "add",
                "func(...interface {}) int64",
                (environment, arguments) -> fold(environment, 0, arguments, Long::sum));
        registry.add(
                "add1", ANY_TO_INT64, (environment, arguments) -> Int.int64(Casts.toInt(arguments.getFirst()) + 1));
        registry.add(
                "sub",
                "func(interface {}, interface {}) int64",
                (environment, arguments) -> Int.int64(Casts.toInt(arguments.get(0)) - Casts.toInt(arguments.get(1))));
        registry.add(
                "div",
                "func(interface {}, interface {}) int64",
                (environment, arguments) -> Int.int64(Casts.toInt(arguments.get(0)) / divisor(arguments)));
        registry.add(
                "mod",
                "func(interface {}, interface {}) int64",
                (environment, arguments) -> Int.int64(Casts.toInt(arguments.get(0)) % divisor(arguments)));
        folding(registry, "mul", (left, right) -> left * right);
        folding(registry, "max", Math::max);
        folding(registry, "biggest", Math::max);
        folding(registry, "min", Math::min);
        foldingFloats(registry, "maxf", Numbers::larger);
        foldingFloats(registry, "minf", (left, right) -> -larger(-left, -right));

        ofFloat(registry, "ceil", Math::ceil);
        ofFloat(registry, "floor", Math::floor);
        registry.add(
                "round",
                "func(interface {}, int, ...float64) float64",
                (environment, arguments) -> Flt.of(Rounding.round(
                        Casts.toFloat(arguments.getFirst()),
                        integer(arguments, 1),
                        arguments.size() > 2 ? ((Flt) arguments.get(2)).value() : 0.5)));
        registry.add("randInt", "func(int, int) int", Numbers::randInt);
    }

    private static void folding(Registry registry, String name, LongBinaryOperator operator) {
        registry.add(
                name,
                "func(interface {}, ...interface {}) int64",
                (environment, arguments) ->
                        fold(environment, Casts.toInt(arguments.getFirst()), Arguments.rest(arguments, 1), operator));
    }

    private static Value fold(Environment environment, long first, List<Value> others, LongBinaryOperator operator) {
        environment.charge(others.size(), 0);
        long result = first;
        for (Value other : others) {
            result = operator.applyAsLong(result, Casts.toInt(other));
        }
        return Int.int64(result);
    }

    private static void foldingFloats(Registry registry, String name, DoubleBinaryOperator operator) {
        registry.add(name, "func(interface {}, ...interface {}) float64", (environment, arguments) -> {
            environment.charge(arguments.size(), 0);
            double result = Casts.toFloat(arguments.getFirst());
            for (Value other : Arguments.rest(arguments, 1)) {
                result = operator.applyAsDouble(result, Casts.toFloat(other));
            }
            return Flt.of(result);
        });
    }

    // In Go an infinity wins over NaN.
    private static double larger(double left, double right) {
        boolean infinite = left == Double.POSITIVE_INFINITY || right == Double.POSITIVE_INFINITY;
        return infinite ? Double.POSITIVE_INFINITY : Math.max(left, right);
    }

    private static void ofFloat(Registry registry, String name, DoubleUnaryOperator operator) {
        registry.add(
                name,
                ANY_TO_FLOAT,
                (environment, arguments) -> Flt.of(operator.applyAsDouble(Casts.toFloat(arguments.getFirst()))));
    }

    private static long divisor(List<Value> arguments) throws CallFailure {
        long divisor = Casts.toInt(arguments.get(1));
        if (divisor == 0) {
            throw new CallFailure("runtime error: integer divide by zero");
        }
        return divisor;
    }

    /** Reads the printed value as an octal number. */
    private static Value toDecimal(Environment environment, List<Value> arguments) {
        String octal = Texts.printed(environment, arguments.getFirst());
        ParsedInt read = GoNumbers.readInt(octal, 8, 64);
        return Int.int64(read.problem() == null ? read.value() : 0);
    }

    private static Value randInt(Environment environment, List<Value> arguments) throws CallFailure {
        long low = integer(arguments, 0);
        long range = integer(arguments, 1) - low;
        if (range <= 0) {
            throw new CallFailure("invalid argument to Intn");
        }
        return Int.of(low + environment.random().nextLong(range));
    }
}
