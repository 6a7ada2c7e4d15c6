package io.osmhub.core.golang;

/** Go's zero {@code reflect.Value}: prints {@code <no value>} and is false. */
public enum GoNoValue implements GoValue {
    ABSENT;

    @Override
    public GoType type() {
        return GoType.ANY;
    }
}
