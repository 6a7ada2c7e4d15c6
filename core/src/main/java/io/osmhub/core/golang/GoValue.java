package io.osmhub.core.golang;

/**
 * A Go value with its dynamic type. Immutable except for maps and slices, which Go shares by reference.
 *
 * <p>Interfaces are never values here: an {@code any} is represented by the value that it holds, an empty one by {@link GoNil#ANY}.
 * {@link GoNoValue} is Go's zero {@code reflect.Value}, the result of a missing map key.
 */
public sealed interface GoValue
        permits GoNoValue,
                GoNil,
                GoBool,
                GoInt,
                GoFloat,
                GoComplex,
                GoString,
                GoSlice,
                GoMap,
                GoStruct,
                GoOpaque,
                GoPointer,
                GoFunction {
    /** The dynamic type. */
    GoType type();

    /** The dynamic type's kind. */
    default GoKind kind() {
        return type().kind();
    }
}
