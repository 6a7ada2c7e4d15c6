package io.osmhub.core.emit.toml;

import static io.osmhub.core.emit.toml.TomlCharacterReader.END;

import io.osmhub.core.golang.GoCallException;
import io.osmhub.core.golang.GoValue;
import io.osmhub.core.golang.GoValue.GoBool;
import io.osmhub.core.golang.GoValue.GoFloat;
import io.osmhub.core.golang.GoValue.GoInt;
import io.osmhub.core.golang.text.GoQuote;
import io.osmhub.core.golang.time.GoTime;
import io.osmhub.core.golang.time.GoZone;
import java.math.BigInteger;
import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;

/** Reads bools, numbers and dates. */
final class TomlScalarParser {
    /** With more digits, no integer fits 64 bits; reading millions of them would take minutes. */
    private static final int MOST_DIGITS = 64;

    private final TomlCharacterReader source;

    TomlScalarParser(TomlCharacterReader source) {
        this.source = source;
    }

    static boolean isDigit(int c) {
        return c >= '0' && c <= '9';
    }

    static boolean isHexDigit(int c) {
        return isDigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
    }

    /** What begins with this character, which has just been read. */
    GoValue parseValue(int first) throws GoCallException {
        int start = source.position()
                - (first == END ? 0 : TomlCharacterReader.raw(first).length());
        if (isDigit(first)) {
            return first == '0' ? afterZero(start) : numberOrTime(start);
        }
        switch (first) {
            case '+', '-' -> {
                return afterSign(start);
            }
            case '.' -> throw source.error("floats must start with a digit, not '.'");
            case 'i', 'n' -> {
                // The Go library mixes up the two words here, and tells them apart only afterwards.
                if ((source.accept('n') && source.accept('f')) || (source.accept('a') && source.accept('n'))) {
                    return switch (source.since(start)) {
                        case "inf" -> GoFloat.of(Double.POSITIVE_INFINITY);
                        case "nan" -> GoFloat.of(Double.NaN);
                        default -> floating(source.since(start));
                    };
                }
            }
            case END -> throw source.errorAtEnd("unexpected EOF; expected value");
            default -> {}
        }
        if (Character.isLetter(first)) {
            // Of "inx" the Go library shows "nx": the first letter has been taken already.
            int wordStart = source.position() - start > 1 && first < 0x80 ? start + 1 : start;
            return word(wordStart);
        }
        throw source.error(
                first == '\n' ? source.line() - 1 : source.line(),
                "expected value but found " + TomlCharacterReader.quoted(first) + " instead");
    }

    private GoValue word(int start) throws GoCallException {
        int c = source.next();
        while (c != END && Character.isLetter(c)) {
            c = source.next();
        }
        source.back();
        String word = source.since(start);
        return switch (word) {
            case "true" -> GoBool.TRUE;
            case "false" -> GoBool.FALSE;
            default -> throw source.error("expected value but found " + GoQuote.quote(word) + " instead");
        };
    }

    private GoValue afterSign(int start) throws GoCallException {
        int c = source.next();
        switch (c) {
            case '.' -> throw source.error("floats must start with a digit, not '.'");
            case 'i', 'n' -> {
                if (source.accept(c == 'i' ? 'n' : 'a') && source.accept(c == 'i' ? 'f' : 'n')) {
                    double number = c == 'n' ? Double.NaN : Double.POSITIVE_INFINITY;
                    return GoFloat.of(source.since(start).startsWith("-") ? -number : number);
                }
                throw source.error("invalid float: '" + source.since(start) + "'");
            }
            case '0' -> {
                int base = source.peek();
                if (base == 'b' || base == 'o' || base == 'x') {
                    throw source.error(
                            "cannot use sign with non-decimal numbers: '" + source.since(start) + (char) base + "'");
                }
            }
            default -> {
                if (!isDigit(c)) {
                    throw source.error("expected a digit but got " + TomlCharacterReader.quoted(c));
                }
            }
        }
        return decimal(start);
    }

    private GoValue afterZero(int start) throws GoCallException {
        int c = source.next();
        if (isDigit(c)) {
            return numberOrTime(start);
        }
        switch (c) {
            case '_' -> {
                return decimal(start);
            }
            case '.', 'e', 'E' -> {
                return fraction(start);
            }
            case 'b' -> {
                return based(start, 2, "a binary");
            }
            case 'o' -> {
                return based(start, 8, "an octal");
            }
            case 'x' -> {
                return based(start, 16, "a hexadecimal");
            }
            default -> {
                source.back();
                return integer(start);
            }
        }
    }

