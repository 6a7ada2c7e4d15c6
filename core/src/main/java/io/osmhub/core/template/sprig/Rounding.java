package io.osmhub.core.template.sprig;

/** Rounds to decimal places in binary floats, with their errors, which profiles print. */
final class Rounding {
    private Rounding() {}

    /** {@code threshold} is the fraction from which it rounds up. */
    static double round(double number, long places, double threshold) {
        double shift = powerOfTen(places);
        double shifted = shift * number;
        double fraction = Double.isInfinite(shifted) ? Double.NaN : shifted % 1;
        return (fraction >= threshold ? Math.ceil(shifted) : Math.floor(shifted)) / shift;
    }

    /** Computed as in Go, by squaring mantissas; Java's power differs in the last bit for some exponents. */
    private static double powerOfTen(long exponent) {
        if (exponent == Long.MIN_VALUE || (double) exponent == 0x1p63) {
            return exponent < 0 ? 0 : Double.POSITIVE_INFINITY;
        }
        double mantissa = 1;
        long binaryExponent = 0;
        double squareMantissa = 0.625;
        long squareExponent = 4;
        for (long bits = Math.abs(exponent); bits != 0; bits >>= 1) {
            if (Math.abs(squareExponent) > 1 << 12) {
                // Beyond any float; the result cannot become finite again.
                binaryExponent += squareExponent;
                break;
            }
            if ((bits & 1) == 1) {
                mantissa *= squareMantissa;
                binaryExponent += squareExponent;
            }
            squareMantissa *= squareMantissa;
            squareExponent <<= 1;
            if (squareMantissa < 0.5) {
                squareMantissa *= 2;
                squareExponent--;
            }
        }
        if (exponent < 0) {
            mantissa = 1 / mantissa;
            binaryExponent = -binaryExponent;
        }
        return Math.scalb(mantissa, (int) binaryExponent);
    }
}
