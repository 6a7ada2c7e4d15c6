package io.osmhub.core.golang;

import java.util.List;
import java.util.function.IntFunction;

/**
 * A struct. Each read of a field, from a template, by printing or by an emitter, goes through {@code fields}, so that the
 * owner of the data can tell which of them were used.
 */
public record Struct(Type type, IntFunction<Value> fields) implements Value {
    public static Struct of(Type type, List<Value> values) {
        List<Value> copy = List.copyOf(values);
        return new Struct(type, copy::get);
    }

    /** The field at that position of {@code type.fields()}. */
    public Value field(int index) {
        return fields.apply(index);
    }
}
