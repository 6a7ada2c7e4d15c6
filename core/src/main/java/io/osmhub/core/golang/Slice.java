package io.osmhub.core.golang;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A slice; {@code items} is null for a nil slice. A {@code []byte} has {@link Int}s of kind uint8. */
public record Slice(Type type, @Nullable List<Value> items) implements Value {
    /** A {@code []interface {}}. */
    public static Slice of(List<Value> items) {
        return new Slice(Type.LIST, items);
    }

    public boolean isNil() {
        return items == null;
    }

    /** The elements, none for a nil slice. */
    public List<Value> elements() {
        return items == null ? List.of() : items;
    }

    public int length() {
        return items == null ? 0 : items.size();
    }
}
