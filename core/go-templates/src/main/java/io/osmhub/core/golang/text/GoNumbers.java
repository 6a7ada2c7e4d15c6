package io.osmhub.core.golang.text;

import io.osmhub.core.golang.GoCallException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import org.jspecify.annotations.Nullable;

/** Go's {@code strconv} for numbers and bools, with its error messages. */
public final class GoNumbers {
    private static final String SYNTAX = "invalid syntax";
    private static final String RANGE = "value out of range";

    private GoNumbers() {}

    /**
     * A parsed integer. With an error, Go also returns a value: 0, or the nearest that fits the type. Some callers use the value
     * and ignore the error.
     *
     * @param problem Go's error message; null if none
     */
    public record ParsedInt(long value, @Nullable String problem) {
        public long orThrow() throws GoCallException {
            if (problem != null) {
                throw new GoCallException(problem);
            }
            return value;
        }
    }

    /** A parsed float; with an error the value is 0 or an infinity. {@code problem} is as in {@link ParsedInt}. */
    public record ParsedFloat(double value, @Nullable String problem) {
        public double orThrow() throws GoCallException {
            if (problem != null) {
                throw new GoCallException(problem);
            }
            return value;
        }
    }

    /** {@code strconv.ParseInt}; base 0 goes by the prefix and allows underscores, bits 0 means 64. */
    public static long parseInt(String bytes, int base, int bits) throws GoCallException {
        return readInt(bytes, base, bits).orThrow();
    }

    /** {@code strconv.ParseFloat} for 32 or 64 bits. */
    public static double parseFloat(String bytes, int bits) throws GoCallException {
        return readFloat(bytes, bits).orThrow();
    }

    /** {@code strconv.ParseBool}. */
    public static boolean parseBool(String bytes) throws GoCallException {
        return switch (bytes) {
            case "1", "t", "T", "true", "TRUE", "True" -> true;
            case "0", "f", "F", "false", "FALSE", "False" -> false;
            default -> throw new GoCallException(problem("ParseBool", bytes, SYNTAX));
        };
    }

    /** {@code strconv.ParseInt} with value and error. */
    public static ParsedInt readInt(String bytes, int base, int bits) {
        return signed("ParseInt", bytes, base, bits);
    }

    /** {@code strconv.Atoi} with value and error. */
    public static ParsedInt readAtoi(String bytes) {
        return signed("Atoi", bytes, 10, 0);
    }

    /** {@code strconv.ParseUint} with value and error. */
    public static ParsedInt readUint(String bytes, int base, int bits) {
        Magnitude read = magnitude(bytes, base, bits);
        return new ParsedInt(read.value, read.why == null ? null : problem("ParseUint", bytes, read.why));
    }

    private static ParsedInt signed(String function, String bytes, int base, int bits) {
        boolean negative = bytes.startsWith("-");
        boolean hasSign = negative || bytes.startsWith("+");
        Magnitude read = magnitude(hasSign ? bytes.substring(1) : bytes, base, bits);
        if (read.why != null && !read.why.equals(RANGE)) {
            return new ParsedInt(0, problem(function, bytes, read.why));
        }
        // The magnitude of the smallest negative number, one too large for a positive number.
        long limit = 1L << (bits == 0 ? 63 : bits - 1);
        int order = Long.compareUnsigned(read.value, limit);
        if (negative ? order > 0 : order >= 0) {
            return new ParsedInt(negative ? -limit : limit - 1, problem(function, bytes, RANGE));
        }
        return new ParsedInt(negative ? -read.value : read.value, null);
    }

    private record Magnitude(long value, @Nullable String why) {}

    private static Magnitude magnitude(String bytes, int base, int bits) {
        if (bytes.isEmpty()) {
            return new Magnitude(0, SYNTAX);
        }
        if (base != 0 && (base < 2 || base > 36)) {
            return new Magnitude(0, "invalid base " + base);
        }
        int radix = base;
        int start = 0;
        if (base == 0) {
            radix = bytes.length() >= 3 ? prefixBase(bytes) : 10;
            start = radix == 10 ? 0 : 2;
            if (start == 0 && bytes.charAt(0) == '0') {
                radix = 8;
                start = 1;
            }
        }
        if (bits < 0 || bits > 64) {
            return new Magnitude(0, "invalid bit size " + bits);
        }
        long max = bits == 0 || bits == 64 ? -1L : (1L << bits) - 1;
        long value = 0;
        boolean underscores = false;
        for (int i = start; i < bytes.length(); i++) {
            char c = bytes.charAt(i);
            if (c == '_' && base == 0) {
                underscores = true;
                continue;
            }
            int digit = c < 0x80 ? Character.digit(c, radix) : -1;
            if (digit < 0) {
                return new Magnitude(0, SYNTAX);
            }
            if (Long.compareUnsigned(value, Long.divideUnsigned(max - digit, radix)) > 0
                    || Long.compareUnsigned(digit, max) > 0) {
                return new Magnitude(max, RANGE);
            }
            value = value * radix + digit;
        }
        return underscores && !underscoresFit(bytes) ? new Magnitude(0, SYNTAX) : new Magnitude(value, null);
    }

