package io.osmhub.core.golang;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A slice; {@code items} is null for a nil slice. A {@code []byte} has {@link GoInt}s of kind uint8. */
public record GoSlice(GoType type, @Nullable List<GoValue> items) implements GoValue {
    /** A {@code []interface {}}. */
    public static GoSlice of(List<GoValue> items) {
        return new GoSlice(GoType.LIST, items);
    }

    public boolean isNil() {
        return items == null;
    }

    /** The elements, none for a nil slice. */
    public List<GoValue> elements() {
        return items == null ? List.of() : items;
    }

    public int length() {
        return items == null ? 0 : items.size();
    }
}
