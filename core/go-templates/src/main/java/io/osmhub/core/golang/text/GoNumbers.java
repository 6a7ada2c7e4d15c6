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
    public record ParsedInt(long value, @Nullable String problem) {}

    /** A parsed float; with an error the value is 0 or an infinity. {@code problem} is as in {@link ParsedInt}. */
    public record ParsedFloat(double value, @Nullable String problem) {}

    /** {@code strconv.ParseInt}; base 0 goes by the prefix and allows underscores. */
    public static long parseInt(String bytes, int base, int bits) throws GoCallException {
        ParsedInt read = readInt(bytes, base, bits);
        if (read.problem() != null) {
            throw new GoCallException(read.problem());
        }
        return read.value();
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
        return signed("Atoi", bytes, 10, 64);
    }

    /** {@code strconv.ParseUint} for 64 bits, with value and error. */
    public static ParsedInt readUint(String bytes, int base) {
        ParsedInt read = magnitude(bytes, base);
        return read.problem() == null ? read : new ParsedInt(read.value(), problem("ParseUint", bytes, read.problem()));
    }

    private static ParsedInt signed(String function, String bytes, int base, int bits) {
        boolean negative = bytes.startsWith("-");
        boolean hasSign = negative || bytes.startsWith("+");
        ParsedInt read = magnitude(hasSign ? bytes.substring(1) : bytes, base);
        if (SYNTAX.equals(read.problem())) {
            return new ParsedInt(0, problem(function, bytes, SYNTAX));
        }
        // The magnitude of the smallest negative number, one too large for a positive number.
        long limit = 1L << (bits - 1);
        int order = Long.compareUnsigned(read.value(), limit);
        if (negative ? order > 0 : order >= 0) {
            return new ParsedInt(negative ? -limit : limit - 1, problem(function, bytes, RANGE));
        }
        return new ParsedInt(negative ? -read.value() : read.value(), null);
    }

    /** An unsigned number of 64 bits. */
    private static ParsedInt magnitude(String bytes, int base) {
        int radix = base;
        int start = 0;
        if (base == 0) {
            radix = bytes.length() >= 3 ? prefixBase(bytes) : 10;
            start = radix == 10 ? 0 : 2;
            if (start == 0 && bytes.startsWith("0")) {
                radix = 8;
                start = 1;
            }
        }
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
                return new ParsedInt(0, SYNTAX);
            }
            if (Long.compareUnsigned(value, Long.divideUnsigned(-1L - digit, radix)) > 0) {
                return new ParsedInt(-1, RANGE);
            }
            value = value * radix + digit;
        }
        boolean valid = !bytes.isEmpty() && (!underscores || underscoresFit(bytes));
        return valid ? new ParsedInt(value, null) : new ParsedInt(0, SYNTAX);
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
        // The end of a prefix counts as a digit.
        char before = base == 10 ? ' ' : '0';
        for (int i = base == 10 ? start : start + 2; i <= number.length(); i++) {
            char c = i < number.length() ? number.charAt(i) : ' ';
            boolean betweenDigits = before == '_' ? isDigit(c, base) : c != '_' || isDigit(before, base);
            if (!betweenDigits) {
                return false;
            }
            before = c;
        }
        return true;
    }

    private static boolean isDigit(char c, int base) {
        return c < 0x80 && Character.digit(c, Math.max(base, 10)) >= 0;
    }

    /** {@code strconv.ParseFloat} with value and error. */
    public static ParsedFloat readFloat(String bytes, int bits) {
        boolean hasSign = bytes.startsWith("-") || bytes.startsWith("+");
        String size = hasSign ? bytes.substring(1) : bytes;
        if (size.equalsIgnoreCase("inf") || size.equalsIgnoreCase("infinity")) {
            return new ParsedFloat(bytes.startsWith("-") ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY, null);
        }
        if (bytes.equalsIgnoreCase("nan")) {
            return new ParsedFloat(Double.NaN, null);
        }
        if (!hasFloatCharacters(size) || bytes.indexOf('_') >= 0 && !underscoresFit(bytes)) {
            return new ParsedFloat(0, problem("ParseFloat", bytes, SYNTAX));
        }
        try {
            // Rounds as Go does.
            String plain = bytes.replace("_", "");
            double value = bits == 32 ? Float.parseFloat(plain) : Double.parseDouble(plain);
            return new ParsedFloat(value, Double.isInfinite(value) ? problem("ParseFloat", bytes, RANGE) : null);
        } catch (NumberFormatException e) {
            return new ParsedFloat(0, problem("ParseFloat", bytes, SYNTAX));
        }
    }

    /** Excludes what only Java accepts: blanks, and a type after the number. */
    private static boolean hasFloatCharacters(String size) {
        boolean hex = prefixBase(size) == 16;
        String allowed = hex ? "0123456789abcdefABCDEFxXpP.+-_" : "0123456789eE.+-_";
        return !size.isEmpty()
                && size.chars().allMatch(c -> allowed.indexOf(c) >= 0)
                && !Character.isLetter(size.charAt(size.length() - 1));
    }

    private static String problem(String function, String bytes, String why) {
        return "strconv." + function + ": parsing " + GoQuote.quote(bytes) + ": " + why;
    }

    /**
     * {@code strconv.FormatFloat}: {@code format} is one of {@code e E f g G}, a negative precision means the shortest text that
     * reads back as the same number, {@code bits} is 32 or 64. The length grows with the precision.
     */
    public static String formatFloat(double value, char format, int precision, int bits) {
        if (Double.isNaN(value)) {
            return "NaN";
        }
        if (Double.isInfinite(value)) {
            return value > 0 ? "+Inf" : "-Inf";
        }
        double size = Math.abs(value);
        BigDecimal exact = precision < 0 ? shortest(size, bits) : new BigDecimal(size);
        String text =
                switch (format) {
                    case 'f' -> fixed(exact, precision < 0 ? Math.max(exact.scale(), 0) : precision);
                    case 'e', 'E' -> scientific(exact, precision < 0 ? exact.precision() - 1 : precision, format);
                    case 'g', 'G' -> general(exact, precision, format);
                    default -> throw new IllegalArgumentException("not a format: " + format);
                };
        return Double.doubleToRawLongBits(value) < 0 ? "-" + text : text;
    }

    /** The fewest digits that read back as the same number, and of these the nearest to it; no zeros at the end. */
    private static BigDecimal shortest(double size, int bits) {
        BigDecimal decimal =
                new BigDecimal(bits == 32 ? Float.toString((float) size) : Double.toString(size)).stripTrailingZeros();
        // Java writes at least two digits and so the nearest of two digits where one is enough.
        if (decimal.precision() == 2) {
            BigDecimal single = decimal.round(new MathContext(1, RoundingMode.HALF_EVEN));
            if ((bits == 32 ? single.floatValue() : single.doubleValue()) == size) {
                return single.stripTrailingZeros();
            }
        }
        return decimal;
    }

    private static String fixed(BigDecimal size, int decimals) {
        // Zeros are appended as text: a double has up to 1074 decimals, a precision is up to a million.
        int own = Math.min(decimals, Math.max(size.scale(), 0));
        String text = size.setScale(own, RoundingMode.HALF_EVEN).toPlainString();
        return text + (own == 0 && decimals > 0 ? "." : "") + "0".repeat(decimals - own);
    }

    private static String scientific(BigDecimal size, int decimals, char letter) {
        BigDecimal rounded = size.precision() > decimals + 1
                ? size.round(new MathContext(decimals + 1, RoundingMode.HALF_EVEN))
                : size;
        String digits = rounded.unscaledValue().toString();
        int exponent = size.signum() == 0 ? 0 : digits.length() - 1 - rounded.scale();
        StringBuilder text = new StringBuilder().append(digits.charAt(0)).append(decimals > 0 ? "." : "");
        text.append(digits, 1, Math.min(digits.length(), decimals + 1));
        text.repeat('0', Math.max(decimals + 1 - digits.length(), 0));
        text.append(letter).append(exponent < 0 ? '-' : '+');
        return text.append(Math.abs(exponent) < 10 ? "0" : "")
                .append(Math.abs(exponent))
                .toString();
    }

    private static String general(BigDecimal exact, int precision, char format) {
        if (exact.signum() == 0) {
            return "0";
        }
        boolean shortest = precision < 0;
        int wanted = Math.max(precision, 1);
        BigDecimal size = shortest
                ? exact
                : exact.round(new MathContext(wanted, RoundingMode.HALF_EVEN)).stripTrailingZeros();
        int digits = size.precision();
        int point = digits - size.scale();
        // With an exponent below -4 or not below the precision; precision beyond the digits is ignored.
        int limit = shortest ? 6 : wanted > digits && digits >= point ? digits : wanted;
        if (point - 1 < -4 || point - 1 >= limit) {
            return scientific(size, digits - 1, format == 'g' ? 'e' : 'E');
        }
        return fixed(size, Math.max(size.scale(), 0));
    }
}
