package io.osmhub.core.golang;

/** An integer of any width, signed or not. An unsigned 64-bit value is stored as the long with the same bits. */
public record GoInt(GoType type, long value) implements GoValue {
    private static final GoInt[] SMALL = new GoInt[256];

    static {
        for (int i = 0; i < SMALL.length; i++) {
            SMALL[i] = new GoInt(GoType.INT, i);
        }
    }

    /** An {@code int}. */
    public static GoInt of(long value) {
        return value >= 0 && value < SMALL.length ? SMALL[(int) value] : new GoInt(GoType.INT, value);
    }

    /** An {@code int64}. */
    public static GoInt int64(long value) {
        return new GoInt(GoType.INT64, value);
    }
}
