package io.osmhub.deploy.fleet;

import io.osmhub.core.problem.MessageFormatter;
import java.util.StringTokenizer;

/** Makes untrusted text safe for a terminal, with the escapes of {@link MessageFormatter}. */
public final class TerminalSanitizer {
    private TerminalSanitizer() {}

    /** One line: line breaks and tabs become blanks. */
    public static String sanitizeLine(String text) {
        return MessageFormatter.visible(text);
    }

    /** Text of several lines, which may have tabs. */
    public static String sanitizeText(String text) {
        if (text.codePoints().noneMatch(c -> MessageFormatter.isInvisible(c) && c != '\n' && c != '\t')) {
            return text;
        }
        StringBuilder plain = new StringBuilder(text.length());
        StringTokenizer parts = new StringTokenizer(text, "\n\t", true);
        while (parts.hasMoreTokens()) {
            String part = parts.nextToken();
            plain.append(part.equals("\n") || part.equals("\t") ? part : MessageFormatter.visible(part));
        }
        return plain.toString();
    }

    /** JSON with control characters escaped; equivalent to the input. */
    static String sanitizeJson(String text) {
        if (text.codePoints().noneMatch(c -> MessageFormatter.isInvisible(c) && c != '\n')) {
            return text;
        }
        StringBuilder plain = new StringBuilder(text.length());
        text.chars().forEach(c -> {
            if (c != '\n' && (MessageFormatter.isInvisible(c) || Character.isSurrogate((char) c))) {
                plain.append(String.format("\\u%04x", c));
            } else {
                plain.append((char) c);
            }
        });
        return plain.toString();
    }
}
