package io.osmhub.core.template.sprig;

import io.osmhub.core.golang.ExecutionEnvironment;
import io.osmhub.core.golang.GoCallException;
import io.osmhub.core.golang.GoFloat;
import io.osmhub.core.golang.GoInt;
import io.osmhub.core.golang.GoValue;
import io.osmhub.core.golang.text.GoNumbers;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;

/** Decimal arithmetic without the errors of binary floats: {@code addf 0.1 0.2} is 0.3. */
final class DecimalFunctions {
    private static final int QUOTIENT_DIGITS = 16;

    @FunctionalInterface
    private interface Operation {
        BigDecimal apply(BigDecimal left, BigDecimal right) throws GoCallException;
    }

    private DecimalFunctions() {}

    static void addTo(FunctionRegistry registry) {
        GoValue zero = GoInt.of(0);
        registry.add(
                "addf",
                "func(...interface {}) float64",
                (environment, arguments) -> fold(environment, zero, arguments, BigDecimal::add));
        registry.add(
                "add1f",
                "func(interface {}) float64",
                (environment, arguments) ->
                        fold(environment, arguments.getFirst(), List.of(GoInt.of(1)), BigDecimal::add));
        folding(registry, "subf", BigDecimal::subtract);
        folding(registry, "mulf", BigDecimal::multiply);
        folding(registry, "divf", DecimalFunctions::quotient);
    }

    private static void folding(FunctionRegistry registry, String name, Operation operation) {
        registry.add(
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
