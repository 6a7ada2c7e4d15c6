package io.osmhub.core.template.go;

import io.osmhub.core.golang.ExecutionEnvironment;
import io.osmhub.core.golang.GoValue;
import io.osmhub.core.golang.GoValue.GoString;
import io.osmhub.core.template.TemplateEngine;
import io.osmhub.core.template.TemplateEngine.CompiledTemplates;
import io.osmhub.core.template.TemplateEngine.FunctionUse;
import io.osmhub.core.template.TemplateEngine.TemplateSources;
import io.osmhub.core.template.TemplateException;
import io.osmhub.core.template.go.RenderedSnippet.RenderedSnippets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Go templates as operating-system-manager uses them. A snippet is first rendered alone, and its output is source again: it becomes
 * the body of a template with the snippet's name, which files may call. So a snippet cannot call another, and two opening braces
 * that it writes are executed; those of a value that it only passes on are not, see {@link LiteralBraceMarker}. Errors of the
 * second parse name the file, not the snippet.
 */
public final class GoTemplateEngine implements TemplateEngine {
    private final FunctionTable functions;

    public GoTemplateEngine(FunctionTable functions) {
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

    private record Compiled(FunctionTable functions, List<Snippet> snippets, List<GoTemplate> files, int roughSize)
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
                rendered.add(RenderedSnippet.of(template.name(), output, functions));
            }
            return new Files(files, new RenderedSnippets(rendered), data, environment, output);
        }

        @Override
        public List<FunctionUse> findFunctionUses(Set<String> wanted) {
            List<FunctionUse> uses = new ArrayList<>();
            snippets.forEach(snippet -> uses.addAll(snippet.template().findFunctionUses(wanted)));
            files.forEach(file -> uses.addAll(file.findFunctionUses(wanted)));
            return uses;
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
}
