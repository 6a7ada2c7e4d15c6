package io.osmhub.core.template.go;

import io.osmhub.core.golang.ExecutionEnvironment;
import io.osmhub.core.golang.GoCallException;
import io.osmhub.core.golang.GoType;
import io.osmhub.core.golang.GoType.GoKind;
import io.osmhub.core.golang.GoValue;
import io.osmhub.core.golang.GoValue.GoBool;
import io.osmhub.core.golang.GoValue.GoComplex;
import io.osmhub.core.golang.GoValue.GoFloat;
import io.osmhub.core.golang.GoValue.GoInt;
import io.osmhub.core.golang.GoValue.GoNoValue;
import io.osmhub.core.golang.GoValue.GoOpaque;
import io.osmhub.core.golang.GoValue.GoPointer;
import io.osmhub.core.golang.GoValue.GoString;
import io.osmhub.core.golang.GoValue.GoStruct;
import io.osmhub.core.golang.text.GoPrint;
import java.util.List;

/**
 * {@code eq}, {@code lt} and others. Only values of one basic kind are comparable, independent of width and name; integers are
 * comparable with each other, signed or not.
 */
final class ValueComparison {
    private static final String BAD_TYPE = "invalid type for comparison";

    /** Characters compared per step of the budget. */
    private static final int CHARS_PER_STEP = 4_096;

    private enum BasicKind {
        BOOL,
        COMPLEX,
        FLOAT,
        SIGNED,
        STRING,
        UNSIGNED,
        OTHER
    }

    private ValueComparison() {}

    private static BasicKind sort(GoValue value) {
        if (value == GoNoValue.ABSENT) {
            return BasicKind.OTHER;
        }
        GoKind kind = value.kind();
        if (kind == GoKind.STRING) {
            return BasicKind.STRING;
        }
        if (kind == GoKind.BOOL) {
            return BasicKind.BOOL;
        }
        if (kind.isSigned()) {
            return BasicKind.SIGNED;
        }
        if (kind.isUnsigned()) {
            return BasicKind.UNSIGNED;
        }
        return kind.isFloat() ? BasicKind.FLOAT : kind.isComplex() ? BasicKind.COMPLEX : BasicKind.OTHER;
    }

    /** Whether the first equals any of the others. */
    static boolean isEqual(ExecutionEnvironment environment, List<GoValue> arguments) throws GoCallException {
        if (arguments.size() == 1) {
            throw new GoCallException("missing argument for comparison");
        }
        GoValue first = GoReflection.unwrapInterface(arguments.getFirst());
        for (int i = 1; i < arguments.size(); i++) {
            if (isEqual(environment, first, GoReflection.unwrapInterface(arguments.get(i)))) {
                return true;
            }
        }
        return false;
    }

    private static boolean isEqual(ExecutionEnvironment environment, GoValue a, GoValue b) throws GoCallException {
        BasicKind sort = sort(a);
        if (a instanceof GoInt x && b instanceof GoInt y) {
            return x.value() == y.value() && (sort == sort(b) || x.value() >= 0);
        }
        if (sort != sort(b)) {
            if (a == GoNoValue.ABSENT || b == GoNoValue.ABSENT) {
                return false;
            }
            throw incompatible(a, b);
        }
        return sort == BasicKind.OTHER ? equalOther(environment, a, b) : equalBasic(environment, a, b);
    }

    private static boolean equalBasic(ExecutionEnvironment environment, GoValue a, GoValue b) {
        return switch (a) {
            case GoString x -> equalText(environment, x.bytes(), ((GoString) b).bytes());
            case GoBool x -> x.value() == ((GoBool) b).value();
            case GoInt x -> x.value() == ((GoInt) b).value();
            case GoFloat x -> x.value() == ((GoFloat) b).value();
            case GoComplex x -> x.real() == ((GoComplex) b).real() && x.imaginary() == ((GoComplex) b).imaginary();
            default -> throw new IllegalStateException("no basic value: " + a.type());
        };
    }

    private static boolean equalText(ExecutionEnvironment environment, String a, String b) {
        environment.charge(a.length() == b.length() ? a.length() / CHARS_PER_STEP : 0, 0);
        return a.equals(b);
    }

