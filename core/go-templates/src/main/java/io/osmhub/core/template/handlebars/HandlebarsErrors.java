package io.osmhub.core.template.handlebars;

import com.github.jknack.handlebars.HandlebarsError;
import com.github.jknack.handlebars.HandlebarsException;
import io.osmhub.core.golang.ExecutionEnvironment.LimitExceededException;
import io.osmhub.core.template.TemplateException;
import io.osmhub.core.template.TemplateException.Stage;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Shortens the library's multi-line messages to one line. */
final class HandlebarsErrors {
    private static final String FOUND = "found: '";
    private static final String EXPECTED = "', expected: '";

    private HandlebarsErrors() {}

    static TemplateException of(
            Stage stage, String template, int line, int column, String cause, @Nullable String suggestion) {
        String place = line == 0 ? template : template + ":" + line + ":" + column;
        String message = place + ": " + cause + (suggestion == null ? "" : "; " + suggestion);
        return new TemplateException(stage, message, template, line, column, cause, suggestion);
    }

    static TemplateException limit(String template, int line, int column, String limit) {
        return of(Stage.LIMIT, template, line, column, limit, null);
    }

    /** For a parse error of the library in {@code text}. */
    static TemplateException parsing(String template, String text, HandlebarsException exception) {
        HandlebarsError error = exception.getError();
        if (error == null) {
            return of(Stage.PARSE, template, 0, 0, firstLine(String.valueOf(exception.getMessage())), null);
        }
        LineNumberCorrection.LineColumn place =
                LineNumberCorrection.correctPosition(text, error.line, column(text, error));
        int line = place.line();
        int column = place.column();
        return switch (found(error.reason)) {
            case "{{/" -> of(Stage.PARSE, template, line, column, "the end of a block that was not started", null);
            case "<EOF>", "EOF" ->
                of(
                        Stage.PARSE,
                        template,
                        line,
                        column,
                        expected(error.reason).equals("{{/")
                                ? "the text ends inside a block"
                                : "the text ends inside a tag",
                        expected(error.reason).equals("{{/") ? "close it with {{/...}}" : "close it with }}");
            case "" -> of(Stage.PARSE, template, line, column, firstLine(error.reason), null);
            case String found
            when isName(found) && isName(expected(error.reason)) ->
                of(
                        Stage.PARSE,
                        template,
                        line,
                        column,
                        "the block " + expected(error.reason) + " is closed as " + found,
                        "use {{/" + expected(error.reason) + "}}");
            case String found ->
                of(Stage.PARSE, template, line, column, "unexpected \"" + firstLine(found) + "\"", null);
        };
    }

    private static boolean isName(String word) {
        return !word.isEmpty() && word.chars().allMatch(c -> Character.isLetterOrDigit(c) || c == '_' || c == '.');
    }

    private static String found(String reason) {
        int end = reason.indexOf(EXPECTED);
        if (reason.startsWith(FOUND) && end < 0) {
            end = reason.lastIndexOf('\'');
        }
        return reason.startsWith(FOUND) && end >= FOUND.length() ? reason.substring(FOUND.length(), end) : "";
    }

    private static String expected(String reason) {
        if (!reason.contains(EXPECTED)) {
            return "";
        }
        int start = reason.indexOf(EXPECTED) + EXPECTED.length();
        int end = reason.lastIndexOf('\'');
        return end > start ? reason.substring(start, end) : "";
    }

    /** The library counts columns from 0, but reports 1 for the first one of an unexpected token. */
    private static int column(String text, HandlebarsError error) {
        String found = found(error.reason);
        if (error.column == 1 && !found.isEmpty()) {
            String[] lines = text.split("\n", -1);
            boolean first = error.line <= lines.length && lines[error.line - 1].startsWith(found);
            return first ? 1 : 2;
        }
        return error.column + 1;
    }

    /** For any exception while {@code template} runs; {@code texts} are those of all files and snippets by name. */
    static TemplateException running(String template, Map<String, String> texts, HandlebarsException exception) {
        HandlebarsError error = exception.getError();
        String where = error == null || error.filename == null ? template : error.filename;
        LineNumberCorrection.LineColumn place = error == null
                ? new LineNumberCorrection.LineColumn(0, 0)
                : LineNumberCorrection.correctPosition(texts.getOrDefault(where, ""), error.line, error.column + 1);
        int line = place.line();
        int column = place.column();
        for (Throwable cause = exception; cause != null; cause = cause.getCause()) {
            if (cause instanceof LimitExceededException limit) {
                return limit(where, line, column, String.valueOf(limit.getMessage()));
            }
            if (cause instanceof HelperException mistake) {
                return of(Stage.EXECUTE, where, line, column, mistake.text(), mistake.suggestion());
            }
        }
        String reason = error == null ? String.valueOf(exception.getMessage()) : error.reason;
        return of(Stage.EXECUTE, where, line, column, firstLine(reason), null);
    }

    private static String firstLine(String text) {
        int end = text.indexOf('\n');
        return end < 0 ? text : text.substring(0, end).strip();
    }

    /** A mistake in a template, thrown through the library, which adds the position. */
    static final class HelperException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private final @Nullable String suggestion;

        HelperException(String message, @Nullable String suggestion) {
            super(message, null, false, false);
            this.suggestion = suggestion;
        }

        String text() {
            return String.valueOf(getMessage());
        }

        @Nullable String suggestion() {
            return suggestion;
        }
    }

    /** Corrects the library's positions: it does not count line breaks inside comments, so that the rest appears higher up. */
    private static final class LineNumberCorrection {
        /** A position in a text; line and column from 1. */
        record LineColumn(int line, int column) {}

        /** The real position of one that the library reports; column from 1 too. */
        static LineColumn correctPosition(String text, int line, int column) {
            if (!text.contains("{{!")) {
                return new LineColumn(line, column);
            }
            int counted = 1;
            int lines = 1;
            int at = 0;
            int lineStart = 0;
            // To the start of the library's line.
            while (at < text.length() && counted < line) {
                int comment = commentEnd(text, at);
                for (int end = Math.max(comment, at + 1); at < end; at++) {
                    if (text.charAt(at) == '\n') {
                        lines++;
                        lineStart = at + 1;
                        counted += comment < 0 ? 1 : 0;
                    }
                }
            }
            int end = Math.min(text.length(), at + column - 1);
            for (; at < end; at++) {
                if (text.charAt(at) == '\n') {
                    lines++;
                    lineStart = at + 1;
                }
            }
            return new LineColumn(lines, end - lineStart + 1);
        }

        /** The end of the comment that starts at the position; -1 if none does. */
        private static int commentEnd(String text, int at) {
            if (!text.startsWith("{{!", at)) {
                return -1;
            }
            String sign = text.startsWith("{{!--", at) ? "--}}" : "}}";
            int end = text.indexOf(sign, at + 3);
            return end < 0 ? text.length() : end + sign.length();
        }
    }
}
