package io.osmhub.core.problem;

import java.util.HexFormat;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Fills a reason's template. Values are untrusted: control characters and marks that change the reading direction are
 * {@linkplain #escape escaped}, a value is cut at 350 characters, and the middle of a message at 1,024. {@link ProblemMessage} reads
 * the parts back.
 */
public final class MessageFormatter {
    /** Longer than any kind with namespace and name. */
    private static final int LONGEST_VALUE = 350;
    /** A finding's clause or a fix is written by the hub and quotes only a few values. */
    private static final int LONGEST_CLAUSE = 600;

    static final int LONGEST_MESSAGE = 1024;
    private static final String CUT = " ... ";
    private static final int LONGEST_QUOTE = 200;
    private static final String ELLIPSIS = "...";

    private static final Pattern ESCAPE = Pattern.compile("\\\\u([0-9a-f]{4})");

    private MessageFormatter() {}

    /**
     * Returns the message of a reason.
     *
     * @param values by variable name
     * @throws IllegalArgumentException if a variable has no value
     */
    static String format(Reason reason, Map<String, String> values) {
        String template = reason.template();
        int fix = template.indexOf(ProblemMessage.FIX);
        int cause = template.indexOf(ProblemMessage.PLACE, template.indexOf(ProblemMessage.PLACE) + 1);
        StringBuilder message = new StringBuilder(template.length() * 2);
        int separator = -1;
        int at = 0;
        for (int open = template.indexOf('{'); open >= 0; open = template.indexOf('{', at)) {
            int close = template.indexOf('}', open);
            String name = template.substring(open + 1, close);
            String value = values.get(name);
            if (value == null) {
                throw new IllegalArgumentException("no value for {" + name + "} of " + reason.wireName());
            }
            separator = at <= fix && fix < open ? message.length() + fix - at : separator;
            message.append(template, at, open)
                    .append(
                            fix >= 0 && open > fix
                                    ? sanitize(value, LONGEST_CLAUSE)
                                    : beforeFix(sanitize(value, LONGEST_VALUE), open < cause));
            at = close + 1;
        }
        separator = fix >= at ? message.length() + fix - at : separator;
        message.append(template, at, template.length());
        return separator < 0
                ? cutInTheMiddle(message.toString(), LONGEST_MESSAGE)
                : join(message.substring(0, separator), message.substring(separator + ProblemMessage.FIX.length()));
    }

    /** Returns the message of a finding. {@code tenant} is the tenant's namespace. */
    public static String format(String tenant, ProblemFinding finding) {
        ProblemFinding cause = new ProblemFinding(
                finding.reason(),
                beforeFix(sanitize(finding.object(), LONGEST_VALUE), true),
                beforeFix(sanitize(finding.field(), LONGEST_VALUE), true),
                finding.line(),
                finding.column(),
                beforeFix(sanitize(finding.what(), LONGEST_CLAUSE), false),
                "");
        return join(sanitize(tenant) + ProblemMessage.PLACE + cause, sanitize(finding.cure(), LONGEST_CLAUSE));
    }

    /** Removes what {@link ProblemMessage} would take for a separator; code stays valid, and sentences stay apart. */
    private static String beforeFix(String value, boolean beforeCause) {
        if (beforeCause) {
            return value.replace(ProblemMessage.FIX, ";").replace(ProblemMessage.PLACE, ":");
        }
        String[] parts = value.split("\"", -1);
        for (int i = 0; i < parts.length; i++) {
            parts[i] = parts[i].replace(ProblemMessage.FIX, i % 2 == 0 ? ", " : ";");
        }
        return String.join("\"", parts);
    }

    /** The fix is cut only if it fills more than half of the message, and its command never. */
    private static String join(String cause, String fix) {
        if (fix.isEmpty()) {
            return cutInTheMiddle(cause, LONGEST_MESSAGE);
        }
        String end = ProblemMessage.FIX + ProblemMessage.withWholeCommand(fix, LONGEST_CLAUSE);
        int left = LONGEST_MESSAGE - end.codePointCount(0, end.length());
        int place = cause.indexOf(ProblemMessage.PLACE, cause.indexOf(ProblemMessage.PLACE) + 1);
        // Commands are built from the names of the place.
        return place < 0 || place > left - LONGEST_QUOTE / 2
                ? cutInTheMiddle(cause, left) + end
                : cause.substring(0, place)
                        + cutInTheMiddle(cause.substring(place), left - cause.codePointCount(0, place))
                        + end;
    }

    /** Returns one line, {@linkplain #escape escaped} and cut at 200 characters. For texts that are shown as they are. */
    public static String sanitize(String text) {
        return sanitize(text, LONGEST_QUOTE);
    }

    private static String sanitize(String text, int longest) {
        String escaped = escape(quote(text, longest));
        return escaped.codePointCount(0, escaped.length()) <= longest + ELLIPSIS.length()
                ? escaped
                : escaped.substring(0, boundary(escaped, escaped.offsetByCodePoints(0, longest), false)) + ELLIPSIS;
    }

    /** Returns a text cut at 200 characters and otherwise unchanged. For parts of a message, which is escaped as a whole. */
    public static String quote(String text) {
        return quote(text, LONGEST_QUOTE);
    }

    private static String quote(String text, int longest) {
        return text.codePointCount(0, text.length()) <= longest
                ? text
                : text.substring(0, text.offsetByCodePoints(0, longest)) + ELLIPSIS;
    }

    /**
     * Returns one line in which no character acts on a terminal or changes the reading direction: each is written as in JSON, for
     * example {@code \\u001b}; line breaks and tabs become blanks. The backslash of a text that already reads like that is written as
     * {@code \\u005c}, so that {@link #unescape} restores the text. Must be applied once.
     */
    public static String escape(String text) {
        return visible(ESCAPE.matcher(text).replaceAll("\\\\u005cu$1"));
    }

    /** Returns the text of an escaped one. */
    public static String unescape(String text) {
        return text.indexOf('\\') < 0
                ? text
                : ESCAPE.matcher(text)
                        .replaceAll(found ->
                                Matcher.quoteReplacement(String.valueOf((char) Integer.parseInt(found.group(1), 16))));
    }

    /** Escapes what a text that may be escaped already still has. */
    public static String visible(String text) {
        if (text.codePoints().noneMatch(MessageFormatter::isInvisible)) {
            return text;
        }
        StringBuilder visible = new StringBuilder(text.length() + 16);
        text.codePoints().forEach(c -> {
            if (!isInvisible(c)) {
                visible.appendCodePoint(c);
            } else if (c == '\n' || c == '\r' || c == '\t' || c == 0x85 || c == 0x2028 || c == 0x2029) {
                visible.append(' ');
            } else {
                for (char unit : Character.toChars(c)) {
                    visible.append("\\u").append(HexFormat.of().toHexDigits(unit));
                }
            }
        });
        return visible.toString();
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

    static String cutInTheMiddle(String message, int longest) {
        int length = message.codePointCount(0, message.length());
        if (length <= longest) {
            return message;
        }
        int kept = (longest - CUT.length()) / 2;
        return message.substring(0, boundary(message, message.offsetByCodePoints(0, kept), false))
                + CUT
                + message.substring(boundary(message, message.offsetByCodePoints(message.length(), -kept), true));
    }

    /** A position that does not split an escape: its start, or its end. */
    private static int boundary(String text, int at, boolean after) {
        Matcher escape = ESCAPE.matcher(text).region(Math.max(0, at - 5), Math.min(text.length(), at + 5));
        while (escape.find()) {
            if (escape.start() < at && at < escape.end()) {
                return after ? escape.end() : escape.start();
            }
        }
        return at;
    }
}
