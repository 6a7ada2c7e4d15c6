package io.osmhub.core.template.handlebars;

import com.github.jknack.handlebars.EscapingStrategy;
import com.github.jknack.handlebars.Handlebars;
import com.github.jknack.handlebars.HandlebarsException;
import com.github.jknack.handlebars.TagType;
import com.github.jknack.handlebars.Template;
import com.github.jknack.handlebars.io.StringTemplateSource;
import io.osmhub.core.golang.GoCallException;
import io.osmhub.core.golang.GoString;
import io.osmhub.core.golang.GoValue;
import io.osmhub.core.problem.SpellingSuggestion;
import io.osmhub.core.template.CompiledTemplates;
import io.osmhub.core.template.TemplateEngine;
import io.osmhub.core.template.TemplateException;
import io.osmhub.core.template.TemplateException.Stage;
import io.osmhub.core.template.TemplateSources;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Handlebars templates. Text is not escaped. A tag that controls a block, calls a partial or is a comment, alone on its line,
 * leaves no empty line.
 */
public final class HandlebarsEngine implements TemplateEngine {
    /** The library requires a name; a file without a path is rejected elsewhere. */
    private static final String NO_NAME = "(no name)";

    private static final String TOO_NESTED = "blocks or brackets are nested too deeply";

    private final HelperTable helpers = HandlebarsHelpers.table();

    @Override
    public CompiledTemplates compile(TemplateSources sources) throws TemplateException {
        RawBlocks rawBlocks = new RawBlocks();
        Map<String, String> texts = new LinkedHashMap<>();
        for (Map.Entry<String, String> snippet : sources.snippets().entrySet()) {
            texts.put(snippet.getKey(), rawBlocks.extractBlocks(snippet.getKey(), snippet.getValue()));
        }
        Handlebars library = library(new SnippetLoader(Map.copyOf(texts)), rawBlocks);
        for (Map.Entry<String, String> snippet : texts.entrySet()) {
            compile(library, snippet.getKey(), snippet.getValue(), texts.keySet());
        }
        Set<String> names = Set.copyOf(texts.keySet());
        List<CompiledHandlebars.File> files = new ArrayList<>();
        for (TemplateSources.File file : sources.files()) {
            String text = rawBlocks.extractBlocks(file.path(), file.text());
            files.add(new CompiledHandlebars.File(file.path(), compile(library, file.path(), text, names)));
            texts.putIfAbsent(file.path(), text);
        }
        return new CompiledHandlebars(files, texts);
    }

    private Handlebars library(SnippetLoader snippets, RawBlocks rawBlocks) {
        return new Handlebars(snippets)
                .with(snippets)
                .with(new RestrictedHelperRegistry(helpers, rawBlocks))
                .with(EscapingStrategy.NOOP)
                .with((value, next) -> print(value))
                .prettyPrint(true)
                .preEvaluatePartialBlocks(false)
                // Loops end at the depth limit; a snippet may call itself.
                .infiniteLoops(true);
    }

    /** The text that a tag prints. */
    private static String print(Object object) {
        GoValue value = HandlebarsValues.from(object);
        if (value == null) {
            throw new HelperException("the value of this name cannot be printed", null);
        }
        try {
            return GoString.text(
                    HandlebarsValues.text(value, HandlebarsExecution.current().environment()));
        } catch (GoCallException unprintable) {
            throw new HelperException(unprintable.text(), null);
        }
    }

    private Template compile(Handlebars library, String name, String text, Set<String> snippets)
            throws TemplateException {
        SourceComplexityCheck.check(name, text);
        try {
            Template template = library.compile(new StringTemplateSource(name.isEmpty() ? NO_NAME : name, text));
            check(name, text, template, snippets);
            return template;
        } catch (HandlebarsException refused) {
            throw HandlebarsErrors.parsing(name, text, refused);
        } catch (StackOverflowError tooDeep) {
            throw HandlebarsErrors.limit(name, 0, 0, TOO_NESTED);
        } catch (IOException impossible) {
            throw new UncheckedIOException("templates are read from memory", impossible);
        }
    }

    /** Reports errors that the library would report only when the tag is reached. */
    private void check(String name, String text, Template template, Set<String> snippets) throws TemplateException {
        Set<String> variables = new HashSet<>(template.collect(TagType.VAR, TagType.AMP_VAR, TagType.TRIPLE_VAR));
        Set<String> sections = new HashSet<>(template.collect(TagType.SECTION));
        for (HandlebarsTagScanner.Tag tag : HandlebarsTagScanner.scan(text)) {
            Mistake mistake =
                    switch (tag.sign()) {
                        case "#", "^" -> sections.contains(tag.name()) ? badBlock(tag) : null;
                        case ">" -> badPartial(tag, snippets);
                        case "#>", "#*", "*" ->
                            new Mistake("inline partials and blocks for partials are not supported", "use a snippet");
                        default -> tag.call() && variables.contains(tag.name()) ? badCall(tag.name()) : null;
                    };
            if (mistake != null) {
                throw HandlebarsErrors.of(
                        Stage.PARSE, name, tag.line(), tag.column(), mistake.what(), mistake.suggestion());
            }
        }
        for (String called : template.collect(TagType.SUB_EXPRESSION)) {
            if (!helpers.names().contains(called)) {
                throw unknownInBrackets(name, text, called);
            }
        }
    }

    private record Mistake(String what, @Nullable String suggestion) {}

    private @Nullable Mistake badCall(String name) {
        return helpers.names().contains(name) || name.equals(RawBlocks.HELPER)
                ? null
                : new Mistake("unknown helper \"" + name + "\"", near(name, helpers.names()));
    }

    private @Nullable Mistake badBlock(HandlebarsTagScanner.Tag tag) {
        String name = tag.name();
        if (helpers.names().contains(name)) {
            return null;
        }
        String near = near(name, helpers.names());
        String instead = "use {{#if " + name + "}}, {{#each " + name + "}} or {{#with " + name + "}}";
        return new Mistake("unknown block \"" + name + "\"", near == null ? instead : near);
    }

    private static @Nullable Mistake badPartial(HandlebarsTagScanner.Tag tag, Set<String> snippets) {
        String name = tag.name();
        boolean bracketed = name.startsWith("[") && name.endsWith("]");
        String snippet = bracketed ? name.substring(1, name.length() - 1) : name;
        if (!snippets.contains(snippet)) {
            return new Mistake("no snippet named \"" + snippet + "\"", near(snippet, snippets));
        }
        return tag.call() && !tag.named()
                ? new Mistake("a snippet takes values by name, not a context", "use {{> " + name + " name=value}}")
                : null;
    }

    private TemplateException unknownInBrackets(String name, String text, String called) {
        int at = Math.max(text.indexOf("(" + called), 0) + 1;
        int line =
                1 + (int) text.substring(0, at).chars().filter(c -> c == '\n').count();
        int column = at - text.lastIndexOf('\n', at - 1);
        return HandlebarsErrors.of(
                Stage.PARSE, name, line, column, "unknown helper \"" + called + "\"", near(called, helpers.names()));
    }

    private static @Nullable String near(String name, Set<String> known) {
        return SpellingSuggestion.findClosest(name, known)
                .map(word -> "did you mean \"" + word + "\"?")
                .orElse(null);
    }
}
