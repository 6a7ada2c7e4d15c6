package io.osmhub.core.template.go;

import io.osmhub.core.golang.Environment;
import io.osmhub.core.golang.Nil;
import io.osmhub.core.golang.Str;
import io.osmhub.core.golang.Value;
import io.osmhub.core.golang.text.GoPrint;
import io.osmhub.core.golang.text.GoQuote;
import io.osmhub.core.golang.text.Utf8;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** {@code html}, {@code js} and {@code urlquery}: the arguments as {@code print} shows them, made safe for a place. */
final class Escapes {
    private static final String HEX = "0123456789ABCDEF";

    private Escapes() {}

    /** The arguments' text; other than with {@code print}, pointers are followed as when an action prints. */
    private static String text(Environment environment, List<Value> arguments) {
        List<Value> shown = new ArrayList<>(arguments.size());
        for (Value argument : arguments) {
            shown.add(argument instanceof Nil ? Str.of("<no value>") : GoPrint.printable(argument));
        }
        String text = GoPrint.sprint(environment, shown);
        environment.charge(text.length(), 2L * text.length());
        return text;
    }

    static Value html(Environment environment, List<Value> arguments) {
        String text = text(environment, arguments);
        StringBuilder escaped = new StringBuilder(text.length() + 16);
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case 0 -> Utf8.append(escaped, Utf8.REPLACEMENT);
                case '"' -> escaped.append("&#34;");
                case '\'' -> escaped.append("&#39;");
                case '&' -> escaped.append("&amp;");
                case '<' -> escaped.append("&lt;");
                case '>' -> escaped.append("&gt;");
                default -> escaped.append(c);
            }
        }
        return Str.ofBytes(escaped.toString());
    }

    static Value js(Environment environment, List<Value> arguments) {
        String text = text(environment, arguments);
        StringBuilder escaped = new StringBuilder(text.length() + 16);
        for (int i = 0; i < text.length(); ) {
            int rune = Utf8.runeAt(text, i);
            int size = Utf8.size(rune);
            switch (rune) {
                case '\\', '\'', '"' -> escaped.append('\\').append((char) rune);
                case '<', '>', '&', '=' -> appendUnicode(escaped, rune);
                default -> {
                    if (rune >= ' ' && rune < 0x80) {
                        escaped.append((char) rune);
                    } else if (rune >= 0x80 && GoQuote.isPrint(rune) || rune == Utf8.BROKEN) {
                        escaped.append(text, i, i + size);
                    } else {
                        appendUnicode(escaped, rune);
                    }
                }
            }
            i += size;
        }
        return Str.ofBytes(escaped.toString());
    }

    private static void appendUnicode(StringBuilder to, int rune) {
        String hex = Integer.toHexString(rune).toUpperCase(Locale.ROOT);
        to.append("\\u").repeat('0', Math.max(4 - hex.length(), 0)).append(hex);
    }

    static Value urlquery(Environment environment, List<Value> arguments) {
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
        return Str.ofBytes(escaped.toString());
    }
}
