package io.osmhub.core.template.handlebars;

import io.osmhub.core.template.TemplateException;
import io.osmhub.core.template.TemplateException.Stage;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Raw blocks: the content between <code>{{{{raw}}}}</code> and <code>{{{{/raw}}}}</code> is text, even with braces. The library
 * parses tags in its own raw blocks, so they are extracted first: each becomes a call of a helper that returns the text, followed
 * by a comment of the same length, so that the rest keeps its line and column.
 */
final class RawBlocks {
    /** The helper that returns a raw block's text by its number. Internal. */
    static final String HELPER = "raw-text";

    private static final String OPEN = "{{{{raw}}}}";
    private static final String CLOSE = "{{{{/raw}}}}";

    private final List<String> texts = new ArrayList<>();

    /** The text by its number; null if unknown. */
    @Nullable String text(int number) {
        return number >= 0 && number < texts.size() ? texts.get(number) : null;
    }

    /** The source without its raw blocks. */
    String extractBlocks(String name, String source) throws TemplateException {
        int open = source.indexOf(OPEN);
        if (open < 0) {
            return source;
        }
        StringBuilder rest = new StringBuilder(source.length());
        int at = 0;
        for (; open >= 0; open = source.indexOf(OPEN, at)) {
            int close = source.indexOf(CLOSE, open);
            if (close < 0) {
                throw unclosed(name, source, open);
            }
            int end = close + CLOSE.length();
            String call = "{{" + HELPER + " " + texts.size() + "}}";
            texts.add(content(source, open + OPEN.length(), close, end));
            rest.append(source, at, open).append(call).append("{{!");
            source.substring(open + OPEN.length(), close).chars().forEach(c -> rest.append(c == '\n' ? '\n' : '_'));
            // As long as the block: on one line its tags count together, on several only the last.
            boolean oneLine = source.indexOf('\n', open) < 0 || source.indexOf('\n', open) > close;
            int missing = CLOSE.length() - 2 + (oneLine ? OPEN.length() - call.length() - 3 : 0);
            rest.append("_".repeat(Math.max(0, missing))).append("}}");
            at = end;
        }
        return rest.append(source, at, source.length()).toString();
    }

    /**
     * Tags on lines of their own leave no line: the line break after the first one is dropped, and the one after the last ends the
     * text.
     */
    private static String content(String text, int start, int end, int after) {
        int from = text.startsWith("\n", start) ? start + 1 : start;
        int lineStart = text.lastIndexOf('\n', end - 1) + 1;
        boolean alone = lineStart > from
                && text.substring(lineStart, end).isBlank()
                && (after == text.length() || text.charAt(after) == '\n');
        return alone ? text.substring(from, lineStart - 1) : text.substring(from, Math.max(from, end));
    }

    private static TemplateException unclosed(String name, String text, int open) {
        int line =
                1 + (int) text.substring(0, open).chars().filter(c -> c == '\n').count();
        int column = open - text.lastIndexOf('\n', open - 1);
        return HandlebarsErrors.of(
                Stage.PARSE, name, line, column, "the text ends inside a raw block", "close it with " + CLOSE);
    }
}
