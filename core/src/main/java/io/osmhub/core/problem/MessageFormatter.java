package io.osmhub.core.problem;

import java.util.HexFormat;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Makes texts for people from untrusted values: control characters and marks that change the reading direction are
 * {@linkplain #visible escaped}, a value is cut at 350 characters, and the middle of a message at 1,024.
 */
public final class MessageFormatter {
    /** Longer than any kind with namespace and name. */
    private static final int LONGEST_VALUE = 350;
    /** A finding's clause or a fix is written by the hub and quotes only a few values. */
    private static final int LONGEST_CLAUSE = 600;

    private static final int LONGEST_MESSAGE = 1024;
    private static final String CUT = " ... ";
    private static final int LONGEST_QUOTE = 200;

    private MessageFormatter() {}

    /** A value of another program: escaped, and cut at 350 characters. */
    static String value(String text) {
        return visible(text, LONGEST_VALUE);
    }

    /** A clause that quotes a few values, or a text that another program stored: escaped, and cut at 600 characters. */
    static String clause(String text) {
        return visible(text, LONGEST_CLAUSE);
    }

    /**
     * Fills a text of the catalogue of reasons with values, each {@linkplain #value escaped and cut}.
     *
     * @param values by variable name
     * @throws IllegalArgumentException if a variable has no value
     */
    static String fill(String template, Map<String, String> values) {
        String text = fill(template, name -> {
            String value = values.get(name);
            return value == null ? null : name.equals("fix") ? clause(value) : value(value);
        });
        if (text == null) {
            throw new IllegalArgumentException("a variable of \"" + template + "\" has no value");
        }
        return text;
    }

    /** Fills a text's variables in braces; null if one has no value. */
    static @Nullable String fill(String template, Function<String, @Nullable String> values) {
        StringBuilder text = new StringBuilder(template.length() * 2);
        int at = 0;
        for (int open = template.indexOf('{'); open >= 0; open = template.indexOf('{', at)) {
            int close = template.indexOf('}', open);
            String value = values.apply(template.substring(open + 1, close));
            if (value == null) {
                return null;
            }
            text.append(template, at, open).append(value);
            at = close + 1;
        }
        return text.append(template, at, template.length()).toString();
    }

    /** The sentence of a problem: the command stays whole, the fix fills at most half of it, and the cause is cut first. */
    static String message(Problem problem) {
        String command = problem.command().describe(problem.scope().workerCluster());
        String fix = cutInTheMiddle(problem.fix(), Math.max(LONGEST_QUOTE, LONGEST_CLAUSE - command.length()));
        String end =
                (fix.isEmpty() ? "" : "; " + fix) + (command.isEmpty() ? "" : (fix.isEmpty() ? "; " : ": ") + command);
        String tenant = problem.scope().tenant();
        String place = problem.place();
        String start = (tenant.isEmpty() ? "" : tenant + ": ") + (place.isEmpty() ? "" : place + ": ");
        int left = LONGEST_MESSAGE - end.codePointCount(0, end.length());
        int forCause = left - start.codePointCount(0, start.length());
        return forCause < LONGEST_QUOTE / 2
                ? cutInTheMiddle(start + problem.cause(), left) + end
                : start + cutInTheMiddle(problem.cause(), forCause) + end;
    }

    /** Returns one line, {@linkplain #visible escaped} and cut at 200 characters. For texts that are shown as they are. */
    public static String sanitize(String text) {
        return visible(text, LONGEST_QUOTE);
    }

    /** Returns a text cut at 200 characters and otherwise unchanged. For parts of a message, which is escaped as a whole. */
    public static String quote(String text) {
        return text.codePointCount(0, text.length()) <= LONGEST_QUOTE
                ? text
                : text.substring(0, text.offsetByCodePoints(0, LONGEST_QUOTE)) + "...";
    }

    /**
     * Returns one line in which no character acts on a terminal or changes the reading direction: each is written as in JSON, for
     * example {@code \\u001b}; line breaks and tabs become blanks.
     */
    public static String visible(String text) {
        return visible(text, Integer.MAX_VALUE);
    }

    /** @param longest length in characters after which it is cut, without splitting an escape */
    private static String visible(String text, int longest) {
        if (text.length() <= longest && text.codePoints().noneMatch(MessageFormatter::isInvisible)) {
            return text;
        }
        StringBuilder visible = new StringBuilder(Math.min(text.length(), longest) + 16);
        int length = 0;
        for (int at = 0, c; at < text.length(); at += Character.charCount(c)) {
            c = text.codePointAt(at);
            String shown = shown(c);
            length += shown.codePointCount(0, shown.length());
            if (length > longest) {
                return visible.append("...").toString();
            }
            visible.append(shown);
        }
        return visible.toString();
    }

    private static String shown(int c) {
        if (!isInvisible(c)) {
            return Character.toString(c);
        }
        if (c == '\n' || c == '\r' || c == '\t' || c == 0x85 || c == 0x2028 || c == 0x2029) {
            return " ";
        }
        StringBuilder escape = new StringBuilder();
        for (char unit : Character.toChars(c)) {
            escape.append("\\u").append(HexFormat.of().toHexDigits(unit));
        }
        return escape.toString();
    }

    /** Whether a character acts on a terminal or the text around it. */
    public static boolean isInvisible(int c) {
        return switch (Character.getType(c)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR -> true;
            default -> false;
        };
    }

    private static String cutInTheMiddle(String text, int longest) {
        int length = text.codePointCount(0, text.length());
        int kept = (longest - CUT.length()) / 2;
        return length <= longest
                ? text
                : text.substring(0, text.offsetByCodePoints(0, kept))
                        + CUT
                        + text.substring(text.offsetByCodePoints(text.length(), -kept));
    }
}
