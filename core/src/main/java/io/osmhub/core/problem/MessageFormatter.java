package io.osmhub.core.problem;

import java.util.Map;

/**
 * Fills a reason's template. Values are untrusted: control characters and marks that change the reading direction are
 * dropped, a value is cut at 200 characters, and the middle of a message at 1,024. {@link ProblemMessage} reads the parts back.
 */
public final class MessageFormatter {
    private static final int LONGEST_VALUE = 200;
    /** A finding's clause or a fix is written by the hub and quotes only a few values. */
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
                                    : beforeFix(sanitize(value), open < cause));
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
                beforeFix(sanitize(finding.object()), true),
                beforeFix(sanitize(finding.field()), true),
                finding.line(),
                finding.column(),
                beforeFix(sanitize(finding.what(), LONGEST_CLAUSE), false),
                "");
        return join(sanitize(tenant) + ProblemMessage.PLACE + cause, sanitize(finding.cure(), LONGEST_CLAUSE));
    }

    /** Removes what {@link ProblemMessage} would take for a separator; code stays valid. */
    private static String beforeFix(String value, boolean beforeCause) {
        String text = value.replace(ProblemMessage.FIX, ";");
        return beforeCause ? text.replace(ProblemMessage.PLACE, ":") : text;
    }

    /** The fix is cut only if it fills more than half of the message: a command must stay whole. */
    private static String join(String cause, String fix) {
        if (fix.isEmpty()) {
            return cutInTheMiddle(cause, LONGEST_MESSAGE);
        }
        String end = ProblemMessage.FIX + cutInTheMiddle(fix, LONGEST_CLAUSE);
        return cutInTheMiddle(cause, LONGEST_MESSAGE - end.codePointCount(0, end.length())) + end;
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

    private static String cutInTheMiddle(String message, int longest) {
        int length = message.codePointCount(0, message.length());
        if (length <= longest) {
            return message;
        }
        int kept = (longest - CUT.length()) / 2;
        return message.substring(0, message.offsetByCodePoints(0, kept))
                + CUT
                + message.substring(message.offsetByCodePoints(message.length(), -kept));
    }
}
