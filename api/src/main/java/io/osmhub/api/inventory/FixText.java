package io.osmhub.api.inventory;

import io.osmhub.core.problem.Reason;
import org.jspecify.annotations.Nullable;

/** The part of a message that states the fix: the last clause, after a semicolon. */
final class FixText {
    private static final String MARK = "; ";

    private FixText() {}

    /** Null if the message contains none. */
    static @Nullable String of(Reason reason, String message) {
        String literal = literal(reason);
        int at = literal.isEmpty() ? -1 : message.lastIndexOf(MARK + literal);
        if (at < 0) {
            at = message.lastIndexOf(MARK);
        }
        return at < 0 ? null : message.substring(at + MARK.length());
    }

    /** The fix for any problem with a reason, without placeholders; null if there is none. */
    static @Nullable String inGeneral(Reason reason) {
        String literal = literal(reason).strip();
        int command = literal.indexOf(": ");
        String words = command < 0 ? literal : literal.substring(0, command);
        while (words.endsWith(":") || words.endsWith(",") || words.endsWith("(")) {
            words = words.substring(0, words.length() - 1).strip();
        }
        return words.isEmpty() ? null : words;
    }

    /** The fix of a message template, up to the first placeholder. */
    private static String literal(Reason reason) {
        String template = reason.template();
        int mark = template.indexOf(MARK);
        if (mark < 0) {
            return "";
        }
        String cure = template.substring(mark + MARK.length());
        int variable = cure.indexOf('{');
        return variable < 0 ? cure : cure.substring(0, variable);
    }
}
