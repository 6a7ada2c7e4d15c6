package io.osmhub.core.template.go;

import io.osmhub.core.golang.Str;
import io.osmhub.core.golang.text.GoQuote;
import io.osmhub.core.template.TemplateFailure;
import io.osmhub.core.template.TemplateFailure.Stage;
import org.jspecify.annotations.Nullable;

/** Writes Go's messages. */
final class Failures {
    private Failures() {}

    /** A text that does not parse; {@code position} is where the parser had come to, which Go leaves out of its message. */
    static TemplateFailure parse(
            String template, String source, int position, int line, String cause, @Nullable String suggestion) {
        String message = "template: " + template + ":" + line + ": " + cause;
        return new TemplateFailure(
                Stage.PARSE,
                text(message),
                text(template),
                line,
                column(source, position),
                text(cause),
                suggestion == null ? null : text(suggestion));
    }

    /** A limit that is reached before a template begins to run. */
    static TemplateFailure limit(String template, String limit) {
        String message = "template: " + template + ": " + limit;
        return new TemplateFailure(Stage.LIMIT, text(message), text(template), 0, 0, limit, null);
    }

    /**
     * A template that fails while it runs.
     *
     * @param template name of the source, which is not always the name of the tree
     * @param at what was being evaluated; null before the first action
     */
    static TemplateFailure execution(Stage stage, String template, Tree tree, Node.@Nullable Shown at, String cause) {
        if (at == null) {
            return new TemplateFailure(
                    stage, text("template: " + template + ": " + cause), text(template), 0, 0, text(cause), null);
        }
        String source = tree.source();
        int lineStart = source.lastIndexOf('\n', at.position() - 1) + 1;
        int line = line(source, at.position());
        String message = "template: " + template + ":" + line + ":" + (at.position() - lineStart) + ": executing "
                + GoQuote.quote(tree.name()) + " at <" + at.shown() + ">: " + cause;
        return new TemplateFailure(
                stage, text(message), text(template), line, column(source, at.position()), text(cause), null);
    }

    /** From 1. */
    static int line(String source, int position) {
        int line = 1;
        for (int i = 0; i < position; i++) {
            line += source.charAt(i) == '\n' ? 1 : 0;
        }
        return line;
    }

    /** In characters and from 1, as editors count; Go counts bytes, and from 0. */
    static int column(String source, int position) {
        int lineStart = source.lastIndexOf('\n', position - 1) + 1;
        String before = Str.text(source.substring(lineStart, position));
        return before.codePointCount(0, before.length()) + 1;
    }

    /** Messages are byte strings; one that is not, because a function made it of Java text, is left as it is. */
    private static String text(String message) {
        return message.chars().allMatch(c -> c <= 0xFF) ? Str.text(message) : message;
    }
}
