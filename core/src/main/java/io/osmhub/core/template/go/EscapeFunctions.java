package io.osmhub.core.template.go;

import io.osmhub.core.golang.ExecutionEnvironment;
import io.osmhub.core.golang.GoNil;
import io.osmhub.core.golang.GoString;
import io.osmhub.core.golang.GoValue;
import io.osmhub.core.golang.text.GoPrint;
import io.osmhub.core.golang.text.GoQuote;
import io.osmhub.core.golang.text.Utf8Runes;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** {@code html}, {@code js} and {@code urlquery}: the arguments as {@code print} shows them, escaped. */
final class EscapeFunctions {
    private static final String HEX = "0123456789ABCDEF";

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
                case '"' -> escaped.append("&#34;");
                case '\'' -> escaped.append("&#39;");
                case '&' -> escaped.append("&amp;");
                case '<' -> escaped.append("&lt;");
                case '>' -> escaped.append("&gt;");
                default -> escaped.append(c);
            }
        }
        return GoString.ofBytes(escaped.toString());
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
        String hex = Integer.toHexString(rune).toUpperCase(Locale.ROOT);
        to.append("\\u").repeat('0', Math.max(4 - hex.length(), 0)).append(hex);
    }

    static GoValue urlquery(ExecutionEnvironment environment, List<GoValue> arguments) {
        String text = text(environment, arguments);
        StringBuilder escaped = new StringBuilder(text.length() + 16);
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean plain =
                    c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || "-_.~".indexOf(c) >= 0;
            if (plain) {
                escaped.append(c);
            } else if (c == ' ') {
                escaped.append('+');
            } else {
                escaped.append('%').append(HEX.charAt(c >> 4)).append(HEX.charAt(c & 0xF));
            }
        }
        return GoString.ofBytes(escaped.toString());
    }
}
