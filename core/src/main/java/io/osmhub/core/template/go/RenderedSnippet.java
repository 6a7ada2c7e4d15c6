package io.osmhub.core.template.go;

import io.osmhub.core.golang.ExecutionEnvironment;
import io.osmhub.core.golang.ExecutionEnvironment.LimitExceededException;
import io.osmhub.core.template.TemplateException;
import io.osmhub.core.template.go.GoTemplate.TemplateTree;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A snippet's output, as source for the files that call it. Parsed for the first file that needs it and then cached, for one
 * rendering on one thread.
 */
final class RenderedSnippet {
    private static final String ACTION = "{{";

    /** Worst case of the parser, a text of only short actions. */
    private static final long STEPS_PER_CHARACTER = 2;

    private static final long BYTES_PER_CHARACTER = 40;

    private final String name;
    /** A line feed and the text, with {@link LiteralBraceMarker} marked. */
    private final String marked;

    private final String text;
    private final FunctionTable functions;
    private @Nullable Map<String, TemplateTree> definitions;

    private RenderedSnippet(String name, String text, FunctionTable functions) {
        this.name = name;
        this.marked = text;
        this.text = LiteralBraceMarker.removeMarks(text);
        this.functions = functions;
    }

    /** @param output a line feed and the snippet's output; may be reused afterwards */
    static RenderedSnippet of(String name, StringBuilder output, FunctionTable functions) {
        if (output.indexOf(ACTION) < 0 && !LiteralBraceMarker.isMarked(output)) {
            // Here, because the text need not be copied again then.
            output.setLength(withoutBlanks(output));
        }
        return new RenderedSnippet(name, output.toString(), functions);
    }

    /** The templates that this adds to the file's; parsing is charged to the file. */
    Map<String, TemplateTree> definitions(String file, ExecutionEnvironment environment) throws TemplateException {
        if (definitions != null) {
            return definitions;
        }
        if (isPlain()) {
            definitions = Map.of(name, plainTree());
            return definitions;
        }
        charge(file, environment);
        Map<String, TemplateTree> parsed = parse(file, text);
        if (!marked.equals(text)) {
            // As in OSM, a value that cannot be parsed is rejected; one that can is text.
            parsed = parse(file, LiteralBraceMarker.quoteMarked(marked));
        }
        TemplateTree main = parsed.get(file);
        if (main != null && main.isEmpty()) {
            // Nothing else in it is named after the file, so that the next file can use it too.
            parsed.remove(file);
            definitions = parsed;
        }
        return parsed;
    }

    private Map<String, TemplateTree> parse(String file, String body) throws TemplateException {
        return TemplateParser.parse(file, "\n{{- define \"" + name + "\" }}" + body + "\n{{- end }}", functions);
    }

    private void charge(String file, ExecutionEnvironment environment) throws TemplateException {
        try {
            environment.charge(STEPS_PER_CHARACTER * text.length(), BYTES_PER_CHARACTER * text.length());
        } catch (LimitExceededException limit) {
            throw GoTemplateErrors.limit(file, String.valueOf(limit.getMessage()));
        }
    }

    /** Whether the last result of {@link #definitions} is valid for any file. */
    boolean isSameForAllFiles() {
        return definitions != null;
    }

    /** Whether neither name nor text has a meaning for the parser; the usual case. */
    private boolean isPlain() {
        return !text.contains(ACTION) && name.chars().allMatch(c -> c >= ' ' && c < 0x7F && c != '"' && c != '\\');
    }

    /** The body that the parser would produce: the text without the blanks before the marker at the end. */
    private TemplateTree plainTree() {
        int end = withoutBlanks(text);
        return new TemplateTree(
                name, "", end == 0 ? List.of() : List.of(new TemplateNode.Text(0, text.substring(0, end))));
    }

    private static int withoutBlanks(CharSequence text) {
        int end = text.length();
        while (end > 0 && " \t\r\n".indexOf(text.charAt(end - 1)) >= 0) {
            end--;
        }
        return end;
    }

    /** The snippets of one rendering on one thread. */
    static final class RenderedSnippets {
        private final List<RenderedSnippet> snippets;
        /** The definitions for every file; null if not known yet, or if they depend on the file. */
        private @Nullable Map<String, TemplateTree> shared;

        RenderedSnippets(List<RenderedSnippet> snippets) {
            this.snippets = snippets;
        }

        /** The templates added to a file's own, a later snippet's before an earlier one's. */
        Map<String, TemplateTree> definitions(String file, ExecutionEnvironment environment) throws TemplateException {
            if (shared != null) {
                return shared;
            }
            Map<String, TemplateTree> definitions = new LinkedHashMap<>();
            boolean same = true;
            for (RenderedSnippet snippet : snippets) {
                definitions.putAll(snippet.definitions(file, environment));
                same &= snippet.isSameForAllFiles();
            }
            if (same) {
                shared = definitions;
            }
            return definitions;
        }
    }
}
