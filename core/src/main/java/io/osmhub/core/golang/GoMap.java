package io.osmhub.core.golang;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A map; {@code entries} is null for a nil map. Shared by reference as in Go, so that sprig's {@code set} affects all holders. The
 * order of {@code entries} has no meaning; printing sorts the keys.
 */
public record GoMap(GoType type, @Nullable Map<GoValue, GoValue> entries) implements GoValue {
    /** A {@code map[string]interface {}}. */
    public static GoMap of(Map<GoValue, GoValue> entries) {
        return new GoMap(GoType.DICT, entries);
    }

    public boolean isNil() {
        return entries == null;
    }

    /** The entries, none for a nil map. */
    public Map<GoValue, GoValue> elements() {
        return entries == null ? Map.of() : entries;
    }

    public int length() {
        return entries == null ? 0 : entries.size();
    }
}
