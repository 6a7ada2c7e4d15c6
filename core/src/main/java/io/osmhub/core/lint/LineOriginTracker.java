package io.osmhub.core.lint;

import io.osmhub.core.lint.LineOriginTracker.TemplateActionScanner.Action;
import io.osmhub.core.lint.ProfileSourceMap.SourceText;
import io.osmhub.core.template.language.TemplateLanguage;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
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

    /** Finds the actions of a template's text. The engine validates them. */
    static final class TemplateActionScanner {
        /** From the opening braces to the end of the closing ones. */
        record Action(int start, int end) {}

        /** A bare word in the action that starts at {@code action}; line and column count from 1. */
        record Word(String text, int action, int line, int column) {}

        private static final Set<String> BLOCKS = Set.of("if", "range", "with", "define", "block", "else", "end");

        static List<Action> findActions(String text, TemplateLanguage language) {
            List<Action> actions = new ArrayList<>();
            int at = 0;
            for (int open = text.indexOf("{{", at); open >= 0; open = text.indexOf("{{", at)) {
                int end =
                        switch (language) {
                            case GO -> endOfGo(text, open);
                            case HANDLEBARS -> endOfHandlebars(text, open);
                        };
                actions.add(new Action(open, end));
                at = end;
            }
            return actions;
        }

        private static int endOfGo(String text, int open) {
            int inside = text.startsWith("- ", open + 2) ? open + 4 : open + 2;
            if (text.startsWith("/*", inside)) {
                int end = text.indexOf("*/", inside);
                return end < 0 ? text.length() : behind(text, "}}", end);
            }
            int at = inside;
            while (at < text.length() && !text.startsWith("}}", at)) {
                char c = text.charAt(at);
                at = c == '"' || c == '`' || c == '\'' ? endOfQuote(text, at) : at + 1;
            }
            return Math.min(at + 2, text.length());
        }

        private static int endOfQuote(String text, int open) {
            char quote = text.charAt(open);
            int at = open + 1;
            while (at < text.length() && text.charAt(at) != quote && (quote == '`' || text.charAt(at) != '\n')) {
                at += quote != '`' && text.charAt(at) == '\\' ? 2 : 1;
            }
            return Math.min(at + 1, text.length());
        }

        private static int endOfHandlebars(String text, int open) {
            if (text.startsWith("!--", open + 2)) {
                return behind(text, "--}}", open);
            }
            return text.startsWith("{", open + 2) ? behind(text, "}}}", open) : behind(text, "}}", open);
        }

        private static int behind(String text, String end, int from) {
            int at = text.indexOf(end, from);
            return at < 0 ? text.length() : at + end.length();
        }

        /** The innermost block of a Go template without its {@code end}; null if all are closed. */
        static @Nullable Word findUnclosed(String text) {
            Deque<Word> open = new ArrayDeque<>();
            int last = -1;
            for (Word word : blockWords(text)) {
                // Only the first word of an action counts: {{ else if }} opens no block.
                if (word.action() == last) {
                    continue;
                }
                last = word.action();
                if (!word.text().equals("end") && !word.text().equals("else")) {
                    open.push(word);
                } else if (word.text().equals("end") && !open.isEmpty()) {
                    open.pop();
                }
            }
            return open.peek();
        }

        /** The words that open, divide and close blocks; not fields, variables or quoted text. */
        private static List<Word> blockWords(String text) {
            List<Word> words = new ArrayList<>();
            int line = 1;
            int column = 1;
            int counted = 0;
            for (Action action : findActions(text, TemplateLanguage.GO)) {
                int at = action.start() + 2;
                if (text.startsWith("/*", text.startsWith("- ", at) ? at + 2 : at)) {
                    continue;
                }
                while (at < action.end()) {
                    char c = text.charAt(at);
                    if (c == '"' || c == '`' || c == '\'') {
                        at = endOfQuote(text, at);
                    } else if (isWord(c)) {
                        int start = at;
                        while (at < action.end() && isWord(text.charAt(at))) {
                            at++;
                        }
                        char before = text.charAt(start - 1);
                        if (before != '.' && before != '$' && BLOCKS.contains(text.substring(start, at))) {
                            for (; counted < start; counted++) {
                                boolean ends = text.charAt(counted) == '\n';
                                line += ends ? 1 : 0;
                                column = ends ? 1 : column + (Character.isLowSurrogate(text.charAt(counted)) ? 0 : 1);
                            }
                            words.add(new Word(text.substring(start, at), action.start(), line, column));
                        }
                    } else {
                        at++;
                    }
                }
            }
            return words;
        }

        private static boolean isWord(char c) {
            return c == '_' || Character.isLetterOrDigit(c);
        }
    }
}
