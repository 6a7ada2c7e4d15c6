package io.osmhub.core.golang;

import java.util.List;
import java.util.function.IntFunction;

/**
 * A struct. Every read of a field, by a template, a printer or an encoder, calls {@code fields}, so that the owner can record which
 * fields were used.
 */
public record GoStruct(GoType type, IntFunction<GoValue> fields) implements GoValue {
    public static GoStruct of(GoType type, List<GoValue> values) {
        List<GoValue> copy = List.copyOf(values);
        return new GoStruct(type, copy::get);
    }

    /** The field at that position of {@code type.fields()}. */
    public GoValue field(int index) {
        return fields.apply(index);
    }
}
