package io.osmhub.core.golang;

import org.jspecify.annotations.Nullable;

/** A pointer; {@code target} is null for a nil one. */
public record Pointer(Type type, @Nullable Value target) implements Value {
    public static Pointer to(Value target) {
        return new Pointer(Type.pointerTo(target.type()), target);
    }

    public static Pointer nil(Type elem) {
        return new Pointer(Type.pointerTo(elem), null);
    }

    public boolean isNil() {
        return target == null;
    }
}
