package io.osmhub.core.template.sprig;

import io.osmhub.core.golang.CallFailure;
import io.osmhub.core.golang.Environment;
import io.osmhub.core.golang.Flt;
import io.osmhub.core.golang.Int;
import io.osmhub.core.golang.Value;
import io.osmhub.core.golang.text.GoNumbers;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;

/** Sums and products of fractions without the errors of binary floats: {@code addf 0.1 0.2} is 0.3. */
final class Decimals {
    private static final int QUOTIENT_DIGITS = 16;

    @FunctionalInterface
    private interface Operation {
        BigDecimal apply(BigDecimal left, BigDecimal right) throws CallFailure;
    }

    private Decimals() {}

    static void addTo(Registry registry) {
        Value zero = Int.of(0);
        registry.add(
                "addf",
                "func(...interface {}) float64",
                (environment, arguments) -> fold(environment, zero, arguments, BigDecimal::add));
        registry.add(
                "add1f",
                "func(interface {}) float64",
                (environment, arguments) ->
                        fold(environment, arguments.getFirst(), List.of(Int.of(1)), BigDecimal::add));
        folding(registry, "subf", BigDecimal::subtract);
        folding(registry, "mulf", BigDecimal::multiply);
        folding(registry, "divf", Decimals::quotient);
    }

    private static void folding(Registry registry, String name, Operation operation) {
        registry.add(
                name,
                "func(interface {}, ...interface {}) float64",
                (environment, arguments) ->
                        fold(environment, arguments.getFirst(), Arguments.rest(arguments, 1), operation));
    }

    private static Value fold(Environment environment, Value first, List<Value> others, Operation operation)
            throws CallFailure {
        BigDecimal result = decimal(first);
        for (Value other : others) {
            // Products of many factors become long numbers, and so do sums of very large and very small ones.
            environment.charge(1 + result.unscaledValue().bitLength() / 16, 0);
            result = operation.apply(result, decimal(other));
        }
        return Flt.of(result.doubleValue());
    }

    private static BigDecimal quotient(BigDecimal dividend, BigDecimal divisor) throws CallFailure {
        if (divisor.signum() == 0) {
            throw new CallFailure("decimal division by 0");
        }
        return dividend.divide(divisor, QUOTIENT_DIGITS, RoundingMode.HALF_UP);
    }

    /** The shortest decimal that stands for the float, which is what its author wrote. */
    private static BigDecimal decimal(Value value) throws CallFailure {
        double number = Casts.toFloat(value);
        String text = GoNumbers.formatFloat(number, 'e', -1, 64);
        if (Double.isNaN(number) || Double.isInfinite(number)) {
            throw new CallFailure("Cannot create a Decimal from " + text);
        }
        return new BigDecimal(text);
    }
}
