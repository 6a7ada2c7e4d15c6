package io.osmhub.core.template.go;

import io.osmhub.core.golang.ExecutionEnvironment;
import io.osmhub.core.golang.ExecutionEnvironment.LimitExceededException;
import io.osmhub.core.golang.GoValue;
import io.osmhub.core.golang.GoValue.GoString;
import io.osmhub.core.template.TemplateEngine;
import io.osmhub.core.template.TemplateEngine.CompiledTemplates;
import io.osmhub.core.template.TemplateEngine.TemplateSources;
import io.osmhub.core.template.TemplateException;
import io.osmhub.core.template.functions.FunctionRegistry;
import io.osmhub.core.template.go.GoTemplate.GoTemplateErrors;
import io.osmhub.core.template.go.GoTemplate.TemplateTree;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Go templates as operating-system-manager uses them. A snippet is first rendered alone, and its output is source again: it becomes
 * the body of a template with the snippet's name, which files may call. So a snippet cannot call another, and two opening braces
 * that it writes are executed; those of a value that it only passes on are not, see {@link LiteralBraceMarker}. Errors of the
 * second parse name the file, not the snippet.
 */
public final class GoTemplateEngine implements TemplateEngine {
    private final FunctionRegistry functions;

    public GoTemplateEngine(FunctionRegistry functions) {
        this.functions = functions;
    }

    @Override
    public CompiledTemplates compile(TemplateSources sources) throws TemplateException {
        List<Snippet> snippets = new ArrayList<>(sources.snippets().size());
        for (Map.Entry<String, String> snippet : sources.snippets().entrySet()) {
            GoTemplate template = parse(snippet.getKey(), snippet.getValue());
            snippets.add(new Snippet(template, !LiteralBraceMarker.hasConstantBraces(template)));
        }
        List<GoTemplate> files = new ArrayList<>(sources.files().size());
        for (TemplateSources.File file : sources.files()) {
            files.add(parse(file.path(), file.text()));
        }
        return new Compiled(functions, List.copyOf(snippets), List.copyOf(files), roughSize(sources));
    }

    private GoTemplate parse(String name, String text) throws TemplateException {
        return GoTemplate.parse(GoString.bytes(name), GoString.bytes(text), functions);
    }

    /** Estimated length of a file's text: the longest source, calling every snippet once. */
    private static int roughSize(TemplateSources sources) {
        int longest = 0;
        for (TemplateSources.File file : sources.files()) {
            longest = Math.max(longest, file.text().length());
        }
        for (String snippet : sources.snippets().values()) {
            longest += snippet.length();
        }
        return longest + 1;
    }

    /** {@code marksBraces}: no constant of the snippet has a brace, so that all braces that its actions print are data. */
    private record Snippet(GoTemplate template, boolean marksBraces) {}

    private record Compiled(FunctionRegistry functions, List<Snippet> snippets, List<GoTemplate> files, int roughSize)
            implements CompiledTemplates {
        @Override
        public int size() {
            return files.size();
        }

        @Override
        public TemplateExecution startExecution(GoValue data, ExecutionEnvironment environment)
                throws TemplateException {
            StringBuilder output = new StringBuilder(roughSize);
            List<RenderedSnippet> rendered = new ArrayList<>(snippets.size());
            for (Snippet snippet : snippets) {
                GoTemplate template = snippet.template();
                environment.startFile();
                // The line feed before a snippet's text is part of the text for files.
                output.setLength(0);
                output.append('\n');
                template.execute(data, environment, output, snippet.marksBraces());
                rendered.add(new RenderedSnippet(template.name(), output.toString(), functions));
            }
            return new Files(files, new RenderedSnippets(rendered), data, environment, output);
        }
    }

    /** @param output for the text of one file at a time */
    private record Files(
            List<GoTemplate> files,
            RenderedSnippets snippets,
            GoValue data,
            ExecutionEnvironment environment,
            StringBuilder output)
            implements CompiledTemplates.TemplateExecution {
        @Override
        public String renderFile(int index) throws TemplateException {
            GoTemplate source = files.get(index);
            environment.startFile();
            GoTemplate file = source.withDefinitions(snippets.definitions(source.name(), environment));
            output.setLength(0);
            file.execute(data, environment, output, false);
            String constant = file.constantOutput();
            return GoString.text(constant == null ? output.toString() : constant);
        }

        @Override
        public CompiledTemplates.TemplateExecution withData(GoValue otherData) {
            return new Files(files, snippets, otherData, environment, output);
        }
    }

    /** The snippets of one rendering on one thread. */
    private static final class RenderedSnippets {
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
            for (RenderedSnippet snippet : snippets) {
                definitions.putAll(snippet.definitions(file, environment));
            }
            if (snippets.stream().allMatch(RenderedSnippet::isSameForAllFiles)) {
                shared = definitions;
            }
            return definitions;
        }
    }

    /**
     * A snippet's output, as source for the files that call it. Parsed for the first file that needs it and then cached, for one
     * rendering on one thread.
     */
    static final class RenderedSnippet {
        private static final String ACTION = "{{";

        /** Worst case of the parser, a text of only short actions. */
        private static final long STEPS_PER_CHARACTER = 2;

        private static final long BYTES_PER_CHARACTER = 40;

        private final String name;
        /** A line feed and the text, with {@link LiteralBraceMarker} marked. */
        private final String marked;

        private final String text;
        private final FunctionRegistry functions;
        private @Nullable Map<String, TemplateTree> definitions;

        RenderedSnippet(String name, String marked, FunctionRegistry functions) {
            this.name = name;
            this.marked = marked;
            this.text = LiteralBraceMarker.removeMarks(marked);
            this.functions = functions;
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

        /** Whether the last result of {@link #definitions} is valid for any file. */
        boolean isSameForAllFiles() {
            return definitions != null;
        }

        private Map<String, TemplateTree> parse(String file, String body) throws TemplateException {
            return TemplateParser.parse(file, "\n{{- define \"" + name + "\" }}" + body + "\n{{- end }}", functions);
        }

        private void charge(String file, ExecutionEnvironment environment) throws TemplateException {
            try {
                environment.charge(STEPS_PER_CHARACTER * text.length(), BYTES_PER_CHARACTER * text.length());
            } catch (LimitExceededException limit) {
                throw GoTemplateErrors.limit(file, limit);
            }
        }

        /** Whether neither name nor text has a meaning for the parser; the usual case. */
        private boolean isPlain() {
            return !text.contains(ACTION) && name.chars().allMatch(c -> c >= ' ' && c < 0x7F && c != '"' && c != '\\');
        }

        /** The body that the parser would produce: the text without the blanks before the marker at the end. */
        private TemplateTree plainTree() {
            int end = text.length();
            while (end > 0 && " \t\r\n".indexOf(text.charAt(end - 1)) >= 0) {
                end--;
            }
            return new TemplateTree(
                    name, "", end == 0 ? List.of() : List.of(new TemplateNode.Text(0, text.substring(0, end))));
        }
    }
}
