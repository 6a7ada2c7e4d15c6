package io.osmhub.core.golang;

import org.jspecify.annotations.Nullable;

/** A pointer; {@code target} is null for a nil one. */
public record GoPointer(GoType type, @Nullable GoValue target) implements GoValue {
    public static GoPointer to(GoValue target) {
        return new GoPointer(GoType.pointerTo(target.type()), target);
    }

    public static GoPointer nil(GoType elem) {
        return new GoPointer(GoType.pointerTo(elem), null);
    }

    public boolean isNil() {
        return target == null;
    }
}
