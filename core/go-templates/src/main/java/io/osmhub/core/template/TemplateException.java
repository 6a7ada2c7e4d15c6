package io.osmhub.core.template;

import io.osmhub.core.golang.ExecutionEnvironment.LimitExceededException;
import org.jspecify.annotations.Nullable;

/**
 * Why a template cannot be parsed or fails, and where. The message is the engine's own (Go's for Go templates) and may show values
 * passed to the template; the other fields have its parts.
 */
public final class TemplateException extends Exception {
    /** When the template failed. */
    public enum Stage {
        PARSE,
        EXECUTE,
        LIMIT,
        /** The limit of time, for which a busy machine may be the cause. */
        TIME_LIMIT;

        public static Stage of(LimitExceededException exceeded) {
            return exceeded.isByTheClock() ? TIME_LIMIT : LIMIT;
        }

        public boolean isLimit() {
            return this == LIMIT || this == TIME_LIMIT;
        }
    }

    private static final long serialVersionUID = 1L;

    /** Messages can quote texts of any length; conditions and events cannot. */
    private static final int LONGEST = 4_000;

    private final Stage stage;
    private final String template;
    private final int line;
    private final int column;
    private final String cause;
    private final @Nullable String suggestion;
    private final @Nullable String refused;

    /**
     * @param message the engine's full message
     * @param template name of the file or snippet
     * @param line in the template's text, from 1; 0 if unknown
     * @param column from 1; 0 if unknown
     * @param cause what is wrong, without the position
     * @param suggestion how to fix it; null if none
     */
    public TemplateException(
            Stage stage,
            String message,
            String template,
            int line,
            int column,
            String cause,
            @Nullable String suggestion) {
        this(stage, message, template, line, column, cause, suggestion, null);
    }

    private TemplateException(
            Stage stage,
            String message,
            String template,
            int line,
            int column,
            String cause,
            @Nullable String suggestion,
            @Nullable String refused) {
        super(cut(message), null, false, false);
        this.stage = stage;
        this.template = template;
        this.line = line;
        this.column = column;
        this.cause = cut(cause);
        this.suggestion = suggestion;
        this.refused = refused;
    }

    /** The same failure with a suggestion how to fix it. */
    public TemplateException withSuggestion(String other) {
        return new TemplateException(
                stage, String.valueOf(getMessage()), template, line, column, cause, other, refused);
    }

    /** The same failure, caused by a function or feature that is refused; the message adds the suggestion. Unchanged for null. */
    public TemplateException withRefused(@Nullable String name) {
        if (name == null) {
            return this;
        }
        String message = suggestion == null ? String.valueOf(getMessage()) : getMessage() + "; " + suggestion;
        return new TemplateException(stage, message, template, line, column, cause, suggestion, name);
    }

    private static String cut(String text) {
        return text.length() <= LONGEST ? text : text.substring(0, LONGEST) + "...";
    }

    public Stage stage() {
        return stage;
    }

    public String template() {
        return template;
    }

    public int line() {
        return line;
    }

    public int column() {
        return column;
    }

    public String what() {
        return cause;
    }

    public @Nullable String suggestion() {
        return suggestion;
    }

    /** The function or feature that templates may not use, for example {@code now} or {@code %U}; null for any other failure. */
    public @Nullable String refused() {
        return refused;
    }
}
