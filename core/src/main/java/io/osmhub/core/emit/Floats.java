package io.osmhub.core.emit;

import java.math.BigDecimal;
import java.math.MathContext;

/** Shortest decimal text of floating point numbers that reads back as the same number, in Go's layouts. */
public final class Floats {
    private Floats() {}

    /** The digits without a point, and the decimal exponent of the first digit. */
    private record Shortest(String digits, int exponent) {}

    /** Go's format {@code g} with the shortest precision: an exponent below -4 or above 5 is written as one. */
    public static String general(double value, int bits) {
        if (value == 0) {
            return sign(value) + "0";
        }
        Shortest shortest = shortest(value, bits);
        return shortest.exponent() < -4 || shortest.exponent() >= 6
                ? sign(value) + scientific(shortest)
                : sign(value) + plain(shortest);
    }

    /** Go's format {@code f} with the shortest precision. */
    public static String plain(double value, int bits) {
        return value == 0 ? sign(value) + "0" : sign(value) + plain(shortest(value, bits));
    }

    /** Go's format {@code e} with the shortest precision. */
    public static String scientific(double value, int bits) {
        return value == 0 ? sign(value) + "0e+00" : sign(value) + scientific(shortest(value, bits));
    }

    private static String sign(double value) {
        return Double.doubleToRawLongBits(value) < 0 ? "-" : "";
    }

    private static Shortest shortest(double value, int bits) {
        double magnitude = Math.abs(value);
        String text = bits == 32 ? Float.toString((float) magnitude) : Double.toString(magnitude);
        BigDecimal decimal = new BigDecimal(text).stripTrailingZeros();
        if (decimal.precision() == 2) {
            // Java always gives two digits where Go would give one if that is enough.
            BigDecimal one = decimal.round(new MathContext(1));
            boolean same = bits == 32 ? one.floatValue() == (float) magnitude : one.doubleValue() == magnitude;
            decimal = same ? one : decimal;
        }
        String digits = decimal.unscaledValue().toString();
        return new Shortest(digits, decimal.precision() - decimal.scale() - 1);
    }

    private static String plain(Shortest shortest) {
        String digits = shortest.digits();
        int point = shortest.exponent() + 1;
        if (point <= 0) {
            return "0." + "0".repeat(-point) + digits;
        }
        return point >= digits.length()
                ? digits + "0".repeat(point - digits.length())
                : digits.substring(0, point) + "." + digits.substring(point);
    }

    private static String scientific(Shortest shortest) {
        String digits = shortest.digits();
        int exponent = Math.abs(shortest.exponent());
        return digits.charAt(0)
                + (digits.length() > 1 ? "." + digits.substring(1) : "")
                + (shortest.exponent() < 0 ? "e-" : "e+")
                + (exponent < 10 ? "0" : "")
                + exponent;
    }
}
