package io.osmhub.core.template.go;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.osmhub.core.golang.ExecutionEnvironment;
import io.osmhub.core.golang.GoValue;
import io.osmhub.core.golang.GoValue.GoNil;
import io.osmhub.core.golang.GoValue.GoString;
import io.osmhub.core.golang.text.GoPrint;
import io.osmhub.core.golang.text.GoQuote;
import io.osmhub.core.golang.text.Utf8Runes;
import java.net.URLEncoder;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/** {@code html}, {@code js} and {@code urlquery}: the arguments as {@code print} shows them, escaped. */
final class EscapeFunctions {
    private static final HexFormat UPPER_HEX = HexFormat.of().withUpperCase();

    private EscapeFunctions() {}

    /** The arguments' text; unlike {@code print}, follows pointers as an action does. */
    private static String text(ExecutionEnvironment environment, List<GoValue> arguments) {
        List<GoValue> shown = new ArrayList<>(arguments.size());
        for (GoValue argument : arguments) {
            shown.add(argument instanceof GoNil ? GoString.of("<no value>") : GoPrint.printable(argument));
        }
        String text = GoPrint.sprint(environment, shown);
        environment.charge(text.length(), 2L * text.length());
        return text;
    }

    static GoValue html(ExecutionEnvironment environment, List<GoValue> arguments) {
        String text = text(environment, arguments);
        StringBuilder escaped = new StringBuilder(text.length() + 16);
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case 0 -> Utf8Runes.append(escaped, Utf8Runes.REPLACEMENT);
                case '"', '\'', '&', '<', '>' -> escaped.append(htmlEscape(c));
                default -> escaped.append(c);
            }
        }
        return GoString.ofBytes(escaped.toString());
    }

    private static String htmlEscape(char c) {
        return switch (c) {
            case '&' -> "&amp;";
            case '<' -> "&lt;";
            case '>' -> "&gt;";
            default -> "&#" + (int) c + ";";
        };
    }

    static GoValue js(ExecutionEnvironment environment, List<GoValue> arguments) {
        String text = text(environment, arguments);
        StringBuilder escaped = new StringBuilder(text.length() + 16);
        for (int i = 0; i < text.length(); ) {
            int rune = Utf8Runes.runeAt(text, i);
            int size = Utf8Runes.size(rune);
            switch (rune) {
                case '\\', '\'', '"' -> escaped.append('\\').append((char) rune);
                case '<', '>', '&', '=' -> appendUnicode(escaped, rune);
                default -> {
                    if (rune >= ' ' && rune < 0x80) {
                        escaped.append((char) rune);
                    } else if (rune >= 0x80 && GoQuote.isPrint(rune) || rune == Utf8Runes.BROKEN) {
                        escaped.append(text, i, i + size);
                    } else {
                        appendUnicode(escaped, rune);
                    }
                }
            }
            i += size;
        }
        return GoString.ofBytes(escaped.toString());
    }

    private static void appendUnicode(StringBuilder to, int rune) {
        to.append("\\u").append(UPPER_HEX.toHexDigits(rune, rune > 0xFFFF ? rune > 0xFFFFF ? 6 : 5 : 4));
    }

    static GoValue urlquery(ExecutionEnvironment environment, List<GoValue> arguments) {
        String text = text(environment, arguments);
        // Go keeps and escapes the same characters as Java but for two.
        String escaped = URLEncoder.encode(text, ISO_8859_1).replace("*", "%2A").replace("%7E", "~");
        return GoString.ofBytes(escaped);
    }
}
