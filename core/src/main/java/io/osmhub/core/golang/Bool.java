package io.osmhub.core.golang;

/** A bool. */
public record Bool(Type type, boolean value) implements Value {
    public static final Bool TRUE = new Bool(Type.BOOL, true);
    public static final Bool FALSE = new Bool(Type.BOOL, false);

    public static Bool of(boolean value) {
        return value ? TRUE : FALSE;
    }
}
