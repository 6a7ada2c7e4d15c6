package io.osmhub.core.golang.text;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;

/** Formats floats. The JDK computes the digits, exact or shortest; only their selection and layout is Go's. */
final class FloatFormatter {
    /** Digits without trailing zeros, and the position of the decimal point: 0 is before the first digit. */
    private record Decimal(String digits, int point) {
        static final Decimal ZERO = new Decimal("", 0);

        static Decimal of(BigDecimal value) {
            String digits = value.unscaledValue().toString();
            int end = digits.length();
            while (end > 0 && digits.charAt(end - 1) == '0') {
                end--;
            }
            return end == 0 ? ZERO : new Decimal(digits.substring(0, end), digits.length() - value.scale());
        }

        /** The digit at an index, zero beyond the last. */
        char digit(int index) {
            return index >= 0 && index < digits.length() ? digits.charAt(index) : '0';
        }
    }

    private FloatFormatter() {}

    static String format(double value, char format, int precision, int bits) {
        if (Double.isNaN(value)) {
            return "NaN";
        }
        if (Double.isInfinite(value)) {
            return value > 0 ? "+Inf" : "-Inf";
        }
        StringBuilder text = new StringBuilder(24);
        if (Double.doubleToRawLongBits(value) < 0) {
            text.append('-');
        }
        double size = Math.abs(value);
        switch (format) {
            case 'b' -> appendBinary(text, size, bits);
            case 'x', 'X' -> appendHex(text, size, format, precision);
            case 'e', 'E' -> {
                Decimal decimal = precision < 0 ? shortest(size, bits) : significant(size, precision + 1);
                appendScientific(text, decimal, precision < 0 ? decimal.digits.length() - 1 : precision, format);
            }
            case 'f' -> {
                Decimal decimal = precision < 0 ? shortest(size, bits) : fixed(size, precision);
                appendFixed(
                        text,
                        decimal,
                        precision < 0 ? Math.max(decimal.digits.length() - decimal.point, 0) : precision);
            }
            case 'g', 'G' -> appendGeneral(text, size, format, precision, bits);
            default -> {
                return "%" + format;
            }
        }
        return text.toString();
    }

    /** The fewest digits that read back as the same number, and of these the nearest to it. */
    private static Decimal shortest(double size, int bits) {
        if (size == 0) {
            return Decimal.ZERO;
        }
        String text = bits == 32 ? Float.toString((float) size) : Double.toString(size);
        Decimal decimal = Decimal.of(new BigDecimal(text));
        // Java writes at least two digits and so the nearest of two digits where one is enough.
        if (decimal.digits.length() == 2) {
            Decimal single = Decimal.of(new BigDecimal(text).round(new MathContext(1, RoundingMode.HALF_EVEN)));
            String candidate = "0." + single.digits + "E" + single.point;
            boolean same = bits == 32 ? Float.parseFloat(candidate) == size : Double.parseDouble(candidate) == size;
            if (same) {
                return single;
            }
        }
        return decimal;
    }

    private static Decimal significant(double size, int digits) {
        if (size == 0) {
            return Decimal.ZERO;
        }
        return Decimal.of(new BigDecimal(size).round(new MathContext(digits, RoundingMode.HALF_EVEN)));
    }

    private static Decimal fixed(double size, int decimals) {
        BigDecimal exact = new BigDecimal(size);
        return Decimal.of(exact.scale() > decimals ? exact.setScale(decimals, RoundingMode.HALF_EVEN) : exact);
    }

    private static void appendScientific(StringBuilder text, Decimal decimal, int decimals, char letter) {
        text.append(decimal.digit(0));
        if (decimals > 0) {
            int own = Math.clamp(decimal.digits.length() - 1L, 0, decimals);
            text.append('.');
            if (own > 0) {
                text.append(decimal.digits, 1, 1 + own);
            }
            text.repeat('0', decimals - own);
        }
        int exponent = decimal.digits.isEmpty() ? 0 : decimal.point - 1;
        appendExponent(text.append(letter), exponent);
    }

    private static void appendExponent(StringBuilder text, int exponent) {
        text.append(exponent < 0 ? '-' : '+');
        int size = Math.abs(exponent);
        text.append(size < 10 ? "0" : "").append(size);
    }

