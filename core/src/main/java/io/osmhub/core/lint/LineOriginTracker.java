package io.osmhub.core.lint;

import io.osmhub.core.lint.ProfileSourceMap.SourceText;
import io.osmhub.core.lint.TemplateActionScanner.Action;
import io.osmhub.core.osp.TemplateLanguage;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Maps a rendered line to its line in the profile. Each template line gets a mark of private-use characters before its first
 * non-blank character; a mark in the output identifies the line of the profile. Marks are placed beside a character that stops the
 * trimming of blanks, or beside an action that does not trim, so they should not change the output; callers compare the unmarked
 * result with the earlier one.
 */
final class LineOriginTracker {
    private static final char MARK = '\uE000';
    private static final int FIRST_DIGIT = 0xE100;
    private static final int BASE = 0x1000;
    private static final int LENGTH = 3;

    /** A line of a template; {@code number} counts from 1. */
    record SourceLine(SourceText text, int number) {}

    /** A rendered marked text. {@code plain} is without marks; {@code lines} has the origin of each line or null. */
    record Rendered(String plain, List<@Nullable SourceLine> lines) {}

    private final List<SourceLine> marked = new ArrayList<>();

    /** The text with marks; unchanged if it already has such characters. */
    String mark(SourceText source, TemplateLanguage language) {
        String text = source.text();
        if (text.indexOf(MARK) >= 0) {
            return text;
        }
        StringBuilder out = new StringBuilder(text.length() + text.length() / 4);
        List<Action> actions = TemplateActionScanner.findActions(text, language);
        int next = 0;
        int number = 0;
        for (int start = 0; start < text.length(); ) {
            number++;
            int end = text.indexOf('\n', start) + 1;
            end = end == 0 ? text.length() : end;
            int first = start;
            while (first < end && Character.isWhitespace(text.charAt(first))) {
                first++;
            }
            while (next < actions.size() && actions.get(next).end() <= first) {
                next++;
            }
            boolean inside = next < actions.size() && actions.get(next).start() < first;
            out.append(text, start, first);
            if (first < end
                    && !inside
                    && !(text.startsWith("{{", first) && isWhitespaceSensitive(text, first, language))) {
                append(out, source, number);
            }
            out.append(text, first, end);
            start = end;
        }
        return out.toString();
    }

    /** Whether the action that starts here trims the blanks before it, or must stand alone on its line. */
    private static boolean isWhitespaceSensitive(String text, int action, TemplateLanguage language) {
        char next = action + 2 < text.length() ? text.charAt(action + 2) : ' ';
        return switch (language) {
            case GO -> next == '-';
            case HANDLEBARS -> !Character.isLetter(next) || text.startsWith("else", action + 2);
        };
    }

    private void append(StringBuilder out, SourceText source, int number) {
        int id = marked.size();
        if (id < BASE * BASE) {
            marked.add(new SourceLine(source, number));
            out.append(MARK).append((char) (FIRST_DIGIT + id / BASE)).append((char) (FIRST_DIGIT + id % BASE));
        }
    }

    /** Removes the marks from a rendered text. A line without a mark has the origin of the text before it. */
    Rendered readMarks(String text) {
        StringBuilder plain = new StringBuilder(text.length());
        List<@Nullable SourceLine> lines = new ArrayList<>();
        SourceLine last = null;
        SourceLine line = null;
        boolean blank = true;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == MARK && i + LENGTH <= text.length()) {
                last = at((text.charAt(i + 1) - FIRST_DIGIT) * BASE + text.charAt(i + 2) - FIRST_DIGIT, last);
                // The start of the line decides, including a mark before it.
                line = blank ? last : line;
                i += LENGTH - 1;
                continue;
            }
            plain.append(c);
            if (c == '\n') {
                lines.add(line);
                line = last;
                blank = true;
            } else {
                blank &= Character.isWhitespace(c);
            }
        }
        lines.add(line);
        return new Rendered(plain.toString(), lines);
    }

    private @Nullable SourceLine at(int id, @Nullable SourceLine otherwise) {
        return id >= 0 && id < marked.size() ? marked.get(id) : otherwise;
    }
}
