package io.osmhub.core.template.handlebars;

import io.osmhub.core.template.TemplateFailure;
import io.osmhub.core.template.TemplateFailure.Stage;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Raw blocks: what stands between <code>{{{{raw}}}}</code> and <code>{{{{/raw}}}}</code> is text, whatever braces it has. The
 * library reads tags in its own raw blocks, so they are taken out before: each becomes the call of a helper that gives the text,
 * followed by a comment as long as the rest, so that everything behind keeps its line and column.
 */
final class RawBlocks {
    /** The helper that gives a raw block's text for its number. Nobody else has a reason to call it. */
    static final String HELPER = "raw-text";

    private static final String OPEN = "{{{{raw}}}}";
    private static final String CLOSE = "{{{{/raw}}}}";

    private final List<String> texts = new ArrayList<>();

    /** The text of a number; null when there is none. */
    @Nullable String text(int number) {
        return number >= 0 && number < texts.size() ? texts.get(number) : null;
    }

    /** The source with its raw blocks taken out. */
    String takeOut(String name, String source) throws TemplateFailure {
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
            // As long as the block: on one line its tags count together, on more only the last.
            boolean oneLine = source.indexOf('\n', open) < 0 || source.indexOf('\n', open) > close;
            int missing = CLOSE.length() - 2 + (oneLine ? OPEN.length() - call.length() - 3 : 0);
            rest.append("_".repeat(Math.max(0, missing))).append("}}");
            at = end;
        }
        return rest.append(source, at, source.length()).toString();
    }

    /** Tags on lines of their own leave no line: the first one's line break is dropped, and the last one's stands for the text's. */
    private static String content(String text, int start, int end, int after) {
        int from = text.startsWith("\n", start) ? start + 1 : start;
        int lineStart = text.lastIndexOf('\n', end - 1) + 1;
        boolean alone = lineStart > from
                && text.substring(lineStart, end).isBlank()
                && (after == text.length() || text.charAt(after) == '\n');
        return alone ? text.substring(from, lineStart - 1) : text.substring(from, Math.max(from, end));
    }

    private static TemplateFailure unclosed(String name, String text, int open) {
        int line =
                1 + (int) text.substring(0, open).chars().filter(c -> c == '\n').count();
        int column = open - text.lastIndexOf('\n', open - 1);
        return Failures.of(
                Stage.PARSE, name, line, column, "the text ends inside a raw block", "close it with " + CLOSE);
    }
}
