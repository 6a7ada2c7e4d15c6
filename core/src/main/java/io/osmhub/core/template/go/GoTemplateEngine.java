package io.osmhub.core.template.go;

import io.osmhub.core.golang.Environment;
import io.osmhub.core.golang.Str;
import io.osmhub.core.golang.Value;
import io.osmhub.core.template.CompiledTemplates;
import io.osmhub.core.template.FunctionUse;
import io.osmhub.core.template.TemplateEngine;
import io.osmhub.core.template.TemplateFailure;
import io.osmhub.core.template.TemplateSources;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Go templates as operating-system-manager uses them. A snippet is rendered alone first, and what it gives is source again: it
 * becomes the body of a template of the snippet's name, which files may call. So a snippet cannot call another, and two
 * opening braces that it writes are executed; those of a value that it only passes on are not, see {@link DataBraces}. Errors
 * of the second parse name the file, not the snippet.
 */
public final class GoTemplateEngine implements TemplateEngine {
    private final FunctionTable functions;

    public GoTemplateEngine(FunctionTable functions) {
        this.functions = functions;
    }

    @Override
    public CompiledTemplates compile(TemplateSources sources) throws TemplateFailure {
        List<Snippet> snippets = new ArrayList<>(sources.snippets().size());
        for (Map.Entry<String, String> snippet : sources.snippets().entrySet()) {
            GoTemplate template = parse(snippet.getKey(), snippet.getValue());
            snippets.add(new Snippet(template, !DataBraces.inConstants(template)));
        }
        List<GoTemplate> files = new ArrayList<>(sources.files().size());
        for (TemplateSources.File file : sources.files()) {
            files.add(parse(file.path(), file.text()));
        }
        return new Compiled(functions, List.copyOf(snippets), List.copyOf(files), roughSize(sources));
    }

    private GoTemplate parse(String name, String text) throws TemplateFailure {
        return GoTemplate.parse(Str.bytes(name), Str.bytes(text), functions);
    }

    /** How long a file's text may well become: that of the longest source, calling every snippet once. */
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

    /** {@code marksBraces}: no constant of the snippet has a brace, so that all that its actions print are data's. */
    private record Snippet(GoTemplate template, boolean marksBraces) {}

    private record Compiled(FunctionTable functions, List<Snippet> snippets, List<GoTemplate> files, int roughSize)
            implements CompiledTemplates {
        @Override
        public int size() {
            return files.size();
        }

        @Override
        public Run begin(Value data, Environment environment) throws TemplateFailure {
            StringBuilder output = new StringBuilder(roughSize);
            List<RenderedSnippet> rendered = new ArrayList<>(snippets.size());
            for (Snippet snippet : snippets) {
                GoTemplate template = snippet.template();
                environment.nextFile();
                // The line feed before a snippet's text belongs to what files see of it.
                output.setLength(0);
                output.append('\n');
                template.execute(data, environment, output, snippet.marksBraces());
                rendered.add(RenderedSnippet.of(template.name(), output, functions));
            }
            return new Files(files, new RenderedSnippets(rendered), data, environment, output);
        }

        @Override
        public List<FunctionUse> uses(Set<String> wanted) {
            List<FunctionUse> uses = new ArrayList<>();
            snippets.forEach(snippet -> uses.addAll(snippet.template().uses(wanted)));
            files.forEach(file -> uses.addAll(file.uses(wanted)));
            return uses;
        }
    }

    /** @param output for the text of one file at a time */
    private record Files(
            List<GoTemplate> files,
            RenderedSnippets snippets,
            Value data,
            Environment environment,
            StringBuilder output)
            implements CompiledTemplates.Run {
        @Override
        public String file(int index) throws TemplateFailure {
            GoTemplate source = files.get(index);
            environment.nextFile();
            GoTemplate file = source.with(snippets.definitions(source.name(), environment));
            output.setLength(0);
            file.execute(data, environment, output, false);
            String constant = file.constantOutput();
            return Str.text(constant == null ? output.toString() : constant);
        }

        @Override
        public CompiledTemplates.Run over(Value otherData) {
            return new Files(files, snippets, otherData, environment, output);
        }
    }
}
