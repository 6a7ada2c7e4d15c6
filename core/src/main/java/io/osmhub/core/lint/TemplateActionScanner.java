package io.osmhub.core.lint;

import io.osmhub.core.osp.TemplateLanguage;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Finds the actions of a template's text. The engine validates them. */
final class TemplateActionScanner {
    /** From the opening braces to the end of the closing ones. */
    record Action(int start, int end) {}

    /** A bare word in the action that starts at {@code action}; line and column count from 1. */
    record Word(String text, int action, int line, int column) {}

    private static final Set<String> BLOCKS = Set.of("if", "range", "with", "define", "block", "else", "end");

    private TemplateActionScanner() {}

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
            return behind(text, "}}", Math.max(inside, text.indexOf("*/", inside)));
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
                        words.add(word(text, action.start(), start, at));
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

    private static Word word(String text, int action, int start, int end) {
        int line = 1
                + (int) text.substring(0, start).chars().filter(c -> c == '\n').count();
        int column = text.codePointCount(text.lastIndexOf('\n', start - 1) + 1, start) + 1;
        return new Word(text.substring(start, end), action, line, column);
    }
}