    private GoValue based(int start, int radix, String name) throws GoCallException {
        int c = source.peek();
        if (!isDigitOf(c, radix)) {
            throw source.error("not " + name + " number: '" + source.since(start) + TomlCharacterReader.raw(c) + "'");
        }
        while (isDigitOf(c, radix) || c == '_') {
            c = source.next();
        }
        source.back();
        return integer(start);
    }

    private static boolean isDigitOf(int c, int radix) {
        return radix == 16 ? isHexDigit(c) : c >= '0' && c < '0' + radix;
    }

    private GoValue numberOrTime(int start) throws GoCallException {
        while (true) {
            int c = source.next();
            switch (c) {
                case '-', ':' -> {
                    return time(start);
                }
                case '_' -> {
                    return decimal(start);
                }
                case '.', 'e', 'E' -> {
                    return fraction(start);
                }
                default -> {
                    if (!isDigit(c)) {
                        source.back();
                        return integer(start);
                    }
                }
            }
        }
    }

    private GoValue decimal(int start) throws GoCallException {
        while (true) {
            int c = source.next();
            if (c == '.' || c == 'e' || c == 'E') {
                return fraction(start);
            }
            if (!isDigit(c) && c != '_') {
                source.back();
                return integer(start);
            }
        }
    }

    private GoValue fraction(int start) throws GoCallException {
        int c = source.next();
        while (isDigit(c) || (c != END && "_.-+eE".indexOf(c) >= 0)) {
            c = source.next();
        }
        source.back();
        return floating(source.since(start));
    }

    private GoValue time(int start) throws GoCallException {
        int c = source.next();
        while (isDigit(c) || (c != END && "-:Tt .Zz+".indexOf(c) >= 0)) {
            c = source.next();
        }
        source.back();
        String text =
                source.since(start).strip().replace('z', 'Z').replace('t', 'T').replace(' ', 'T');
        GoValue time = TomlTimeParser.parse(text);
        if (time == null) {
            throw source.error("invalid datetime: " + GoQuote.quote(text));
        }
        return time;
    }

    private GoValue integer(int start) throws GoCallException {
        String text = source.since(start);
        if (!underscoresFit(text)) {
            throw invalid("integer", text, "underscores must be surrounded by digits");
        }
        if (hasLeadingZero(text)) {
            throw invalid("integer", text, "cannot have leading zeroes");
        }
        String digits = text.replace("_", "");
        int radix = 10;
        if (digits.length() > 2 && digits.charAt(0) == '0') {
            radix = switch (digits.charAt(1)) {
                case 'x' -> 16;
                case 'o' -> 8;
                default -> 2;
            };
            digits = digits.substring(2);
        }
        int zeros = 0;
        while (zeros < digits.length() - 1 && digits.charAt(zeros) == '0') {
            zeros++;
        }
        boolean readable = digits.length() - zeros <= MOST_DIGITS;
        BigInteger number = readable ? new BigInteger(digits.substring(zeros), radix) : BigInteger.ZERO;
        if (!readable || number.bitLength() > 63) {
            throw source.error(text + " is out of range for int64");
        }
        return GoInt.int64(number.longValue());
    }

    private GoValue floating(String text) throws GoCallException {
        int start = 0;
        boolean first = true;
        for (int i = 0; i <= text.length(); i++) {
            if (i < text.length() && ".eE".indexOf(text.charAt(i)) < 0) {
                continue;
            }
            String part = text.substring(start, i);
            if (!underscoresFit(part) && !part.isEmpty()) {
                throw invalid("float", text, "underscores must be surrounded by digits");
            }
            start = i + 1;
        }
        for (int i = 0; i <= text.length() && first; i++) {
            if (i == text.length() || ".eE".indexOf(text.charAt(i)) >= 0) {
                first = false;
                if (hasLeadingZero(text.substring(0, i))) {
                    throw invalid("float", text, "cannot have leading zeroes");
                }
            }
        }
        for (int i = text.indexOf('.'); i >= 0; i = text.indexOf('.', i + 1)) {
            if (i + 1 == text.length() || !isDigit(text.charAt(i + 1))) {
                throw invalid("float", text, "'.' must be followed by one or more digits");
            }
        }
        double number;
        try {
            number = Double.parseDouble(text.replace("_", ""));
        } catch (NumberFormatException malformed) {
            throw source.error("Invalid float value: " + GoQuote.quote(text));
        }
        if (Double.isInfinite(number)) {
            throw source.error(text + " is out of range for float64");
        }
        return GoFloat.of(number);
    }

    private GoCallException invalid(String type, String text, String why) {
        return source.error("Invalid " + type + " " + GoQuote.quote(text) + ": " + why);
    }

