package io.osmhub.core.golang.text;

import java.util.Locale;

/** Prints integers and floats with verbs that fit them. */
final class NumberPrinter {
    private final PrintBuffer buffer;

    NumberPrinter(PrintBuffer buffer) {
        this.buffer = buffer;
    }

    /** An integer in base 2, 8, 10 or 16; {@code verb} {@code O} adds {@code 0o}, {@code X} uses upper case. */
    void integer(Directive directive, long value, boolean signed, int base, int verb) {
        boolean negative = signed && value < 0;
        String sign = negative ? "-" : directive.has('+') ? "+" : directive.has(' ') ? " " : "";
        int zerosTo = 0;
        if (directive.hasPrecision()) {
            zerosTo = directive.precision();
            if (zerosTo == 0 && value == 0) {
                buffer.writePadded(directive, "", ' ');
                return;
            }
        } else if (directive.padsWithZeros()) {
            zerosTo = directive.width() - sign.length();
        }
        String digits = Long.toUnsignedString(negative ? -value : value, base);
        buffer.reserve(zerosTo);
        StringBuilder number = new StringBuilder(sign).append(verb == 'O' ? "0o" : "");
        if (directive.has('#')) {
            number.append(
                    switch (base) {
                        case 2 -> "0b";
                        case 8 -> digits.charAt(0) == '0' || zerosTo > digits.length() ? "" : "0";
                        case 16 -> verb == 'X' ? "0X" : "0x";
                        default -> "";
                    });
        }
        number.repeat('0', Math.max(zerosTo - digits.length(), 0))
                .append(verb == 'X' ? digits.toUpperCase(Locale.ROOT) : digits);
        buffer.writePadded(directive, number.toString(), ' ');
    }

    /** {@code %c}. */
    void character(Directive directive, long value) {
        buffer.writePadded(
                directive, Utf8Runes.append(new StringBuilder(4), rune(value)).toString());
    }

    /** {@code %q} of an integer. */
    void quotedCharacter(Directive directive, long value) {
        buffer.writePadded(directive, GoQuote.quoteRune(rune(value), directive.has('+')));
    }

    private static int rune(long value) {
        return value < 0 || value > Character.MAX_CODE_POINT ? Utf8Runes.REPLACEMENT : (int) value;
    }

    /** A float in the given format of {@link GoNumbers#formatFloat}; the directive's precision overrides {@code precision}. */
    void floating(Directive directive, double value, int bits, char format, int precision) {
        int decimals = directive.hasPrecision() ? directive.precision() : precision;
        buffer.reserve(Math.max(decimals, 0));
        String number = GoNumbers.formatFloat(Math.abs(value), format, decimals, bits);
        boolean negative = Double.doubleToRawLongBits(value) < 0 && !Double.isNaN(value);
        String sign = negative ? "-" : directive.has('+') ? "+" : directive.has(' ') ? " " : "";
        if (Double.isNaN(value)) {
            buffer.writePadded(directive, sign + "NaN", ' ');
        } else if (Double.isInfinite(value)) {
            // Always with a sign, and never padded with zeros.
            buffer.writePadded(directive, (sign.isEmpty() ? "+" : sign) + "Inf", ' ');
        } else {
            String size = directive.has('#') ? withPoint(number, format, decimals) : number;
            if (directive.padsWithZeros()) {
                int zeros = Math.max(directive.width() - sign.length() - size.length(), 0);
                buffer.reserve(zeros);
                size = "0".repeat(zeros) + size;
            }
            buffer.writePadded(directive, sign + size, ' ');
        }
    }

    /** The {@code #} flag: always a decimal point, and with {@code %g} zeros up to the precision. */
    private static String withPoint(String size, char format, int precision) {
        int exponent = size.indexOf(format == 'g' ? 'e' : format == 'G' ? 'E' : format);
        String mantissa = exponent < 0 ? size : size.substring(0, exponent);
        boolean hasPoint = mantissa.indexOf('.') >= 0;
        int missing = 0;
        if (format == 'g' || format == 'G') {
            String digits = mantissa.replace(".", "");
            int zeros = 0;
            while (zeros < digits.length() && digits.charAt(zeros) == '0') {
                zeros++;
            }
            // A single zero counts as a digit.
            int given = digits.equals("0") ? 1 : digits.length() - zeros;
            missing = Math.max((precision < 0 ? 6 : precision) - given, 0);
        }
        return mantissa + (hasPoint ? "" : ".") + "0".repeat(missing) + (exponent < 0 ? "" : size.substring(exponent));
    }
}
