package io.osmhub.core.userdata;

import com.google.re2j.Pattern;

/**
 * Decides what a YAML 1.1 reader (PyYAML in cloud-init) reads as the text itself, and quotes other texts.
 *
 * <p>All callers follow one rule: a text that is read back unchanged is written verbatim; any other becomes a double-quoted scalar,
 * which can represent every character.
 */
final class YamlScalarQuoting {
    /** Plain scalars of digits that are not strings: integers of five bases, floats, times. */
    private static final Pattern NUMBER_OR_TIME =
            Pattern.compile("[-+]?(0b[01_]+|0[0-7_]+|0|[1-9][0-9_]*|0x[0-9a-fA-F_]+)"
                    + "|[-+]?[1-9][0-9_]*(:[0-5]?[0-9])+"
                    + "|[-+]?[0-9][0-9_]*(:[0-5]?[0-9])*\\.[0-9_]*([eE][-+][0-9]+)?|\\.[0-9][0-9_]*([eE][-+][0-9]+)?"
                    + "|[-+]?\\.(inf|Inf|INF)|\\.(nan|NaN|NAN)"
                    + "|[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(([Tt]|[ \\t]+)[0-9].*)?");

    private static final Pattern CANONICAL_INTEGER = Pattern.compile("0|-?[1-9][0-9]*");
    private static final Pattern SIMPLE_FLOAT = Pattern.compile("-?[0-9]+\\.[0-9]+");

    private YamlScalarQuoting() {}

    /** A character that YAML text may contain and that ends no line. Surrogates are assumed to be paired. */
    static boolean isPrintable(char c) {
        return c >= ' ' && c < 0x7F || c == '\t' || c >= 0xA0 && c <= 0xFFFD && c != 0x2028 && c != 0x2029;
    }

    private static boolean isPrintable(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (!isPrintable(text.charAt(i))) {
                return false;
            }
        }
        return true;
    }

    /**
     * Whether a literal block with detected indentation preserves the text, except line breaks at its end and CR LF, which is read
     * as LF. A first line that begins with a space would count as deeper indentation.
     */
    static boolean isSafeInBlock(String text) {
        int first = 0;
        while (first < text.length() && (text.charAt(first) == '\n' || text.charAt(first) == '\r')) {
            first++;
        }
        if (text.startsWith(" ", first)) {
            return false;
        }
        int end = text.length();
        for (int i = 0; i < end; i++) {
            char c = text.charAt(i);
            boolean endsLine = c == '\n' || c == '\r' && (i + 1 == end || text.charAt(i + 1) == '\n');
            if (!endsLine && !isPrintable(c)) {
                return false;
            }
        }
        return true;
    }

    /** Whether the text, unquoted as a value or key in a block, is read as one scalar of exactly these characters. */
    static boolean isPlain(String text) {
        if (text.isEmpty() || !isPrintable(text) || text.indexOf('\t') >= 0) {
            return false;
        }
        char first = text.charAt(0);
        boolean bare = text.length() == 1 || text.charAt(1) == ' ';
        if (" ,[]{}#&*!|>'\"%@`".indexOf(first) >= 0 || bare && "-?:".indexOf(first) >= 0) {
            return false;
        }
        char last = text.charAt(text.length() - 1);
        return last != ' ' && last != ':' && !text.contains(": ") && !text.contains(" #");
    }

    /** Whether a YAML 1.1 reader reads a plain scalar as a string, not as a number, time, boolean or null. */
    static boolean isString(String plain) {
        return switch (plain) {
            case "~", "null", "Null", "NULL", "=", "<<" -> false;
            default ->
                !isBoolean(plain)
                        && (plain.isEmpty()
                                || "+-.0123456789".indexOf(plain.charAt(0)) < 0
                                || !NUMBER_OR_TIME.matcher(plain).matches());
        };
    }

    static boolean isBoolean(String plain) {
        return switch (plain) {
            case "true", "True", "TRUE", "yes", "Yes", "YES", "on", "On", "ON" -> true;
            case "false", "False", "FALSE", "no", "No", "NO", "off", "Off", "OFF" -> true;
            default -> false;
        };
    }

    /** Whether a plain scalar is read as a number that prints as the same text. */
    static boolean isCanonicalNumber(String plain) {
        return CANONICAL_INTEGER.matcher(plain).matches()
                || SIMPLE_FLOAT.matcher(plain).matches()
                        && Double.toString(Double.parseDouble(plain)).equals(plain);
    }

    /** Appends the text as a single-quoted scalar if possible, as in OSM; else double-quoted. */
    static void quote(StringBuilder out, String text) {
        if (!isPrintable(text)) {
            doubleQuote(out, text);
            return;
        }
        out.append('\'').append(text.replace("'", "''")).append('\'');
    }

    /** Appends the text as a double-quoted scalar on one line. */
    static void doubleQuote(StringBuilder out, String text) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '"' -> out.append("\\\"");
                case '\\' -> out.append("\\\\");
                case '\n' -> out.append("\\n");
                case '\r' -> out.append("\\r");
                case '\t' -> out.append("\\t");
                default ->
                    out.append(
                            isPrintable(c)
                                    ? String.valueOf(c)
                                    : (c <= 0xFF ? "\\x%02X" : "\\u%04X").formatted((int) c));
            }
        }
        out.append('"');
    }
}
