package io.osmhub.core.template.handlebars;

import io.osmhub.core.golang.GoBool;
import io.osmhub.core.golang.GoCallException;
import io.osmhub.core.golang.GoInt;
import io.osmhub.core.golang.GoString;
import io.osmhub.core.golang.GoValue;
import io.osmhub.core.version.InvalidVersionException;
import io.osmhub.core.version.SemanticVersion;
import io.osmhub.core.version.VersionConstraint;
import java.util.function.LongBinaryOperator;

/** Integers and versions. */
final class NumberHelpers {
    private NumberHelpers() {}

    static void addTo(HelperTable.Builder table) {
        table.add(arithmetic("add", "The sum of whole numbers.", "{{add 1 2 3}}", "6", Math::addExact));
        table.add(
                arithmetic("sub", "The first whole number less the others.", "{{sub 5 2}}", "3", Math::subtractExact));
        table.add(arithmetic("mul", "The product of whole numbers.", "{{mul 2 3}}", "6", Math::multiplyExact));
        table.add(new HelperDefinition(
                "semver",
                "CONSTRAINT VERSION",
                2,
                2,
                "Whether a version satisfies a constraint; a pre-release only if the constraint has one.",
                "{{semver \">=1.33\" \"v1.34.1\"}}",
                "true",
                NumberHelpers::allows));
    }

    private static HelperDefinition arithmetic(
            String name, String description, String example, String result, LongBinaryOperator operator) {
        return new HelperDefinition(
                name, "A B ...", 2, HelperDefinition.ANY, description, example, result, arguments -> {
                    long number = arguments.number(0);
                    for (int i = 1; i < arguments.count(); i++) {
                        number = combine(operator, number, arguments.number(i));
                    }
                    return GoInt.of(number);
                });
    }

    private static long combine(LongBinaryOperator operator, long left, long right) throws GoCallException {
        try {
            return operator.applyAsLong(left, right);
        } catch (ArithmeticException overflow) {
            throw new GoCallException("the result exceeds 64 bits");
        }
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
