package io.osmhub.core.template.go;

import io.osmhub.core.golang.Absent;
import io.osmhub.core.golang.Bool;
import io.osmhub.core.golang.CallFailure;
import io.osmhub.core.golang.Complex;
import io.osmhub.core.golang.Environment;
import io.osmhub.core.golang.Flt;
import io.osmhub.core.golang.Int;
import io.osmhub.core.golang.Kind;
import io.osmhub.core.golang.Opaque;
import io.osmhub.core.golang.Pointer;
import io.osmhub.core.golang.Str;
import io.osmhub.core.golang.Struct;
import io.osmhub.core.golang.Type;
import io.osmhub.core.golang.Value;
import io.osmhub.core.golang.text.GoPrint;
import java.util.List;

/**
 * {@code eq}, {@code lt} and their like. Only values of one basic sort compare, whatever their width or name; integers compare
 * with each other, signed or not.
 */
final class Comparison {
    private static final String BAD_TYPE = "invalid type for comparison";

    /** A step of the budget compares this many characters. */
    private static final int CHARS_PER_STEP = 4_096;

    private enum Sort {
        BOOL,
        COMPLEX,
        FLOAT,
        SIGNED,
        STRING,
        UNSIGNED,
        OTHER
    }

    private Comparison() {}

    private static Sort sort(Value value) {
        if (value == Absent.ABSENT) {
            return Sort.OTHER;
        }
        Kind kind = value.kind();
        if (kind == Kind.STRING) {
            return Sort.STRING;
        }
        if (kind == Kind.BOOL) {
            return Sort.BOOL;
        }
        if (kind.isSigned()) {
            return Sort.SIGNED;
        }
        if (kind.isUnsigned()) {
            return Sort.UNSIGNED;
        }
        return kind.isFloat() ? Sort.FLOAT : kind.isComplex() ? Sort.COMPLEX : Sort.OTHER;
    }

    /** Whether the first equals any of the others. */
    static boolean equal(Environment environment, List<Value> arguments) throws CallFailure {
        if (arguments.size() == 1) {
            throw new CallFailure("missing argument for comparison");
        }
        Value first = Reflection.withoutInterface(arguments.getFirst());
        for (int i = 1; i < arguments.size(); i++) {
            if (equal(environment, first, Reflection.withoutInterface(arguments.get(i)))) {
                return true;
            }
        }
        return false;
    }

    private static boolean equal(Environment environment, Value a, Value b) throws CallFailure {
        Sort sort = sort(a);
        if (a instanceof Int x && b instanceof Int y) {
            return x.value() == y.value() && (sort == sort(b) || x.value() >= 0);
        }
        if (sort != sort(b)) {
            if (a == Absent.ABSENT || b == Absent.ABSENT) {
                return false;
            }
            throw incompatible(a, b);
        }
        return sort == Sort.OTHER ? equalOther(environment, a, b) : equalBasic(environment, a, b);
    }

    private static boolean equalBasic(Environment environment, Value a, Value b) {
        return switch (a) {
            case Str x -> equalText(environment, x.bytes(), ((Str) b).bytes());
            case Bool x -> x.value() == ((Bool) b).value();
            case Int x -> x.value() == ((Int) b).value();
            case Flt x -> x.value() == ((Flt) b).value();
            case Complex x -> x.real() == ((Complex) b).real() && x.imaginary() == ((Complex) b).imaginary();
            default -> throw new IllegalStateException("no basic value: " + a.type());
        };
    }

    private static boolean equalText(Environment environment, String a, String b) {
        environment.charge(a.length() == b.length() ? a.length() / CHARS_PER_STEP : 0, 0);
        return a.equals(b);
    }

    private static boolean lessText(Environment environment, String a, String b) {
        environment.charge(Math.min(a.length(), b.length()) / CHARS_PER_STEP, 0);
        return a.compareTo(b) < 0;
    }

    private static boolean equalOther(Environment environment, Value a, Value b) throws CallFailure {
        boolean someAbsent = a == Absent.ABSENT || b == Absent.ABSENT;
        if (!someAbsent && a.kind() != b.kind()) {
            throw new CallFailure("non-comparable types " + shown(environment, a) + ": " + a.type() + ", " + b.type()
                    + ": " + GoPrint.sprint(environment, List.of(b)));
        }
        if (Reflection.isNil(a) || Reflection.isNil(b)) {
            return Reflection.isNil(a) == Reflection.isNil(b);
        }
        if (!Reflection.isComparable(b.type())) {
            throw new CallFailure("non-comparable type " + shown(environment, b) + ": " + b.type());
        }
        return identical(environment, a, b);
    }

    private static CallFailure incompatible(Value a, Value b) {
        return new CallFailure("incompatible types for comparison: " + a.type() + " and " + b.type());
    }

    private static String shown(Environment environment, Value value) {
        return GoPrint.sprintf(environment, "%s", List.of(value));
    }

    /** Go's {@code ==} of two interfaces. */
    private static boolean identical(Environment environment, Value a, Value b) {
        if (!a.type().equals(b.type())) {
            return false;
        }
        return switch (a) {
            // Small ints and the bools are shared here although Go would have them at different addresses.
            case Pointer x ->
                a == b
                        || x.target() == ((Pointer) b).target()
                                && !(x.target() instanceof Bool || x.target() instanceof Int);
            case Struct x -> sameFields(environment, x, (Struct) b);
            case Opaque x -> x.payload().equals(((Opaque) b).payload());
            default -> a.equals(b);
        };
    }

    private static boolean sameFields(Environment environment, Struct a, Struct b) {
        List<Type.Field> fields = a.type().fields();
        for (int i = 0; i < fields.size(); i++) {
            Value x = a.field(i);
            Value y = b.field(i);
            boolean basic = sort(x) != Sort.OTHER && x.type().equals(y.type());
            if (!(basic ? equalBasic(environment, x, y) : identical(environment, x, y))) {
                return false;
            }
        }
        return true;
    }

    static boolean less(Environment environment, Value first, Value second) throws CallFailure {
        Value a = Reflection.withoutInterface(first);
        Value b = Reflection.withoutInterface(second);
        Sort sort = sort(a);
        Sort other = sort(b);
        if (sort == Sort.OTHER || other == Sort.OTHER) {
            throw new CallFailure(BAD_TYPE);
        }
        if (a instanceof Int x && b instanceof Int y) {
            return lessInteger(x.value(), sort == Sort.SIGNED, y.value(), other == Sort.SIGNED);
        }
        if (sort != other) {
            throw incompatible(a, b);
        }
        return switch (a) {
            case Str x -> lessText(environment, x.bytes(), ((Str) b).bytes());
            case Flt x -> x.value() < ((Flt) b).value();
            default -> throw new CallFailure(BAD_TYPE);
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

    static boolean lessOrEqual(Environment environment, Value a, Value b) throws CallFailure {
        return less(environment, a, b) || equal(environment, List.of(a, b));
    }
}
