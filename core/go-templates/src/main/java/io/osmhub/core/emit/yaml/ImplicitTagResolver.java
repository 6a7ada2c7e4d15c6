package io.osmhub.core.emit.yaml;

import io.osmhub.core.golang.GoCallException;
import io.osmhub.core.golang.GoType;
import io.osmhub.core.golang.GoValue;
import io.osmhub.core.golang.GoValue.GoBool;
import io.osmhub.core.golang.GoValue.GoFloat;
import io.osmhub.core.golang.GoValue.GoInt;
import io.osmhub.core.golang.GoValue.GoNil;
import io.osmhub.core.golang.GoValue.GoOpaque;
import io.osmhub.core.golang.GoValue.GoString;
import io.osmhub.core.golang.time.GoTime;
import io.osmhub.core.golang.time.GoZone;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Base64;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a scalar without quotes and without a tag stands for: a mix of YAML 1.1 and 1.2. Bools are those of 1.2; integers those
 * of both, and Go's; dates those of 1.1.
 */
final class ImplicitTagResolver {
    private static final Map<String, GoValue> WORDS = Map.ofEntries(
            Map.entry("", GoNil.ANY),
            Map.entry("~", GoNil.ANY),
            Map.entry("null", GoNil.ANY),
            Map.entry("Null", GoNil.ANY),
            Map.entry("NULL", GoNil.ANY),
            Map.entry("true", GoBool.TRUE),
            Map.entry("True", GoBool.TRUE),
            Map.entry("TRUE", GoBool.TRUE),
            Map.entry("false", GoBool.FALSE),
            Map.entry("False", GoBool.FALSE),
            Map.entry("FALSE", GoBool.FALSE),
            Map.entry(".nan", GoFloat.of(Double.NaN)),
            Map.entry(".NaN", GoFloat.of(Double.NaN)),
            Map.entry(".NAN", GoFloat.of(Double.NaN)),
            Map.entry(".inf", GoFloat.of(Double.POSITIVE_INFINITY)),
            Map.entry(".Inf", GoFloat.of(Double.POSITIVE_INFINITY)),
            Map.entry(".INF", GoFloat.of(Double.POSITIVE_INFINITY)),
            Map.entry("+.inf", GoFloat.of(Double.POSITIVE_INFINITY)),
            Map.entry("+.Inf", GoFloat.of(Double.POSITIVE_INFINITY)),
            Map.entry("+.INF", GoFloat.of(Double.POSITIVE_INFINITY)),
            Map.entry("-.inf", GoFloat.of(Double.NEGATIVE_INFINITY)),
            Map.entry("-.Inf", GoFloat.of(Double.NEGATIVE_INFINITY)),
            Map.entry("-.INF", GoFloat.of(Double.NEGATIVE_INFINITY)));

    /** Bools of YAML 1.1 only: read as text, but written in quotes, because others read them as bools. */
    private static final Set<String> OLD_BOOLS =
            Set.of("y", "Y", "yes", "Yes", "YES", "on", "On", "ON", "n", "N", "no", "No", "NO", "off", "Off", "OFF");

    /** With more digits, no integer fits 64 bits; reading millions of them would take minutes. */
    private static final int MOST_DIGITS = 64;

    private ImplicitTagResolver() {}

    /** Whether the text has to be quoted to remain text. */
    static boolean isNonString(String text) {
        if (text.isEmpty()) {
            return true;
        }
        char first = text.charAt(0);
        return switch (first) {
            case '+', '-', '.', '~', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9' ->
                WORDS.containsKey(text)
                        || YamlTimestamp.parse(text) != null
                        || number(text) != null
                        || isSexagesimal(text);
            case 'n', 'N', 't', 'T', 'f', 'F', 'y', 'Y', 'o', 'O' ->
                WORDS.containsKey(text) || OLD_BOOLS.contains(text);
            default -> false;
        };
    }

    /** The short tag of a plain scalar. */
    static String resolveTag(String text) {
        return tag(plain(text, true));
    }

    /**
     * The value of a scalar that is not just text.
     *
     * @param tag an explicit tag, or that of {@link #resolveTag}; empty for none
     * @throws GoCallException when the text does not suit the tag
     */
    static GoValue resolve(String tag, String text) throws GoCallException {
        switch (tag) {
            case "!!binary" -> {
                return base64(text);
            }
            case "", "!!bool", "!!int", "!!float", "!!null", "!!timestamp" -> {}
            default -> {
                return GoString.ofBytes(text);
            }
        }
        GoValue value = plain(text, tag.isEmpty() || tag.equals("!!timestamp"));
        String found = tag(value);
        if (tag.isEmpty() || tag.equals(found)) {
            return value;
        }
        if (tag.equals("!!float")
                && value instanceof GoInt integer
                && integer.type().equals(GoType.INT)) {
            return GoFloat.of((double) integer.value());
        }
        throw new GoCallException("yaml: cannot decode " + found + " `" + text + "` as a " + tag);
    }

