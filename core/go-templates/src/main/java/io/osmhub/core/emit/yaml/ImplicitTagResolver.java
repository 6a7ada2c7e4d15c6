package io.osmhub.core.emit.yaml;

import io.osmhub.core.golang.GoType;
import io.osmhub.core.golang.GoValue;
import io.osmhub.core.golang.GoValue.GoBool;
import io.osmhub.core.golang.GoValue.GoFloat;
import io.osmhub.core.golang.GoValue.GoInt;
import io.osmhub.core.golang.GoValue.GoNil;
import io.osmhub.core.golang.GoValue.GoString;
import java.time.DateTimeException;
import java.time.format.DateTimeFormatter;
import java.time.format.ResolverStyle;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.nodes.Tag;

/**
 * What a scalar without quotes and without a tag stands for in Go's libraries: a mix of YAML 1.1 and 1.2. Bools are those of 1.2;
 * integers those of both, and Go's; dates those of 1.1.
 */
final class ImplicitTagResolver {
    static final Tag TIMESTAMP = new Tag(Tag.PREFIX + "timestamp");

    private static final String MERGE_KEY = "<<";

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

    /** As in the libraries. */
    private static final Pattern DECIMAL =
            Pattern.compile("[-+]?(?:\\.[0-9]+|[0-9]+(?:\\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?");

    /** Numbers to the base of 60, as YAML 1.1 has them: {@code 12:30:45.5}. In linear time, because they may have any length. */
    private static final com.google.re2j.Pattern SEXAGESIMAL =
            com.google.re2j.Pattern.compile("[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\\.[0-9_]*)?");

    private static final String TIME = "(?:[01]?[0-9]|2[0-3]):[0-5]?[0-9]:[0-5]?[0-9](?:[.,][0-9]+)?";

    /** A date, a date and a time after blanks, or a date and a time with a zone; Go takes zones of up to 24 hours and 60 minutes. */
    private static final Pattern TIMESTAMP_FORM = Pattern.compile("([0-9]{4}-[0-9]{1,2}-[0-9]{1,2})(?: +" + TIME
            + "|[Tt]" + TIME + "(?:Z|[-+](?:[01][0-9]|2[0-4]):(?:[0-5][0-9]|60)))?");

    private static final DateTimeFormatter DATE =
            DateTimeFormatter.ofPattern("uuuu-M-d", Locale.ROOT).withResolverStyle(ResolverStyle.STRICT);

    private ImplicitTagResolver() {}

    /** Whether the text has to be quoted to remain text. */
    static boolean isNonString(String text) {
        if (text.isEmpty()) {
            return true;
        }
        return switch (text.charAt(0)) {
            case '+', '-', '.', '~', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9' ->
                WORDS.containsKey(text) || isTimestamp(text) || number(text) != null || SEXAGESIMAL.matches(text);
            case 'n', 'N', 't', 'T', 'f', 'F', 'y', 'Y', 'o', 'O' ->
                WORDS.containsKey(text) || OLD_BOOLS.contains(text);
            default -> false;
        };
    }

    /** The tag of a plain scalar. */
    static Tag resolveTag(String text) {
        if (text.equals(MERGE_KEY)) {
            return Tag.MERGE;
        }
        return switch (resolve(text)) {
            case GoNil n -> Tag.NULL;
            case GoBool b -> Tag.BOOL;
            case GoInt i -> Tag.INT;
            case GoFloat f -> Tag.FLOAT;
            default -> isTimestamp(text) ? TIMESTAMP : Tag.STR;
        };
    }

    /** The value of a plain scalar; timestamps are text. */
    static GoValue resolve(String text) {
        GoValue word = WORDS.get(text);
        if (word != null) {
            return word;
        }
        GoValue number = isTimestamp(text) ? null : number(text);
        return number == null ? GoString.of(text) : number;
    }

    /** An {@code int}, a {@code uint64} when it needs one, or a {@code float64}; null if it is not a number. */
    private static @Nullable GoValue number(String text) {
        char first = text.charAt(0);
        if (first == '.') {
            // Here underscores have to stand between digits, as in Go.
            String plain = text.indexOf('_') < 0 ? text : text.replaceAll("(?<=[0-9])_(?=[0-9])", "");
            return isDecimal(plain) ? finite(plain) : null;
        }
        if (first != '+' && first != '-' && (first < '0' || first > '9')) {
            return null;
        }
        String plain = text.replace("_", "");
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
        int start = text.startsWith("-") || text.startsWith("+") ? 1 : 0;
        int radix = 10;
        if (text.length() > start + 1 && text.charAt(start) == '0') {
            switch (text.charAt(start + 1)) {
                case 'x', 'X' -> radix = 16;
                case 'b', 'B' -> radix = 2;
                default -> radix = 8; // 0o777 and 0777
            }
            start += Character.isLetter(text.charAt(start + 1)) ? 2 : 1;
        }
        for (int i = start; i < text.length(); i++) {
            if (text.charAt(i) >= 0x80 || Character.digit(text.charAt(i), radix) < 0) {
                return null;
            }
        }
        try {
            long magnitude = Long.parseUnsignedLong(text, start, text.length(), radix);
            boolean fits = magnitude >= 0;
            if (text.startsWith("-")) {
                return fits || magnitude == Long.MIN_VALUE ? GoInt.of(-magnitude) : null;
            }
            if (fits) {
                return GoInt.of(magnitude);
            }
            return text.startsWith("+") ? null : new GoInt(GoType.UINT64, magnitude);
        } catch (NumberFormatException emptyOrTooLarge) {
            return null;
        }
    }

    private static boolean isDecimal(String text) {
        return DECIMAL.matcher(text).matches();
    }

    private static boolean isTimestamp(String text) {
        Matcher timestamp = TIMESTAMP_FORM.matcher(text);
        if (!timestamp.matches()) {
            return false;
        }
        try {
            return DATE.parse(timestamp.group(1)) != null;
        } catch (DateTimeException noSuchDay) {
            return false;
        }
    }
}
