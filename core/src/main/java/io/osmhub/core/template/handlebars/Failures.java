package io.osmhub.core.template.handlebars;

import com.github.jknack.handlebars.HandlebarsError;
import com.github.jknack.handlebars.HandlebarsException;
import io.osmhub.core.golang.LimitExceeded;
import io.osmhub.core.template.TemplateFailure;
import io.osmhub.core.template.TemplateFailure.Stage;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Says in one line what the library says in many. */
final class Failures {
    private static final String FOUND = "found: '";
    private static final String EXPECTED = "', expected: '";

    private Failures() {}

    static TemplateFailure of(
            Stage stage, String template, int line, int column, String cause, @Nullable String suggestion) {
        String place = line == 0 ? template : template + ":" + line + ":" + column;
        String message = place + ": " + cause + (suggestion == null ? "" : "; " + suggestion);
        return new TemplateFailure(stage, message, template, line, column, cause, suggestion);
    }

    static TemplateFailure limit(String template, int line, int column, String limit) {
        return of(Stage.LIMIT, template, line, column, limit, null);
    }

    /** For an error of the library while it parses {@code text}. */
    static TemplateFailure parsing(String template, String text, HandlebarsException exception) {
        HandlebarsError error = exception.getError();
        if (error == null) {
            return of(Stage.PARSE, template, 0, 0, firstLine(String.valueOf(exception.getMessage())), null);
        }
        LineCount.Place place = LineCount.real(text, error.line, column(text, error));
        int line = place.line();
        int column = place.column();
        return switch (found(error.reason)) {
            case "{{/" -> of(Stage.PARSE, template, line, column, "a block ends here that did not begin", null);
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
                        "write {{/" + expected(error.reason) + "}}");
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

    /** The library counts columns from 0, but says 1 for the first one of what it finds where it should not. */
    private static int column(String text, HandlebarsError error) {
        String found = found(error.reason);
        if (error.column == 1 && !found.isEmpty()) {
            String[] lines = text.split("\n", -1);
            boolean first = error.line <= lines.length && lines[error.line - 1].startsWith(found);
            return first ? 1 : 2;
        }
        return error.column + 1;
    }

    /** For anything thrown while {@code template} was run; {@code texts} are those of all files and snippets by name. */
    static TemplateFailure running(String template, Map<String, String> texts, HandlebarsException exception) {
        HandlebarsError error = exception.getError();
        String where = error == null || error.filename == null ? template : error.filename;
        LineCount.Place place = error == null
                ? new LineCount.Place(0, 0)
                : LineCount.real(texts.getOrDefault(where, ""), error.line, error.column + 1);
        int line = place.line();
        int column = place.column();
        for (Throwable cause = exception; cause != null; cause = cause.getCause()) {
            if (cause instanceof LimitExceeded limit) {
                return limit(where, line, column, String.valueOf(limit.getMessage()));
            }
            if (cause instanceof HelperMistake mistake) {
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
}
