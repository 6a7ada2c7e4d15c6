package io.osmhub.core.template.go;

import io.osmhub.core.golang.GoType;
import io.osmhub.core.golang.GoType.GoKind;
import io.osmhub.core.golang.GoValue;
import io.osmhub.core.golang.GoValue.GoBool;
import io.osmhub.core.golang.GoValue.GoFloat;
import io.osmhub.core.golang.GoValue.GoFunction;
import io.osmhub.core.golang.GoValue.GoInt;
import io.osmhub.core.golang.GoValue.GoMap;
import io.osmhub.core.golang.GoValue.GoNil;
import io.osmhub.core.golang.GoValue.GoNoValue;
import io.osmhub.core.golang.GoValue.GoPointer;
import io.osmhub.core.golang.GoValue.GoSlice;
import io.osmhub.core.golang.GoValue.GoString;
import io.osmhub.core.golang.GoValue.GoStruct;

/** Go's rules for values and types: truth, nil, assignability and conversion. */
final class GoReflection {
    private GoReflection() {}

    /** Follows pointers to the end. Returns the last pointer if it is nil, and {@link GoNil} for an empty interface behind them. */
    static GoValue dereference(GoValue value) {
        GoValue target = value;
        while (target instanceof GoPointer pointer && pointer.target() != null) {
            target = pointer.target();
        }
        return target;
    }

    /** Whether the result of {@link #dereference} is nil; an absent value is not. */
    static boolean isNilTarget(GoValue followed) {
        return followed instanceof GoPointer || followed instanceof GoNil;
    }

    /** An empty interface counts as no value where a value, not its location, is inspected. */
    static GoValue unwrapInterface(GoValue value) {
        return value instanceof GoNil ? GoNoValue.ABSENT : value;
    }

    static boolean isTrue(GoValue value) {
        return switch (value) {
            case GoNoValue _, GoNil _ -> false;
            case GoBool bool -> bool.value();
            case GoInt integer -> integer.value() != 0;
            case GoFloat floating -> floating.value() != 0;
            case GoString string -> !string.bytes().isEmpty();
            case GoSlice slice -> slice.length() > 0;
            case GoMap map -> map.length() > 0;
            case GoPointer pointer -> !pointer.isNil();
            case GoFunction function -> function.code() != null;
            case GoStruct _ -> true;
        };
    }

    static boolean isNil(GoValue value) {
        return switch (value) {
            case GoNoValue _, GoNil _ -> true;
            case GoSlice slice -> slice.isNil();
            case GoMap map -> map.isNil();
            case GoPointer pointer -> pointer.isNil();
            case GoFunction function -> function.code() == null;
            case GoBool _, GoInt _, GoFloat _, GoString _, GoStruct _ -> false;
        };
    }

    static boolean canBeNil(GoType type) {
        return switch (type.kind()) {
            case FUNC, INTERFACE, MAP, POINTER, SLICE -> true;
            case STRUCT -> type == GoType.REFLECT_VALUE;
            default -> false;
        };
    }

    static boolean isAssignable(GoType from, GoType to) {
        // There is no interface but that which all types implement.
        if (from.equals(to) || to.isInterface()) {
            return true;
        }
        // Types of the same structure are assignable, unless both are named.
        return from.kind() == to.kind()
                && (isUnnamed(from) || isUnnamed(to))
                && GoType.named("", from).equals(GoType.named("", to));
    }

    private static boolean isUnnamed(GoType type) {
        if (!type.name().isEmpty()) {
            return false;
        }
        return switch (type.kind()) {
            case FUNC, INTERFACE, MAP, POINTER, SLICE, STRUCT -> true;
            default -> false;
        };
    }

    /** Converts a value to a type to which it is assignable. */
    static GoValue convert(GoValue value, GoType to) {
        if (to.isInterface() || value.type().equals(to)) {
            return value;
        }
        return switch (value) {
            case GoNoValue absent -> absent;
            case GoNil nil -> nil;
            case GoBool bool -> new GoBool(to, bool.value());
            case GoInt integer -> new GoInt(to, truncate(to.kind(), integer.value()));
            case GoFloat floating -> new GoFloat(to, floating.value());
            case GoString string -> new GoString(to, string.bytes());
            case GoSlice slice -> new GoSlice(to, slice.items());
            case GoMap map -> new GoMap(to, map.entries());
            case GoStruct struct -> new GoStruct(to, struct.fields());
            case GoPointer pointer -> new GoPointer(to, pointer.target());
            case GoFunction function -> new GoFunction(to, function.code());
        };
    }

    /** The low bits that fit an integer kind, as a long. */
    static long truncate(GoKind kind, long value) {
        int spare = Long.SIZE - kind.bits();
        return kind.isUnsigned() ? value << spare >>> spare : value << spare >> spare;
    }

    /** The zero value of a type. */
    static GoValue zeroValue(GoType type) {
        return switch (type.kind()) {
            case INTERFACE -> GoNil.ANY;
            case BOOL -> convert(GoBool.FALSE, type);
            case STRING -> convert(GoString.EMPTY, type);
            case FLOAT32, FLOAT64 -> new GoFloat(type, 0);
            case MAP -> new GoMap(type, null);
            case SLICE -> new GoSlice(type, null);
            case POINTER -> new GoPointer(type, null);
            case FUNC -> new GoFunction(type, null);
            case STRUCT ->
                type == GoType.REFLECT_VALUE
                        ? GoNoValue.ABSENT
                        : GoStruct.of(
                                type,
                                type.fields().stream()
                                        .map(field -> zeroValue(field.type()))
                                        .toList());
            case INT, INT8, INT16, INT32, INT64, UINT, UINT8, UINT16, UINT32, UINT64 -> new GoInt(type, 0);
        };
    }

    /** Whether Go's {@code ==} supports the type; for an interface known only at run time. */
    static boolean isComparable(GoType type) {
        return switch (type.kind()) {
            case SLICE, MAP, FUNC -> false;
            case STRUCT -> type.fields().stream().allMatch(field -> isComparable(field.type()));
            default -> true;
        };
    }
}
