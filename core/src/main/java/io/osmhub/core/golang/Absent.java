package io.osmhub.core.golang;

/** No value at all, Go's zero {@code reflect.Value}: prints {@code <no value>} and is false. */
public enum Absent implements Value {
    ABSENT;

    @Override
    public Type type() {
        return Type.ANY;
    }
}
