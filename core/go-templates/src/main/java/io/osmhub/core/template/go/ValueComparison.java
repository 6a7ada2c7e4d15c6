package io.osmhub.core.template.go;

import io.osmhub.core.golang.ExecutionEnvironment;
import io.osmhub.core.golang.GoCallException;
import io.osmhub.core.golang.GoType.GoKind;
import io.osmhub.core.golang.GoValue;
import io.osmhub.core.golang.GoValue.GoBool;
import io.osmhub.core.golang.GoValue.GoFloat;
import io.osmhub.core.golang.GoValue.GoInt;
import io.osmhub.core.golang.GoValue.GoNoValue;
import io.osmhub.core.golang.GoValue.GoPointer;
import io.osmhub.core.golang.GoValue.GoString;
import io.osmhub.core.golang.GoValue.GoStruct;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * {@code eq}, {@code lt} and others. Only values of one basic kind are comparable, independent of width and name; integers are
 * comparable with each other, signed or not.
 */
final class ValueComparison {
    /** Characters compared per step of the budget. */
    private static final int CHARS_PER_STEP = 4_096;

    private ValueComparison() {}

    /** One kind for all numbers or texts that are comparable with each other; null for a value that has none. */
    private static @Nullable GoKind basicKind(GoValue value) {
        return switch (value) {
            case GoString _ -> GoKind.STRING;
            case GoBool _ -> GoKind.BOOL;
            case GoInt integer -> integer.kind().isSigned() ? GoKind.INT64 : GoKind.UINT64;
            case GoFloat _ -> GoKind.FLOAT64;
            default -> null;
        };
    }

    private static void charge(ExecutionEnvironment environment, List<GoValue> values) {
        long chars = 0;
        for (GoValue value : values) {
            chars += value instanceof GoString text ? text.bytes().length() : 0;
        }
        environment.charge(chars / CHARS_PER_STEP, 0);
    }

    /** Whether the first equals any of the others. */
    static boolean isEqual(ExecutionEnvironment environment, List<GoValue> values) throws GoCallException {
        if (values.size() == 1) {
            throw new GoCallException("missing argument for comparison");
        }
        charge(environment, values);
        GoValue first = GoReflection.unwrapInterface(values.getFirst());
        for (int i = 1; i < values.size(); i++) {
            if (isEqual(first, GoReflection.unwrapInterface(values.get(i)))) {
                return true;
            }
        }
        return false;
    }

    private static boolean isEqual(GoValue a, GoValue b) throws GoCallException {
        GoKind kind = basicKind(a);
        if (a instanceof GoInt x && b instanceof GoInt y) {
            return x.value() == y.value() && (kind == basicKind(b) || x.value() >= 0);
        }
        if (kind != basicKind(b)) {
            if (a == GoNoValue.ABSENT || b == GoNoValue.ABSENT) {
                return false;
            }
            throw incompatible(a, b);
        }
        return kind == null ? equalOther(a, b) : equalBasic(a, b);
    }

    private static boolean equalBasic(GoValue a, GoValue b) {
        return switch (a) {
            case GoString x -> x.bytes().equals(((GoString) b).bytes());
            case GoBool x -> x.value() == ((GoBool) b).value();
            case GoInt x -> x.value() == ((GoInt) b).value();
            case GoFloat x -> x.value() == ((GoFloat) b).value();
            default -> throw new IllegalStateException("not a basic value: " + a.type());
        };
    }

    private static boolean equalOther(GoValue a, GoValue b) throws GoCallException {
        boolean someAbsent = a == GoNoValue.ABSENT || b == GoNoValue.ABSENT;
        if (!someAbsent && a.kind() != b.kind()) {
            throw new GoCallException("non-comparable types " + a.type() + " and " + b.type());
        }
        if (GoReflection.isNil(a) || GoReflection.isNil(b)) {
            return GoReflection.isNil(a) == GoReflection.isNil(b);
        }
        if (!GoReflection.isComparable(b.type())) {
            throw new GoCallException("non-comparable type " + b.type());
        }
        return isIdentical(a, b);
    }

    private static GoCallException incompatible(GoValue a, GoValue b) {
        return new GoCallException("incompatible types for comparison: " + a.type() + " and " + b.type());
    }

    /** Go's {@code ==} of two interfaces. */
    private static boolean isIdentical(GoValue a, GoValue b) {
        if (!a.type().equals(b.type())) {
            return false;
        }
        return switch (a) {
            // Small ints and the bools are shared here although Go would have them at different addresses.
            case GoPointer x ->
                a == b
                        || x.target() == ((GoPointer) b).target()
                                && !(x.target() instanceof GoBool || x.target() instanceof GoInt);
            case GoStruct x -> hasSameFields(x, (GoStruct) b);
            default -> basicKind(a) == null ? a.equals(b) : equalBasic(a, b);
        };
    }

    private static boolean hasSameFields(GoStruct a, GoStruct b) {
        for (int i = 0; i < a.type().fields().size(); i++) {
            if (!isIdentical(a.field(i), b.field(i))) {
                return false;
            }
        }
        return true;
    }

    /** Whether the first is less than the second. */
    static boolean isLess(ExecutionEnvironment environment, List<GoValue> values) throws GoCallException {
        charge(environment, values);
        GoValue a = GoReflection.unwrapInterface(values.get(0));
        GoValue b = GoReflection.unwrapInterface(values.get(1));
        GoKind kind = basicKind(a);
        GoKind otherKind = basicKind(b);
        if (kind == null || otherKind == null || kind == GoKind.BOOL && otherKind == GoKind.BOOL) {
            throw new GoCallException("invalid type for comparison");
        }
        if (a instanceof GoInt x && b instanceof GoInt y) {
            return isLess(x.value(), kind == GoKind.INT64, y.value(), otherKind == GoKind.INT64);
        }
        if (a instanceof GoString x && b instanceof GoString y) {
            return x.bytes().compareTo(y.bytes()) < 0;
        }
        if (a instanceof GoFloat x && b instanceof GoFloat y) {
            return x.value() < y.value();
        }
        throw incompatible(a, b);
    }

    private static boolean isLess(long a, boolean aSigned, long b, boolean bSigned) {
        if (aSigned && bSigned) {
            return a < b;
        }
        boolean aNegative = aSigned && a < 0;
        boolean bNegative = bSigned && b < 0;
        return aNegative || !bNegative && Long.compareUnsigned(a, b) < 0;
    }

    static boolean isLessOrEqual(ExecutionEnvironment environment, List<GoValue> values) throws GoCallException {
        return isLess(environment, values) || isEqual(environment, values);
    }
}