    /** Digits of any base count as digits here. */
    private static boolean underscoresFit(String text) {
        boolean afterDigit = false;
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) == '_' && !afterDigit) {
                return false;
            }
            afterDigit = isHexDigit(text.charAt(i));
        }
        return afterDigit;
    }

    private static boolean hasLeadingZero(String text) {
        if (text.length() > 1 && text.charAt(0) == '0') {
            char base = text.charAt(1);
            return base != 'b' && base != 'o' && base != 'x';
        }
        return text.length() > 2 && text.charAt(1) == '0' && (text.charAt(0) == '-' || text.charAt(0) == '+');
    }

    /**
     * Dates and times. A time without a zone is kept as a {@code time.Time} in a zone whose name says what is missing; the encoder
     * knows these names again.
     */
    static final class TomlTimeParser {
        private static final int NO_OFFSET = Integer.MIN_VALUE;

        private static final String DATE_TIME = "2006-01-02T15:04:05.999999999";

        /** How a time is written: one that was read without a zone is written without. */
        static String text(GoTime time) {
            return switch (time.zone().name()) {
                case "datetime-local" -> time.format(DATE_TIME);
                case "date-local" -> time.format(DATE_TIME.substring(0, 10));
                case "time-local" -> time.format(DATE_TIME.substring(11));
                default -> time.format(GoTime.RFC_3339_NANO);
            };
        }

        /** Reads a text with {@code T} and {@code Z} in upper case; null if it is not a time. */
        static @Nullable GoValue parse(String text) {
            boolean hasDate = matches(text, 0, "0000-00-00");
            if (hasDate && text.length() == 10) {
                return value(text, "date-local", 0, 0, 0, 0, 0);
            }
            int start = hasDate ? 11 : 0;
            if ((hasDate && text.charAt(10) != 'T') || !matches(text, start, "00:00")) {
                return null;
            }
            int i = start + 5;
            int second = 0;
            int nanos = 0;
            if (matches(text, i, ":00")) {
                second = number(text, i + 1);
                i += 3;
                if (matches(text, i, ".0")) {
                    int digits = 0;
                    for (i++; i < text.length() && TomlScalarParser.isDigit(text.charAt(i)); i++, digits++) {
                        nanos = digits < 9 ? nanos * 10 + text.charAt(i) - '0' : nanos;
                    }
                    for (; digits < 9; digits++) {
                        nanos *= 10;
                    }
                }
            }
            int offset = offset(text, i);
            boolean local = i == text.length();
            if ((!local && offset == NO_OFFSET) || (!hasDate && !local)) {
                return null;
            }
            String zone = local ? hasDate ? "datetime-local" : "time-local" : "";
            return value(
                    hasDate ? text : "0000-01-01",
                    zone,
                    number(text, start),
                    number(text, start + 3),
                    second,
                    nanos,
                    local ? 0 : offset);
        }

        /** Whether digits stand where the pattern has zeros, and the pattern's other characters where they are. */
        private static boolean matches(String text, int start, String pattern) {
            if (start + pattern.length() > text.length()) {
                return false;
            }
            for (int i = 0; i < pattern.length(); i++) {
                char c = text.charAt(start + i);
                if (pattern.charAt(i) == '0' ? !TomlScalarParser.isDigit(c) : c != pattern.charAt(i)) {
                    return false;
                }
            }
            return true;
        }

        private static int number(String text, int i) {
            return (text.charAt(i) - '0') * 10 + text.charAt(i + 1) - '0';
        }

        private static int offset(String text, int i) {
            if (i + 1 == text.length() && text.charAt(i) == 'Z') {
                return 0;
            }
            if (i + 6 != text.length() || !(matches(text, i, "+00:00") || matches(text, i, "-00:00"))) {
                return NO_OFFSET;
            }
            int hours = number(text, i + 1);
            int minutes = number(text, i + 4);
            if (hours > 24 || minutes > 60) {
                return NO_OFFSET;
            }
            int seconds = hours * 3600 + minutes * 60;
            return text.charAt(i) == '-' ? -seconds : seconds;
        }

        private static @Nullable GoValue value(
                String date, String zone, int hour, int minute, int second, int nanos, int offset) {
            try {
                int year = number(date, 0) * 100 + number(date, 2);
                LocalDateTime local =
                        LocalDateTime.of(year, number(date, 5), number(date, 8), hour, minute, second, nanos);
                GoZone place = zone.isEmpty() && offset == 0 ? GoZone.UTC : new GoZone.Fixed(zone, offset);
                return new GoTime(local.toEpochSecond(ZoneOffset.UTC) - offset, nanos, place).value();
            } catch (DateTimeException outOfRange) {
                return null;
            }
        }
    }
}