    /** The base from a prefix {@code 0x}, {@code 0o} or {@code 0b}, else 10. */
    private static int prefixBase(String digits) {
        if (digits.length() < 2 || digits.charAt(0) != '0') {
            return 10;
        }
        return switch (digits.charAt(1)) {
            case 'x', 'X' -> 16;
            case 'o', 'O' -> 8;
            case 'b', 'B' -> 2;
            default -> 10;
        };
    }

    /** Go's rule for underscores: one between two digits, or between the base prefix and a digit. */
    private static boolean underscoresFit(String number) {
        int start = number.startsWith("-") || number.startsWith("+") ? 1 : 0;
        int base = prefixBase(number.substring(start));
        boolean afterDigit = base != 10;
        boolean afterUnderscore = false;
        for (int i = base == 10 ? start : start + 2; i < number.length(); i++) {
            char c = number.charAt(i);
            if (c == '_') {
                if (!afterDigit) {
                    return false;
                }
                afterDigit = false;
                afterUnderscore = true;
                continue;
            }
            afterDigit = c >= '0' && c <= '9' || base == 16 && Character.digit(c, 16) >= 0;
            if (afterUnderscore && !afterDigit) {
                return false;
            }
            afterUnderscore = false;
        }
        return !afterUnderscore;
    }

    /** {@code strconv.ParseFloat} with value and error. */
    public static ParsedFloat readFloat(String bytes, int bits) {
        Double special = special(bytes);
        if (special != null) {
            return new ParsedFloat(special, null);
        }
        if (!isFloatSyntax(bytes) || bytes.indexOf('_') >= 0 && !underscoresFit(bytes)) {
            return new ParsedFloat(0, problem("ParseFloat", bytes, SYNTAX));
        }
        // Java accepts the same syntax except underscores, and rounds as Go does.
        String plain = bytes.replace("_", "");
        double value = bits == 32 ? Float.parseFloat(plain) : Double.parseDouble(plain);
        return new ParsedFloat(value, Double.isInfinite(value) ? problem("ParseFloat", bytes, RANGE) : null);
    }

    private static @Nullable Double special(String bytes) {
        if (bytes.length() > 9) {
            return null;
        }
        boolean negative = bytes.startsWith("-");
        String word = negative || bytes.startsWith("+") ? bytes.substring(1) : bytes;
        if (word.equalsIgnoreCase("inf") || word.equalsIgnoreCase("infinity")) {
            return negative ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY;
        }
        return bytes.equalsIgnoreCase("nan") ? Double.NaN : null;
    }

    private static boolean isFloatSyntax(String number) {
        int at = number.startsWith("-") || number.startsWith("+") ? 1 : 0;
        boolean hex = number.length() > at + 2 && prefixBase(number.substring(at, at + 2)) == 16;
        at += hex ? 2 : 0;
        boolean digits = false;
        boolean point = false;
        for (; at < number.length(); at++) {
            char c = number.charAt(at);
            if (c == '.' && !point) {
                point = true;
            } else if (c < 0x80 && Character.digit(c, hex ? 16 : 10) >= 0) {
                digits = true;
            } else if (c != '_') {
                break;
            }
        }
        boolean exponent = at < number.length() && (number.charAt(at) | 0x20) == (hex ? 'p' : 'e');
        if (!digits || hex && !exponent) {
            return false;
        }
        return exponent ? isExponent(number, at + 1) : at == number.length();
    }

    private static boolean isExponent(String number, int start) {
        int at = start;
        if (at < number.length() && (number.charAt(at) == '+' || number.charAt(at) == '-')) {
            at++;
        }
        if (at >= number.length() || number.charAt(at) == '_') {
            return false;
        }
        for (; at < number.length(); at++) {
            char c = number.charAt(at);
            if ((c < '0' || c > '9') && c != '_') {
                return false;
            }
        }
        return true;
    }

    private static String problem(String function, String bytes, String why) {
        return "strconv." + function + ": parsing " + GoQuote.quote(bytes) + ": " + why;
    }

    /**
     * {@code strconv.FormatFloat}: {@code format} is one of {@code b e E f g G x X}, a negative precision means the shortest text
     * that reads back as the same number, {@code bits} is 32 or 64. The length grows with the precision.
     */
    public static String formatFloat(double value, char format, int precision, int bits) {
        return FloatFormatter.format(value, format, precision, bits);
    }

    /** Formats floats. The JDK computes the digits, exact or shortest; only their selection and layout is Go's. */
    private static final class FloatFormatter {
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
}
