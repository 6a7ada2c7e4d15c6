package io.osmhub.core.golang.text;

import io.osmhub.core.golang.GoCallException;
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

    /** {@code strconv.ParseUint}; above the signed range the long has the same bits. */
    public static long parseUint(String bytes, int base, int bits) throws GoCallException {
        return readUint(bytes, base, bits).orThrow();
    }

    /** {@code strconv.Atoi}. */
    public static long atoi(String bytes) throws GoCallException {
        return readAtoi(bytes).orThrow();
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
}
