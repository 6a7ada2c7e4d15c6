package io.osmhub.core.template.handlebars;

import io.osmhub.core.golang.Bool;
import io.osmhub.core.golang.CallFailure;
import io.osmhub.core.golang.Int;
import io.osmhub.core.golang.Str;
import io.osmhub.core.golang.Value;
import io.osmhub.core.version.InvalidVersion;
import io.osmhub.core.version.SemanticVersion;
import io.osmhub.core.version.VersionConstraint;
import java.util.function.LongBinaryOperator;

/** Whole numbers and versions. */
final class NumberHelpers {
    private NumberHelpers() {}

    static void addTo(HelperTable.Builder table) {
        table.add(arithmetic("add", "The sum of whole numbers.", "{{add 1 2 3}}", "6", Math::addExact));
        table.add(
                arithmetic("sub", "The first whole number less the others.", "{{sub 5 2}}", "3", Math::subtractExact));
        table.add(arithmetic("mul", "The product of whole numbers.", "{{mul 2 3}}", "6", Math::multiplyExact));
        table.add(new Helper(
                "semver",
                "CONSTRAINT VERSION",
                2,
                2,
                "Whether a version is one that is wanted; a pre-release only if the constraint names one.",
                "{{semver \">=1.33\" \"v1.34.1\"}}",
                "true",
                NumberHelpers::allows));
    }

    private static Helper arithmetic(
            String name, String description, String example, String result, LongBinaryOperator operator) {
        return new Helper(name, "A B ...", 2, Helper.ANY, description, example, result, arguments -> {
            long number = arguments.number(0);
            for (int i = 1; i < arguments.count(); i++) {
                number = combine(operator, number, arguments.number(i));
            }
            return Int.of(number);
        });
    }

    private static long combine(LongBinaryOperator operator, long left, long right) throws CallFailure {
        try {
            return operator.applyAsLong(left, right);
        } catch (ArithmeticException overflow) {
            throw new CallFailure("the result has more than 64 bits");
        }
    }

    private static Value allows(Arguments arguments) throws CallFailure {
        try {
            VersionConstraint constraint = VersionConstraint.parse(Str.text(arguments.text(0)));
            return Bool.of(constraint.allows(SemanticVersion.parse(Str.text(arguments.text(1)))));
        } catch (InvalidVersion invalid) {
            throw new CallFailure(String.valueOf(invalid.getMessage()));
        }
    }
}
