package io.osmhub.core.golang;

/**
 * A Go value with its dynamic type. Immutable, but for maps and slices, which Go shares by reference.
 *
 * <p>An interface is never a value of its own here: what an {@code any} holds is the value in it, and an empty one is
 * {@link Nil#ANY}. {@link Absent} is Go's zero {@code reflect.Value}: what a missing map key gives.
 */
public sealed interface Value
        permits Absent, Nil, Bool, Int, Flt, Complex, Str, Slice, MapValue, Struct, Opaque, Pointer, Func {
    /** The dynamic type. */
    Type type();

    /** The dynamic type's kind. */
    default Kind kind() {
        return type().kind();
    }
}