    private static GoValue plain(String text, boolean mayBeTime) {
        GoValue word = WORDS.get(text);
        if (word != null) {
            return word;
        }
        char first = text.charAt(0);
        if (mayBeTime && first >= '0' && first <= '9') {
            YamlTimestamp timestamp = YamlTimestamp.parse(text);
            if (timestamp != null) {
                return timestamp.toValue();
            }
        }
        GoValue number = number(text);
        return number == null ? GoString.ofBytes(text) : number;
    }

    private static String tag(GoValue value) {
        return switch (value) {
            case GoNil n -> "!!null";
            case GoBool b -> "!!bool";
            case GoInt i -> "!!int";
            case GoFloat f -> "!!float";
            case GoOpaque time -> "!!timestamp";
            default -> "!!str";
        };
    }

    private static GoValue base64(String text) throws GoCallException {
        String digits = text.replace("\n", "").replace("\r", "");
        // Java does without the padding, Go does not.
        if (digits.length() % 4 != 0) {
            throw invalidBase64();
        }
        try {
            byte[] bytes = Base64.getDecoder().decode(digits.getBytes(StandardCharsets.ISO_8859_1));
            return GoString.ofBytes(new String(bytes, StandardCharsets.ISO_8859_1));
        } catch (IllegalArgumentException malformed) {
            throw invalidBase64();
        }
    }

    private static GoCallException invalidBase64() {
        return new GoCallException("yaml: !!binary value contains invalid base64 data");
    }

    /** An {@code int}, a {@code uint64} when it needs one, or a {@code float64}; null if it is not a number. */
    static @Nullable GoValue number(String text) {
        char first = text.isEmpty() ? 0 : text.charAt(0);
        if (first == '.') {
            // Here underscores have to stand between digits, as in Go.
            String plain = text.indexOf('_') < 0 ? text : text.replaceAll("(?<=[0-9])_(?=[0-9])", "");
            return isDecimal(plain) ? finite(plain) : null;
        }
        if (first != '+' && first != '-' && (first < '0' || first > '9')) {
            return null;
        }
        String plain = text.indexOf('_') < 0 ? text : text.replace("_", "");
        GoValue integer = integer(plain);
        if (integer != null) {
            return integer;
        }
        return isDecimal(plain) ? finite(plain) : null;
    }

    private static @Nullable GoValue finite(String text) {
        double number = Double.parseDouble(text);
        return Double.isInfinite(number) ? null : GoFloat.of(number);
    }

    private static @Nullable GoValue integer(String text) {
        boolean signed = text.startsWith("-") || text.startsWith("+");
        int start = signed ? 1 : 0;
        int radix = 10;
        if (text.length() > start + 1 && text.charAt(start) == '0') {
            radix = switch (text.charAt(start + 1)) {
                case 'x', 'X' -> 16;
                case 'o', 'O' -> 8;
                case 'b', 'B' -> 2;
                default -> 0; // 0777
            };
            start += radix == 0 ? 1 : 2;
            radix = radix == 0 ? 8 : radix;
        }
        if (start >= text.length()) {
            return null;
        }
        for (int i = start; i < text.length(); i++) {
            if (text.charAt(i) >= 0x80 || Character.digit(text.charAt(i), radix) < 0) {
                return null;
            }
        }
        while (start < text.length() - 1 && text.charAt(start) == '0') {
            start++;
        }
        if (text.length() - start > MOST_DIGITS) {
            return null;
        }
        BigInteger magnitude = new BigInteger(text.substring(start), radix);
        BigInteger number = text.startsWith("-") ? magnitude.negate() : magnitude;
        if (number.bitLength() <= 63) {
            return GoInt.of(number.longValue());
        }
        return number.signum() > 0 && number.bitLength() <= 64 && !signed
                ? new GoInt(GoType.UINT64, number.longValue())
                : null;
    }

    /** Sign, digits with an optional point, exponent. */
    private static boolean isDecimal(String text) {
        int i = text.startsWith("-") || text.startsWith("+") ? 1 : 0;
        int start = i;
        i = digits(text, i);
        int digits = i - start;
        if (i < text.length() && text.charAt(i) == '.') {
            int fraction = digits(text, i + 1);
            digits += fraction - i - 1;
            i = fraction;
        }
        if (digits == 0) {
            return false;
        }
        if (i < text.length() && (text.charAt(i) == 'e' || text.charAt(i) == 'E')) {
            i++;
            if (i < text.length() && (text.charAt(i) == '-' || text.charAt(i) == '+')) {
                i++;
            }
            int exponent = digits(text, i);
            if (exponent == i) {
                return false;
            }
            i = exponent;
        }
        return i == text.length();
    }

    private static int digits(String text, int start) {
        int i = start;
        while (i < text.length() && text.charAt(i) >= '0' && text.charAt(i) <= '9') {
            i++;
        }
        return i;
    }

