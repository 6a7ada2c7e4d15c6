package io.osmhub.core.golang;

public record GoBool(GoType type, boolean value) implements GoValue {
    public static final GoBool TRUE = new GoBool(GoType.BOOL, true);
    public static final GoBool FALSE = new GoBool(GoType.BOOL, false);

    public static GoBool of(boolean value) {
        return value ? TRUE : FALSE;
    }
}
