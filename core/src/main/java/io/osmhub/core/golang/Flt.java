package io.osmhub.core.golang;

/** A float32 or float64; a float32 holds a value that fits one. */
public record Flt(Type type, double value) implements Value {
    /** A {@code float64}. */
    public static Flt of(double value) {
        return new Flt(Type.FLOAT64, value);
    }
}
