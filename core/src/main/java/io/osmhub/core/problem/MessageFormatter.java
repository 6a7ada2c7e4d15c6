package io.osmhub.core.problem;

import java.util.Map;

/**
 * Fills a reason's template. Values are untrusted: control characters and marks that change the reading direction are
 * dropped, a value is cut at 200 characters, and the middle of a message at 1,024.
 */
public final class MessageFormatter {
    private static final int LONGEST_VALUE = 200;
    /** A finding's clause is written by the hub and quotes only a few values. */
    private static final int LONGEST_CLAUSE = 600;

    private static final int LONGEST_MESSAGE = 1024;
    private static final String CUT = " ... ";

    private MessageFormatter() {}

    /**
     * Returns the message of a reason.
     *
     * @param values by variable name
     * @throws IllegalArgumentException if a variable has no value
     */
    static String format(Reason reason, Map<String, String> values) {
        String template = reason.template();
        StringBuilder message = new StringBuilder(template.length() * 2);
        int at = 0;
        for (int open = template.indexOf('{'); open >= 0; open = template.indexOf('{', at)) {
            int close = template.indexOf('}', open);
            String name = template.substring(open + 1, close);
            String value = values.get(name);
            if (value == null) {
                throw new IllegalArgumentException("no value for {" + name + "} of " + reason.wireName());
            }
            message.append(template, at, open).append(sanitize(value));
            at = close + 1;
        }
        return cutInTheMiddle(message.append(template, at, template.length()).toString());
    }

    /** Returns the message of a finding. {@code tenant} is the tenant's namespace. */
    public static String format(String tenant, ProblemFinding finding) {
        ProblemFinding clean = new ProblemFinding(
                finding.reason(),
                sanitize(finding.object()),
                sanitize(finding.field()),
                finding.line(),
                finding.column(),
                sanitize(finding.what(), LONGEST_CLAUSE),
                sanitize(finding.cure()));
        return cutInTheMiddle(sanitize(tenant) + ": " + clean);
    }

    /** Returns one line without control characters, cut at 200 characters. */
    public static String sanitize(String text) {
        return sanitize(text, LONGEST_VALUE);
    }

    private static String sanitize(String text, int longest) {
        StringBuilder clean = new StringBuilder(Math.min(text.length(), longest + CUT.length()));
        int count = 0;
        for (int i = 0; i < text.length(); i += Character.charCount(text.codePointAt(i))) {
            int c = text.codePointAt(i);
            if (Character.getType(c) == Character.FORMAT) {
                continue;
            }
            if (++count > longest) {
                return clean.append("...").toString();
            }
            // A line break becomes a blank, so that words stay apart.
            clean.appendCodePoint(Character.isISOControl(c) || c == 0x2028 || c == 0x2029 ? ' ' : c);
        }
        return clean.toString();
    }

    private static String cutInTheMiddle(String message) {
        int length = message.codePointCount(0, message.length());
        if (length <= LONGEST_MESSAGE) {
            return message;
        }
        int kept = (LONGEST_MESSAGE - CUT.length()) / 2;
        return message.substring(0, message.offsetByCodePoints(0, kept))
                + CUT
                + message.substring(message.offsetByCodePoints(message.length(), -kept));
    }
}
