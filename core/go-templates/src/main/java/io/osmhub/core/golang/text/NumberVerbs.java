package io.osmhub.core.golang.text;

/** The verbs of integers and floats, for verbs that fit the value. */
final class NumberVerbs {
    private final FormatFlags directive;
    private final BudgetedBuffer output;

    NumberVerbs(FormatFlags directive, BudgetedBuffer output) {
        this.directive = directive;
        this.output = output;
    }

    /** An integer in base 2, 8, 10 or 16; {@code verb} {@code O} adds {@code 0o}, {@code X} uses upper case. */
    void integer(long value, boolean signed, int base, int verb) {
        boolean negative = signed && value < 0;
        int zerosTo = 0;
        if (directive.hasPrecision) {
            zerosTo = directive.precision;
            if (zerosTo == 0 && value == 0) {
                output.writeBlankPadded(directive, "");
                return;
            }
        } else if (directive.zero && !directive.minus && directive.hasWidth) {
            boolean sign = negative || directive.plus || directive.space;
            zerosTo = directive.width - (sign ? 1 : 0);
        }
        String digits = Long.toUnsignedString(negative ? -value : value, base);
        output.reserve(zerosTo);
        StringBuilder number = new StringBuilder(Math.max(zerosTo, digits.length()) + 3);
        if (negative) {
            number.append('-');
        } else if (directive.plus || directive.space) {
            number.append(directive.plus ? '+' : ' ');
        }
        if (verb == 'O') {
            number.append("0o");
        }
        if (directive.sharp) {
            appendPrefix(number, base, verb, digits.charAt(0) == '0' || zerosTo > digits.length());
        }
        number.repeat('0', Math.max(zerosTo - digits.length(), 0)).append(verb == 'X' ? upper(digits) : digits);
        output.writeBlankPadded(directive, number.toString());
    }

    private static void appendPrefix(StringBuilder number, int base, int verb, boolean beginsWithZero) {
        switch (base) {
            case 2 -> number.append("0b");
            case 8 -> number.append(beginsWithZero ? "" : "0");
            case 16 -> number.append(verb == 'X' ? "0X" : "0x");
            default -> {
                // Decimal numbers have no prefix.
            }
        }
    }

    private static String upper(String hex) {
        StringBuilder text = new StringBuilder(hex);
        for (int i = 0; i < hex.length(); i++) {
            char c = hex.charAt(i);
            if (c >= 'a') {
                text.setCharAt(i, (char) (c - 'a' + 'A'));
            }
        }
        return text.toString();
    }

    /** Hexadecimal with or without {@code 0x}, independent of the flags. */
    void hex(long value, boolean prefix) {
        boolean sharp = directive.sharp;
        directive.sharp = prefix;
        integer(value, false, 16, 'v');
        directive.sharp = sharp;
    }

    /** {@code %U}: {@code U+0041}, with {@code #} followed by the character. */
    void unicode(long value) {
        String digits = upper(Long.toHexString(value));
        int zerosTo = directive.hasPrecision ? Math.max(directive.precision, 4) : 4;
        output.reserve(zerosTo);
        StringBuilder text = new StringBuilder("U+")
                .repeat('0', Math.max(zerosTo - digits.length(), 0))
                .append(digits);
        if (directive.sharp && value >= 0 && value <= Character.MAX_CODE_POINT && GoQuote.isPrint((int) value)) {
            Utf8Runes.append(text.append(" '"), (int) value).append('\'');
        }
        output.writeBlankPadded(directive, text.toString());
    }

    /** {@code %c}. */
    void character(long value) {
        output.writePadded(
                directive, Utf8Runes.append(new StringBuilder(4), rune(value)).toString());
    }

    /** {@code %q} of an integer. */
    void quotedCharacter(long value) {
        int rune = rune(value);
        output.writePadded(directive, directive.plus ? GoQuote.quoteRuneToAscii(rune) : GoQuote.quoteRune(rune));
    }

    private static int rune(long value) {
        return value < 0 || value > Character.MAX_CODE_POINT ? Utf8Runes.REPLACEMENT : (int) value;
    }

    /** A float in the given format of {@link GoNumbers#formatFloat}; the directive's precision overrides {@code precision}. */
    void floating(double value, int bits, char format, int precision) {
        int wanted = directive.hasPrecision ? directive.precision : precision;
        output.reserve(Math.max(wanted, 0) + 8L);
        String number = GoNumbers.formatFloat(value, format, wanted, bits);
        char sign = number.charAt(0) == '-' ? '-' : directive.plus || !directive.space ? '+' : ' ';
        String size = number.charAt(0) == '-' || number.charAt(0) == '+' ? number.substring(1) : number;
        boolean showSign = directive.plus || sign != '+';
        if (size.equals("Inf") || size.equals("NaN")) {
            // An infinity always has its sign, and is not padded with zeros.
            boolean shown = showSign || size.equals("Inf");
            output.writeBlankPadded(directive, shown ? sign + size : size);
            return;
        }
        if (directive.sharp && format != 'b') {
            size = withPoint(size, format, wanted);
        }
        if (!showSign) {
            output.writePadded(directive, size);
        } else if (directive.zero && !directive.minus && directive.hasWidth && directive.width > size.length() + 1) {
            output.write(sign).writePadding(directive, directive.width - size.length() - 1L);
            output.write(size);
        } else {
            output.writePadded(directive, sign + size);
        }
    }

    /** The {@code #} flag: always a decimal point, and with {@code %g} and {@code %x} zeros up to the precision. */
    private String withPoint(String size, char format, int precision) {
        boolean hex = format == 'x' || format == 'X';
        int missing = 0;
        if (format == 'g' || format == 'G' || format == 'x') {
            missing = precision < 0 ? 6 : precision;
        }
        int end = 0;
        boolean point = false;
        boolean nonZero = false;
        for (; end < size.length(); end++) {
            char c = size.charAt(end);
            if (c == 'p' || c == 'P' || !hex && (c == 'e' || c == 'E')) {
                break;
            }
            if (c == '.') {
                point = true;
            } else {
                nonZero |= c != '0';
                missing -= nonZero ? 1 : 0;
            }
        }
        StringBuilder text = new StringBuilder().append(size, 0, end);
        if (!point) {
            // A single zero before the point counts as a digit.
            missing -= end == 1 && size.charAt(0) == '0' ? 1 : 0;
            text.append('.');
        }
        return text.repeat('0', Math.max(missing, 0))
                .append(size, end, size.length())
                .toString();
    }
}