    private static void appendFixed(StringBuilder text, Decimal decimal, int decimals) {
        String digits = decimal.digits;
        if (decimal.point <= 0) {
            text.append('0');
        } else {
            int own = Math.min(digits.length(), decimal.point);
            text.append(digits, 0, own).repeat('0', decimal.point - own);
        }
        if (decimals > 0) {
            text.append('.');
            int zeros = Math.clamp(-(long) decimal.point, 0, decimals);
            int from = Math.clamp(decimal.point, 0, digits.length());
            int own = Math.clamp(digits.length() - (long) from, 0, decimals - zeros);
            text.repeat('0', zeros).append(digits, from, from + own).repeat('0', decimals - zeros - own);
        }
    }

    private static void appendGeneral(StringBuilder text, double size, char format, int precision, int bits) {
        boolean shortest = precision < 0;
        int wanted = precision == 0 ? 1 : precision;
        Decimal decimal = shortest ? shortest(size, bits) : significant(size, wanted);
        int count = decimal.digits.length();
        // With an exponent below -4 or not below the precision; precision beyond the digits is ignored.
        int limit = shortest ? 6 : wanted > count && count >= decimal.point ? count : wanted;
        int exponent = decimal.point - 1;
        if (exponent < -4 || exponent >= limit) {
            int decimals = (shortest ? count : Math.min(wanted, count)) - 1;
            appendScientific(text, decimal, decimals, format == 'g' ? 'e' : 'E');
        } else {
            appendFixed(text, decimal, Math.max(count - decimal.point, 0));
        }
    }

    /** Go's {@code %b}: whole mantissa, {@code p}, power of two. */
    private static void appendBinary(StringBuilder text, double size, int bits) {
        boolean narrow = bits == 32;
        long raw = narrow ? Float.floatToRawIntBits((float) size) : Double.doubleToRawLongBits(size);
        int mantissaBits = narrow ? 23 : 52;
        int bias = narrow ? 127 : 1023;
        int exponent = (int) (raw >> mantissaBits);
        long mantissa = raw & ((1L << mantissaBits) - 1);
        if (exponent == 0) {
            exponent = 1;
        } else {
            mantissa |= 1L << mantissaBits;
        }
        int power = exponent - bias - mantissaBits;
        text.append(mantissa).append('p').append(power < 0 ? "" : "+").append(power);
    }

    /** Go's {@code %x}: one bit, a point, the rest of the mantissa in hexadecimal digits, and the power of two. */
    private static void appendHex(StringBuilder text, double size, char format, int precision) {
        // A float32 is a normal number in a double, with the same mantissa digits.
        int exponent = size == 0 ? 0 : Math.getExponent(size);
        long fraction = 0;
        if (size != 0) {
            long raw = Double.doubleToRawLongBits(size);
            fraction = raw & ((1L << 52) - 1);
            if (exponent < Double.MIN_EXPONENT) {
                int shift = Long.numberOfLeadingZeros(fraction) - 11;
                fraction = fraction << shift & ((1L << 52) - 1);
                exponent = Double.MIN_EXPONENT - shift;
            }
        }
        int lead = size == 0 ? 0 : 1;
        int decimals = precision;
        if (precision < 0) {
            decimals = fraction == 0 ? 0 : 13 - Long.numberOfTrailingZeros(fraction) / 4;
        } else if (precision < 13) {
            int dropped = 52 - 4 * precision;
            long kept = (long) lead << (52 - dropped) | fraction >>> dropped;
            long rest = fraction & ((1L << dropped) - 1);
            long half = 1L << (dropped - 1);
            if (rest > half || rest == half && (kept & 1) == 1) {
                kept++;
            }
            if (kept >>> (52 - dropped) > 1) {
                kept >>>= 1;
                exponent++;
            }
            fraction = kept << dropped & ((1L << 52) - 1);
        }
        boolean upper = format == 'X';
        String digits = upper ? "0123456789ABCDEF" : "0123456789abcdef";
        text.append(upper ? "0X" : "0x").append(lead);
        if (decimals > 0) {
            text.append('.');
            for (int i = 0; i < Math.min(decimals, 13); i++) {
                text.append(digits.charAt((int) (fraction >>> (48 - 4 * i)) & 0xF));
            }
            text.repeat('0', Math.max(decimals - 13, 0));
        }
        appendExponent(text.append(upper ? 'P' : 'p'), exponent);
    }
}
