package io.osmhub.core.golang;

/** A float32 or float64; a float32 holds a value that fits one. */
public record GoFloat(GoType type, double value) implements GoValue {
    /** A {@code float64}. */
    public static GoFloat of(double value) {
        return new GoFloat(GoType.FLOAT64, value);
    }
}
