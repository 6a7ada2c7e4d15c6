package io.osmhub.core.golang;

/** An integer of any width, signed or not. An unsigned 64-bit value is kept as the long of the same bits. */
public record Int(Type type, long value) implements Value {
    private static final Int[] SMALL = new Int[256];

    static {
        for (int i = 0; i < SMALL.length; i++) {
            SMALL[i] = new Int(Type.INT, i);
        }
    }

    /** An {@code int}. */
    public static Int of(long value) {
        return value >= 0 && value < SMALL.length ? SMALL[(int) value] : new Int(Type.INT, value);
    }

    /** An {@code int64}. */
    public static Int int64(long value) {
        return new Int(Type.INT64, value);
    }
}