    private static boolean lessText(ExecutionEnvironment environment, String a, String b) {
        environment.charge(Math.min(a.length(), b.length()) / CHARS_PER_STEP, 0);
        return a.compareTo(b) < 0;
    }

    private static boolean equalOther(ExecutionEnvironment environment, GoValue a, GoValue b) throws GoCallException {
        boolean someAbsent = a == GoNoValue.ABSENT || b == GoNoValue.ABSENT;
        if (!someAbsent && a.kind() != b.kind()) {
            throw new GoCallException("non-comparable types " + shown(environment, a) + ": " + a.type() + ", "
                    + b.type() + ": " + GoPrint.sprint(environment, List.of(b)));
        }
        if (GoReflection.isNil(a) || GoReflection.isNil(b)) {
            return GoReflection.isNil(a) == GoReflection.isNil(b);
        }
        if (!GoReflection.isComparable(b.type())) {
            throw new GoCallException("non-comparable type " + shown(environment, b) + ": " + b.type());
        }
        return identical(environment, a, b);
    }

    private static GoCallException incompatible(GoValue a, GoValue b) {
        return new GoCallException("incompatible types for comparison: " + a.type() + " and " + b.type());
    }

    private static String shown(ExecutionEnvironment environment, GoValue value) {
        return GoPrint.sprintf(environment, "%s", List.of(value));
    }

    /** Go's {@code ==} of two interfaces. */
    private static boolean identical(ExecutionEnvironment environment, GoValue a, GoValue b) {
        if (!a.type().equals(b.type())) {
            return false;
        }
        return switch (a) {
            // Small ints and the bools are shared here although Go would have them at different addresses.
            case GoPointer x ->
                a == b
                        || x.target() == ((GoPointer) b).target()
                                && !(x.target() instanceof GoBool || x.target() instanceof GoInt);
            case GoStruct x -> sameFields(environment, x, (GoStruct) b);
            case GoOpaque x -> x.payload().equals(((GoOpaque) b).payload());
            default -> a.equals(b);
        };
    }

    private static boolean sameFields(ExecutionEnvironment environment, GoStruct a, GoStruct b) {
        List<GoType.Field> fields = a.type().fields();
        for (int i = 0; i < fields.size(); i++) {
            GoValue x = a.field(i);
            GoValue y = b.field(i);
            boolean basic = sort(x) != BasicKind.OTHER && x.type().equals(y.type());
            if (!(basic ? equalBasic(environment, x, y) : identical(environment, x, y))) {
                return false;
            }
        }
        return true;
    }

    static boolean isLess(ExecutionEnvironment environment, GoValue first, GoValue second) throws GoCallException {
        GoValue a = GoReflection.unwrapInterface(first);
        GoValue b = GoReflection.unwrapInterface(second);
        BasicKind sort = sort(a);
        BasicKind other = sort(b);
        if (sort == BasicKind.OTHER || other == BasicKind.OTHER) {
            throw new GoCallException(BAD_TYPE);
        }
        if (a instanceof GoInt x && b instanceof GoInt y) {
            return lessInteger(x.value(), sort == BasicKind.SIGNED, y.value(), other == BasicKind.SIGNED);
        }
        if (sort != other) {
            throw incompatible(a, b);
        }
        return switch (a) {
            case GoString x -> lessText(environment, x.bytes(), ((GoString) b).bytes());
            case GoFloat x -> x.value() < ((GoFloat) b).value();
            default -> throw new GoCallException(BAD_TYPE);
        };
    }

    private static boolean lessInteger(long a, boolean aSigned, long b, boolean bSigned) {
        if (aSigned && bSigned) {
            return a < b;
        }
        boolean aNegative = aSigned && a < 0;
        boolean bNegative = bSigned && b < 0;
        return aNegative || !bNegative && Long.compareUnsigned(a, b) < 0;
    }

    static boolean isLessOrEqual(ExecutionEnvironment environment, GoValue a, GoValue b) throws GoCallException {
        return isLess(environment, a, b) || isEqual(environment, List.of(a, b));
    }
}