    /** Numbers to the base of 60, as YAML 1.1 has them: {@code 12:30:45.5}. */
    private static boolean isSexagesimal(String text) {
        int i = text.startsWith("-") || text.startsWith("+") ? 1 : 0;
        if (text.indexOf(':') < 0 || digits(text, i) == i) {
            return false;
        }
        while (i < text.length() && (text.charAt(i) == '_' || digits(text, i) > i)) {
            i++;
        }
        int groups = 0;
        while (i < text.length() && text.charAt(i) == ':') {
            int end = digits(text, i + 1);
            int length = end - i - 1;
            if (length < 1 || length > 2 || (length == 2 && text.charAt(i + 1) > '5')) {
                return false;
            }
            groups++;
            i = end;
        }
        if (i < text.length() && text.charAt(i) == '.') {
            i++;
            while (i < text.length() && (text.charAt(i) == '_' || digits(text, i) > i)) {
                i++;
            }
        }
        return groups > 0 && i == text.length();
    }

    /**
     * A point in time as YAML writes it: a date; a date and a time after blanks; or a date and a time with a zone, joined by
     * {@code T} or {@code t}. Fields but the year may have one digit.
     *
     * @param offsetSeconds zone of the local time; 0 for UTC
     */
    private record YamlTimestamp(LocalDateTime local, int offsetSeconds) {
        /** The {@code time.Time}. */
        GoValue toValue() {
            GoZone zone = offsetSeconds == 0 ? GoZone.UTC : new GoZone.Fixed("", offsetSeconds);
            Instant instant = local.minusSeconds(offsetSeconds).toInstant(ZoneOffset.UTC);
            return new GoTime(instant.getEpochSecond(), instant.getNano(), zone).value();
        }

        /** Null for what is none. */
        static @Nullable YamlTimestamp parse(String text) {
            return new Reader(text).timestamp();
        }

        /** A position in a text. Once something does not fit, all further answers are of no worth. */
        private static final class Reader {
            private final String text;
            private int position;
            private boolean failed;

            Reader(String text) {
                this.text = text;
            }

            @Nullable YamlTimestamp timestamp() {
                int year = number(4, 4);
                expect('-');
                int month = number(1, 2);
                expect('-');
                int day = number(1, 2);
                if (failed) {
                    return null;
                }
                if (atEnd()) {
                    return dateTime(year, month, day, 0, 0, 0, 0, 0);
                }
                boolean zoned = peek() == 'T' || peek() == 't';
                if (zoned) {
                    position++;
                } else {
                    expect(' ');
                    while (peek() == ' ') {
                        position++;
                    }
                }
                int hour = number(1, 2);
                expect(':');
                int minute = number(1, 2);
                expect(':');
                int second = number(1, 2);
                int nanos = fraction();
                int offset = zoned ? zone() : 0;
                return failed || !atEnd() ? null : dateTime(year, month, day, hour, minute, second, nanos, offset);
            }

            private static @Nullable YamlTimestamp dateTime(
                    int year, int month, int day, int hour, int minute, int second, int nanos, int offset) {
                try {
                    return new YamlTimestamp(LocalDateTime.of(year, month, day, hour, minute, second, nanos), offset);
                } catch (DateTimeException outOfRange) {
                    return null;
                }
            }

            private boolean atEnd() {
                return position >= text.length();
            }

            private char peek() {
                return atEnd() ? 0 : text.charAt(position);
            }

            private void expect(char c) {
                failed |= peek() != c;
                position++;
            }

            private boolean isDigitAt(int i) {
                return i < text.length() && text.charAt(i) >= '0' && text.charAt(i) <= '9';
            }

            private int number(int least, int most) {
                int number = 0;
                int digits = 0;
                while (digits < most && isDigitAt(position)) {
                    number = number * 10 + (text.charAt(position++) - '0');
                    digits++;
                }
                failed |= digits < least;
                return number;
            }

            /** Nanoseconds; a point or a comma without a digit after it is not a fraction. Digits after the ninth are dropped. */
            private int fraction() {
                if ((peek() != '.' && peek() != ',') || !isDigitAt(position + 1)) {
                    return 0;
                }
                position++;
                int nanos = 0;
                for (int i = 0; i < 9; i++) {
                    nanos = nanos * 10 + (isDigitAt(position) ? text.charAt(position++) - '0' : 0);
                }
                while (isDigitAt(position)) {
                    position++;
                }
                return nanos;
            }

            private int zone() {
                if (peek() == 'Z') {
                    position++;
                    return 0;
                }
                int sign = peek() == '-' ? -1 : 1;
                failed |= peek() != '-' && peek() != '+';
                position++;
                int hours = number(2, 2);
                expect(':');
                int minutes = number(2, 2);
                failed |= hours > 24 || minutes > 60;
                return sign * (hours * 3600 + minutes * 60);
            }
        }
    }
}
