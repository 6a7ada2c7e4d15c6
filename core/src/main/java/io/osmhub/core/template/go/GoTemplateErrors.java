package io.osmhub.core.template.go;

import io.osmhub.core.golang.GoValue.GoString;
import io.osmhub.core.golang.text.GoQuote;
import io.osmhub.core.template.TemplateException;
import io.osmhub.core.template.TemplateException.Stage;
import io.osmhub.core.template.go.GoTemplate.TemplateTree;
import org.jspecify.annotations.Nullable;

/** Writes Go's messages. */
final class GoTemplateErrors {
    private GoTemplateErrors() {}

    /** A text that cannot be parsed; {@code position} is the parser's, which Go omits from its message. */
    static TemplateException parse(
            String template, String source, int position, int line, String cause, @Nullable String suggestion) {
        String message = "template: " + template + ":" + line + ": " + cause;
        return new TemplateException(
                Stage.PARSE,
                text(message),
                text(template),
                line,
                column(source, position),
                text(cause),
                suggestion == null ? null : text(suggestion));
    }

    /** A limit that is reached before a template begins to run. */
    static TemplateException limit(String template, String limit) {
        String message = "template: " + template + ": " + limit;
        return new TemplateException(Stage.LIMIT, text(message), text(template), 0, 0, limit, null);
    }

    /**
     * A template that fails while it runs.
     *
     * @param template name of the source, which may differ from the name of the tree
     * @param at the node being evaluated; null before the first action
     */
    static TemplateException execution(
            Stage stage, String template, TemplateTree tree, TemplateNode.@Nullable QuotableNode at, String cause) {
        if (at == null) {
            return new TemplateException(
                    stage, text("template: " + template + ": " + cause), text(template), 0, 0, text(cause), null);
        }
        String source = tree.source();
        int lineStart = source.lastIndexOf('\n', at.position() - 1) + 1;
        int line = line(source, at.position());
        String message = "template: " + template + ":" + line + ":" + (at.position() - lineStart) + ": executing "
                + GoQuote.quote(tree.name()) + " at <" + at.toSource() + ">: " + cause;
        return new TemplateException(
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

    /** In characters from 1, as in editors; Go counts bytes from 0. */
    static int column(String source, int position) {
        int lineStart = source.lastIndexOf('\n', position - 1) + 1;
        String before = GoString.text(source.substring(lineStart, position));
        return before.codePointCount(0, before.length()) + 1;
    }

    /** Messages are byte strings; one that a function made from Java text is unchanged. */
    private static String text(String message) {
        return message.chars().allMatch(c -> c <= 0xFF) ? GoString.text(message) : message;
    }
}
