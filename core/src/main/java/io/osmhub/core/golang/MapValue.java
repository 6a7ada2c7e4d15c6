package io.osmhub.core.golang;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A map; {@code entries} is null for a nil map. Shared by reference as in Go, so that sprig's {@code set} is seen by all who
 * hold it. The order of {@code entries} has no meaning; whoever shows a map sorts its keys.
 */
public record MapValue(Type type, @Nullable Map<Value, Value> entries) implements Value {
    /** A {@code map[string]interface {}}. */
    public static MapValue of(Map<Value, Value> entries) {
        return new MapValue(Type.DICT, entries);
    }

    public boolean isNil() {
        return entries == null;
    }

    /** The entries, none for a nil map. */
    public Map<Value, Value> elements() {
        return entries == null ? Map.of() : entries;
    }

    public int length() {
        return entries == null ? 0 : entries.size();
    }
}
