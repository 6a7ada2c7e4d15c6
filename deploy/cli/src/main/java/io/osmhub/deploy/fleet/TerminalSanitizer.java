package io.osmhub.deploy.fleet;

import io.osmhub.core.problem.MessageFormatter;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Makes untrusted text safe for a terminal, with the escapes of {@link MessageFormatter}. */
public final class TerminalSanitizer {
    private static final Pattern PART_OF_LINE = Pattern.compile("[^\n\t]+");

    private TerminalSanitizer() {}

    /** One line: line breaks and tabs become blanks. */
    public static String sanitizeLine(String text) {
        return MessageFormatter.visible(text);
    }

    /** Text of several lines, which may have tabs. */
    static String sanitizeText(String text) {
        return PART_OF_LINE
                .matcher(text)
                .replaceAll(part -> Matcher.quoteReplacement(MessageFormatter.visible(part.group())));
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
