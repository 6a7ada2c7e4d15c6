package io.osmhub.core.template.go;

import io.osmhub.core.golang.Absent;
import io.osmhub.core.golang.Bool;
import io.osmhub.core.golang.Complex;
import io.osmhub.core.golang.Flt;
import io.osmhub.core.golang.Func;
import io.osmhub.core.golang.Int;
import io.osmhub.core.golang.Kind;
import io.osmhub.core.golang.MapValue;
import io.osmhub.core.golang.Nil;
import io.osmhub.core.golang.Opaque;
import io.osmhub.core.golang.Pointer;
import io.osmhub.core.golang.Slice;
import io.osmhub.core.golang.Str;
import io.osmhub.core.golang.Struct;
import io.osmhub.core.golang.Type;
import io.osmhub.core.golang.Value;

/** Go's rules about any value and any type: truth, nil, what may be assigned to what, and how it then looks. */
final class Reflection {
    private Reflection() {}

    /**
     * Follows pointers to the end. Answers the last pointer when it is nil, and {@link Nil} when an empty interface is behind
     * them.
     */
    static Value followed(Value value) {
        Value target = value;
        while (target instanceof Pointer pointer && pointer.target() != null) {
            target = pointer.target();
        }
        return target;
    }

    /** Whether what {@link #followed} answered is nil, an absent value not being nil. */
    static boolean isNilEnd(Value followed) {
        return followed instanceof Pointer || followed instanceof Nil;
    }

    /** An empty interface counts as no value at all wherever a value, and not a place for one, is looked at. */
    static Value withoutInterface(Value value) {
        return value instanceof Nil ? Absent.ABSENT : value;
    }

    static boolean truth(Value value) {
        return switch (value) {
            case Absent _, Nil _ -> false;
            case Bool bool -> bool.value();
            case Int integer -> integer.value() != 0;
            case Flt floating -> floating.value() != 0;
            case Complex complex -> complex.real() != 0 || complex.imaginary() != 0;
            case Str string -> !string.bytes().isEmpty();
            case Slice slice -> slice.length() > 0;
            case MapValue map -> map.length() > 0;
            case Pointer pointer -> !pointer.isNil();
            case Func function -> function.code() != null;
            case Struct _, Opaque _ -> true;
        };
    }

    /** Whether it is nil or absent. */
    static boolean isNil(Value value) {
        return switch (value) {
            case Absent _, Nil _ -> true;
            case Slice slice -> slice.isNil();
            case MapValue map -> map.isNil();
            case Pointer pointer -> pointer.isNil();
            case Func function -> function.code() == null;
            case Bool _, Int _, Flt _, Complex _, Str _, Struct _, Opaque _ -> false;
        };
    }

    static boolean canBeNil(Type type) {
        return switch (type.kind()) {
            case CHAN, FUNC, INTERFACE, MAP, POINTER, SLICE -> true;
            case STRUCT -> type == Type.REFLECT_VALUE;
            default -> false;
        };
    }

    static boolean isAssignable(Type from, Type to) {
        if (from.equals(to)) {
            return true;
        }
        if (to.isInterface()) {
            return implementsInterface(from, to);
        }
        // Types of the same structure mix, unless both have a name of their own.
        return from.kind() == to.kind()
                && (isUnnamed(from) || isUnnamed(to))
                && Type.named("", from).equals(Type.named("", to));
    }

    private static boolean isUnnamed(Type type) {
        if (!type.name().isEmpty()) {
            return false;
        }
        return switch (type.kind()) {
            case ARRAY, CHAN, FUNC, INTERFACE, MAP, POINTER, SLICE, STRUCT -> true;
            default -> false;
        };
    }

    private static boolean implementsInterface(Type from, Type to) {
        if (to.equals(Type.ANY)) {
            return true;
        }
        if (to.equals(Type.ERROR)) {
            return from.method("Error") != null;
        }
        return to.name().equals("fmt.Stringer") && from.method("String") != null;
    }

    /** The value as one of a type that it may be assigned to. */
    static Value converted(Value value, Type to) {
        if (to.isInterface() || value.type().equals(to)) {
            return value;
        }
        return switch (value) {
            case Absent absent -> absent;
            case Nil nil -> nil;
            case Bool bool -> new Bool(to, bool.value());
            case Int integer -> new Int(to, truncated(to.kind(), integer.value()));
            case Flt floating -> new Flt(to, floating.value());
            case Complex complex -> new Complex(to, complex.real(), complex.imaginary());
            case Str string -> new Str(to, string.bytes());
            case Slice slice -> new Slice(to, slice.items());
            case MapValue map -> new MapValue(to, map.entries());
            case Struct struct -> new Struct(to, struct.fields());
            case Opaque opaque -> new Opaque(to, opaque.payload());
            case Pointer pointer -> new Pointer(to, pointer.target());
            case Func function -> new Func(to, function.code());
        };
    }

    /** The low bits that fit an integer kind, as the long that stands for them. */
    static long truncated(Kind kind, long value) {
        int spare = Long.SIZE - kind.bits();
        return kind.isUnsigned() ? value << spare >>> spare : value << spare >> spare;
    }

    /** The value of a variable that nothing was assigned to. */
    static Value zero(Type type) {
        return switch (type.kind()) {
            case INTERFACE -> type.equals(Type.ANY) ? Nil.ANY : new Nil(type);
            case BOOL -> converted(Bool.FALSE, type);
            case STRING -> converted(Str.EMPTY, type);
            case FLOAT32, FLOAT64 -> new Flt(type, 0);
            case COMPLEX64, COMPLEX128 -> new Complex(type, 0, 0);
            case MAP -> new MapValue(type, null);
            case SLICE, ARRAY -> new Slice(type, null);
            case POINTER -> new Pointer(type, null);
            case FUNC -> new Func(type, null);
            case STRUCT ->
                type == Type.REFLECT_VALUE
                        ? Absent.ABSENT
                        : Struct.of(
                                type,
                                type.fields().stream()
                                        .map(field -> zero(field.type()))
                                        .toList());
            case CHAN -> Nil.ANY;
            case INT, INT8, INT16, INT32, INT64, UINT, UINT8, UINT16, UINT32, UINT64, UINTPTR -> new Int(type, 0);
        };
    }

    /** Whether Go's {@code ==} works for the type; an interface shows only at run time. */
    static boolean isComparable(Type type) {
        return switch (type.kind()) {
            case SLICE, MAP, FUNC -> false;
            case ARRAY -> isComparable(type.elem());
            case STRUCT -> type.fields().stream().allMatch(field -> isComparable(field.type()));
            default -> true;
        };
    }
}
