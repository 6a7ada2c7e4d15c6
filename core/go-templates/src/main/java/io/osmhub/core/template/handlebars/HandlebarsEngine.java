package io.osmhub.core.template.handlebars;

import com.github.jknack.handlebars.Context;
import com.github.jknack.handlebars.EscapingStrategy;
import com.github.jknack.handlebars.Handlebars;
import com.github.jknack.handlebars.HandlebarsException;
import com.github.jknack.handlebars.TagType;
import com.github.jknack.handlebars.Template;
import com.github.jknack.handlebars.io.StringTemplateSource;
import io.osmhub.core.golang.ExecutionEnvironment;
import io.osmhub.core.golang.ExecutionEnvironment.LimitExceededException;
import io.osmhub.core.golang.GoCallException;
import io.osmhub.core.golang.GoValue;
import io.osmhub.core.golang.GoValue.GoString;
import io.osmhub.core.template.SpellingSuggestion;
import io.osmhub.core.template.TemplateEngine;
import io.osmhub.core.template.TemplateEngine.CompiledTemplates;
import io.osmhub.core.template.TemplateEngine.TemplateSources;
import io.osmhub.core.template.TemplateException;
import io.osmhub.core.template.TemplateException.Stage;
import io.osmhub.core.template.handlebars.HandlebarsErrors.HelperException;
import io.osmhub.core.template.handlebars.HandlebarsExecution.BudgetedWriter;
import io.osmhub.core.template.handlebars.RestrictedHelperRegistry.RawBlocks;
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
                .with(new RestrictedHelperRegistry(rawBlocks))
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
            if (!HandlebarsHelpers.names().contains(called)) {
                throw unknownInBrackets(name, text, called);
            }
        }
    }

    private record Mistake(String what, @Nullable String suggestion) {}

    private @Nullable Mistake badCall(String name) {
        return HandlebarsHelpers.names().contains(name) || name.equals(RawBlocks.HELPER)
                ? null
                : new Mistake("unknown helper \"" + name + "\"", near(name, HandlebarsHelpers.names()));
    }

    private @Nullable Mistake badBlock(HandlebarsTagScanner.Tag tag) {
        String name = tag.name();
        if (HandlebarsHelpers.names().contains(name)) {
            return null;
        }
        String near = near(name, HandlebarsHelpers.names());
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
                Stage.PARSE,
                name,
                line,
                column,
                "unknown helper \"" + called + "\"",
                near(called, HandlebarsHelpers.names()));
    }

    private static @Nullable String near(String name, Set<String> known) {
        return SpellingSuggestion.findClosest(name, known)
                .map(word -> "did you mean \"" + word + "\"?")
                .orElse(null);
    }

    /**
     * Finds the tags of a template's text with their positions, for errors that the library reports late or without a position: unknown
     * helpers, invalid sections, missing partials. The library decides what is a tag.
     */
    private static final class HandlebarsTagScanner {
        /**
         * One tag.
         *
         * @param sign its leading signs, of {@code #}, {@code ^}, {@code >}, {@code &}, {@code *}; empty for a plain one
         * @param name the first word
         * @param call whether more words follow
         * @param named whether the next word is the name of a named argument
         * @param line of the name, from 1
         * @param column of the name, from 1
         */
        record Tag(String sign, String name, boolean call, boolean named, int line, int column) {}

        private final String text;
        private final List<Tag> tags = new ArrayList<>();
        private int line = 1;
        private int lineStart;
        private int counted;

        private HandlebarsTagScanner(String text) {
            this.text = text;
        }

        static List<Tag> scan(String text) {
            HandlebarsTagScanner scan = new HandlebarsTagScanner(text);
            scan.run();
            return scan.tags;
        }

        private void run() {
            int at = 0;
            for (int open = text.indexOf("{{", at); open >= 0; open = text.indexOf("{{", at)) {
                int inside = open + 2;
                if (open > 0 && text.charAt(open - 1) == '\\') {
                    at = inside;
                    continue;
                }
                if (text.startsWith("!", inside) || text.startsWith("~!", inside)) {
                    boolean dashes = text.startsWith("!--", inside) || text.startsWith("~!--", inside);
                    int end = text.indexOf(dashes ? "--" : "}}", inside + (dashes ? 3 : 1));
                    at = end < 0 ? text.length() : end + 2;
                    continue;
                }
                at = tag(inside);
            }
        }

        /** Parses the tag whose content begins at {@code from}; returns the position after it. */
        private int tag(int from) {
            int at = from;
            StringBuilder sign = new StringBuilder();
            while (at < text.length() && " \t\r\n~{&#^>*".indexOf(text.charAt(at)) >= 0) {
                if ("&#^>*".indexOf(text.charAt(at)) >= 0) {
                    sign.append(text.charAt(at));
                }
                at++;
            }
            int start = at;
            at = endOfWord(start);
            String name = text.substring(start, at);
            int next = at;
            while (next < text.length() && " \t\r\n".indexOf(text.charAt(next)) >= 0) {
                next++;
            }
            boolean call = next > at && next < text.length() && "}~|".indexOf(text.charAt(next)) < 0;
            if (!name.isEmpty()) {
                place(start);
                int end = endOfWord(next);
                boolean named = call && end < text.length() && text.charAt(end) == '=';
                tags.add(new Tag(sign.toString(), name, call, named, line, start - lineStart + 1));
            }
            return Math.max(at, from);
        }

        private int endOfWord(int start) {
            int end = start;
            while (end < text.length() && " \t\r\n~}()=\"'|".indexOf(text.charAt(end)) < 0) {
                end++;
            }
            return end;
        }

        private void place(int position) {
            for (; counted < position; counted++) {
                if (text.charAt(counted) == '\n') {
                    line++;
                    lineStart = counted + 1;
                }
            }
        }
    }

    /**
     * Rejects texts that the library would need minutes to parse: its time grows with the square of a path's length, and a tag takes
     * about as long as a thousand characters of text.
     */
    private static final class SourceComplexityCheck {
        private static final int MOST_TAGS = 10_000;
        private static final int LONGEST_TAG = 8_000;
        /** Dots and slashes of one path, including parent references. */
        private static final int MOST_SEPARATORS = 48;

        static void check(String name, String text) throws TemplateException {
            int tags = 0;
            int line = 1;
            int lineStart = 0;
            int counted = 0;
            for (int open = text.indexOf("{{"); open >= 0; ) {
                for (; counted < open; counted++) {
                    if (text.charAt(counted) == '\n') {
                        line++;
                        lineStart = counted + 1;
                    }
                }
                int close = text.indexOf("}}", open);
                int end = close < 0 ? text.length() : close;
                String problem = ++tags > MOST_TAGS ? "more than " + MOST_TAGS + " tags" : problem(text, open, end);
                if (problem != null) {
                    throw HandlebarsErrors.of(Stage.PARSE, name, line, open - lineStart + 1, problem, null);
                }
                open = text.indexOf("{{", Math.max(end, open + 2));
            }
        }

        private static @Nullable String problem(String text, int open, int end) {
            boolean comment = text.startsWith("!", open + 2) || text.startsWith("~!", open + 2);
            if (comment) {
                return null;
            }
            if (end - open > LONGEST_TAG) {
                return "a tag of more than " + LONGEST_TAG + " characters";
            }
            int parts = 0;
            for (int i = open; i < end; i++) {
                char c = text.charAt(i);
                if (" \t\r\n()=|\"'".indexOf(c) >= 0) {
                    parts = 0;
                } else if (c == '.' || c == '/') {
                    parts++;
                    if (parts > MOST_SEPARATORS) {
                        return "a path with too many parts";
                    }
                }
            }
            return null;
        }
    }

    /**
     * Parsed files with their snippets. Immutable except for the cache of indented snippets.
     *
     * @param texts of all files and snippets by name, to locate errors
     */
    private record CompiledHandlebars(List<File> files, Map<String, String> texts) implements CompiledTemplates {
        /** One file, parsed. */
        record File(String path, Template template) {}

        CompiledHandlebars {
            files = List.copyOf(files);
            texts = Map.copyOf(texts);
        }

        @Override
        public int size() {
            return files.size();
        }

        @Override
        public TemplateExecution startExecution(GoValue data, ExecutionEnvironment environment) {
            return new Files(this, data, environment);
        }

        /** Each file renders its snippets, so that a rendering has no shared state. */
        private record Files(CompiledHandlebars templates, GoValue data, ExecutionEnvironment environment)
                implements TemplateExecution {
            @Override
            public String renderFile(int index) throws TemplateException {
                environment.startFile();
                return templates.render(templates.files().get(index), data, environment);
            }

            @Override
            public TemplateExecution withData(GoValue otherData) {
                return new Files(templates, otherData, environment);
            }
        }

        private String render(File file, GoValue data, ExecutionEnvironment environment) throws TemplateException {
            BudgetedWriter writer = BudgetedWriter.forFile(environment);
            HandlebarsExecution rendering = new HandlebarsExecution(environment, data, writer);
            try {
                ScopedValue.where(HandlebarsExecution.scopedValue(), rendering).call(() -> {
                    Context context = Context.newBuilder(rendering.root())
                            .resolver(GoValueResolver.INSTANCE)
                            .build();
                    file.template().apply(context, writer);
                    return writer;
                });
                return writer.text();
            } catch (HandlebarsException failed) {
                throw HandlebarsErrors.running(file.path(), texts, failed);
            } catch (LimitExceededException limit) {
                throw HandlebarsErrors.limit(file.path(), 0, 0, String.valueOf(limit.getMessage()));
            } catch (StackOverflowError tooDeep) {
                throw HandlebarsErrors.limit(file.path(), 0, 0, "blocks or snippets are nested too deeply");
            } catch (IOException impossible) {
                throw new UncheckedIOException("text is written to memory", impossible);
            }
        }
    }
}
