package io.osmhub.core.template.handlebars;

import com.github.jknack.handlebars.HandlebarsError;
import com.github.jknack.handlebars.HandlebarsException;
import io.osmhub.core.golang.ExecutionEnvironment.LimitExceededException;
import io.osmhub.core.template.SpellingSuggestion;
import io.osmhub.core.template.TemplateException;
import io.osmhub.core.template.TemplateException.Stage;
import java.util.Collection;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Makes errors of the library errors of a template, with its name, line and column. */
final class HandlebarsErrors {
    /** An unknown position in a text. */
    private static final int UNKNOWN = -1;

    private static final String UNKNOWN_HELPER = "could not find helper: '";

    private HandlebarsErrors() {}

    /** For what is refused before the library parses it. */
    static TemplateException refused(String template, String cause, String suggestion) {
        return of(Stage.PARSE, template, "", UNKNOWN, new HelperException(cause, suggestion));
    }

    /** For a template on which the library exceeds the stack. */
    static TemplateException tooNested(String template) {
        String cause = "blocks, brackets or snippets are nested too deeply";
        return of(Stage.LIMIT, template, "", UNKNOWN, new HelperException(cause, null));
    }

    /** For an exception while the library parses {@code text}. */
    static TemplateException parsing(String template, String text, HandlebarsException exception) {
        HandlebarsError error = exception.getError();
        String reason = error == null ? String.valueOf(exception.getMessage()) : error.reason;
        int index = indexOf(text, error);
        int unknown = reason.indexOf(UNKNOWN_HELPER);
        if (unknown < 0) {
            String line = reason.lines().findFirst().orElse("").strip();
            return of(Stage.PARSE, template, text, index, new HelperException(line, null));
        }
        String name = reason.substring(unknown + UNKNOWN_HELPER.length(), reason.length() - 1);
        // The library gives no position for a block.
        int position = error == null ? text.indexOf("#" + name) : index;
        HelperException mistake = HelperException.unknown("unknown helper", name, HandlebarsEngine.helperNames());
        return of(Stage.PARSE, template, text, position, mistake);
    }

    /** For an exception while {@code template} runs; {@code texts} are those of all files and snippets by name. */
    static TemplateException running(String template, Map<String, String> texts, RuntimeException exception) {
        HandlebarsError error = exception instanceof HandlebarsException placed ? placed.getError() : null;
        String where = error == null || error.filename == null ? template : error.filename;
        String text = texts.getOrDefault(where, "");
        int index = indexOf(text, error);
        for (Throwable cause = exception; cause != null; cause = cause.getCause()) {
            if (cause instanceof LimitExceededException limit) {
                return of(Stage.of(limit), where, text, index, limit);
            }
            if (cause instanceof HelperException mistake) {
                return of(Stage.EXECUTE, where, text, index, mistake);
            }
        }
        return of(Stage.EXECUTE, where, text, index, new HelperException("the tag cannot be rendered", null));
    }

    private static TemplateException of(Stage stage, String template, String text, int index, RuntimeException reason) {
        String before = text.substring(0, Math.clamp(index, 0, text.length()));
        int line = index == UNKNOWN
                ? 0
                : 1 + (int) before.chars().filter(c -> c == '\n').count();
        int column = index == UNKNOWN ? 0 : before.length() - before.lastIndexOf('\n');
        String cause = String.valueOf(reason.getMessage());
        String suggestion = reason instanceof HelperException mistake ? mistake.suggestion : null;
        String place = index == UNKNOWN ? template : template + ":" + line + ":" + column;
        String message = place + ": " + cause + (suggestion == null ? "" : "; " + suggestion);
        return new TemplateException(stage, message, template, line, column, cause, suggestion);
    }

    /** The library counts columns from 0, and not the line breaks inside comments, so that the rest appears higher up. */
    private static int indexOf(String text, @Nullable HandlebarsError error) {
        if (error == null) {
            return UNKNOWN;
        }
        int at = 0;
        for (int counted = 1; counted < error.line && at < text.length(); ) {
            if (text.startsWith("{{!", at)) {
                String sign = text.startsWith("{{!--", at) ? "--}}" : "}}";
                int end = text.indexOf(sign, at + 3);
                at = end < 0 ? text.length() : end + sign.length();
            } else {
                counted += text.charAt(at++) == '\n' ? 1 : 0;
            }
        }
        return at + error.column;
    }

    /** A mistake in a template, thrown through the library, which adds the position. */
    static final class HelperException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private final @Nullable String suggestion;

        HelperException(String message, @Nullable String suggestion) {
            super(message, null, false, false);
            this.suggestion = suggestion;
        }

        /** For a name that is none of the known ones. */
        static HelperException unknown(String what, String name, Collection<String> known) {
            return new HelperException(
                    what + " \"" + name + "\"",
                    SpellingSuggestion.findClosest(name, known)
                            .map(near -> "did you mean \"" + near + "\"?")
                            .orElse(null));
        }
    }
}
