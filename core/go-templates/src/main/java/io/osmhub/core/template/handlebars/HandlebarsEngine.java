package io.osmhub.core.template.handlebars;

import com.github.jknack.handlebars.Handlebars;
import com.github.jknack.handlebars.HandlebarsException;
import com.github.jknack.handlebars.Template;
import com.github.jknack.handlebars.io.StringTemplateSource;
import io.osmhub.core.golang.ExecutionEnvironment;
import io.osmhub.core.golang.ExecutionEnvironment.LimitExceededException;
import io.osmhub.core.golang.GoValue;
import io.osmhub.core.template.TemplateEngine;
import io.osmhub.core.template.TemplateEngine.CompiledTemplates;
import io.osmhub.core.template.TemplateEngine.CompiledTemplates.TemplateExecution;
import io.osmhub.core.template.TemplateEngine.TemplateSources;
import io.osmhub.core.template.TemplateException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Handlebars templates. Text is not escaped. A tag that controls a block, calls a partial or is a comment, alone on its line,
 * leaves no empty line.
 */
public final class HandlebarsEngine implements TemplateEngine {
    /** The library requires a name; a file without a path is rejected elsewhere. */
    private static final String NO_NAME = "(no name)";

    /** The names of all helpers, sorted. */
    public static Set<String> helperNames() {
        Set<String> names = new TreeSet<>(BlockHelpers.names());
        names.addAll(FunctionHelpers.names());
        return names;
    }

    @Override
    public CompiledTemplates compile(TemplateSources sources) throws TemplateException {
        SourceLimits limits = new SourceLimits();
        RestrictedHandlebars library = RestrictedHandlebars.create(sources.snippets());
        for (Map.Entry<String, String> snippet : sources.snippets().entrySet()) {
            compile(library, limits, snippet.getKey(), snippet.getValue());
        }
        Map<String, String> texts = new HashMap<>(sources.snippets());
        List<Template> files = new ArrayList<>();
        for (TemplateSources.File file : sources.files()) {
            files.add(compile(library, limits, file.path(), file.text()));
            texts.putIfAbsent(file.path(), file.text());
        }
        return new CompiledHandlebars(sources.files(), files, texts);
    }

    private static Template compile(Handlebars library, SourceLimits limits, String name, String text)
            throws TemplateException {
        limits.check(name, text);
        try {
            return library.compile(new StringTemplateSource(name.isEmpty() ? NO_NAME : name, text));
        } catch (HandlebarsException refused) {
            throw HandlebarsErrors.parsing(name, text, refused);
        } catch (StackOverflowError tooDeep) {
            throw HandlebarsErrors.tooNested(name);
        } catch (IOException impossible) {
            throw new UncheckedIOException("templates are read from memory", impossible);
        }
    }

    /**
     * Limits of what the library parses for one profile, so that it takes at most about a second. Measured are up to 10 µs for a
     * character of a tag, and for a path a time that grows with the third power of its parts, 0.2 ms at the limit.
     */
    private static final class SourceLimits {
        private static final int MOST_CHARACTERS = 100_000;
        private static final int MOST_SEPARATORS = 32;

        private int characters;

        void check(String name, String text) throws TemplateException {
            for (int open = text.indexOf("{{"), next; open >= 0; open = next) {
                if (text.startsWith("{{{{", open)) {
                    throw refused(name, "raw blocks are not supported", "write \\{{ for literal braces");
                }
                next = text.indexOf("{{", open + 2);
                String tag = text.substring(open, next < 0 ? text.length() : next);
                // The last one, because a string in a tag may contain the sign too.
                int close = tag.lastIndexOf("}}");
                tag = close < 0 ? tag : tag.substring(0, close);
                characters += tag.length();
                if (tag.startsWith("{{=")) {
                    throw refused(name, "other delimiters are not supported", "use {{ and }}");
                }
                if (characters > MOST_CHARACTERS) {
                    throw refused(
                            name, "tags of more than " + MOST_CHARACTERS + " characters in a profile", "use fewer");
                }
                if (mostSeparators(tag) > MOST_SEPARATORS && !tag.startsWith("{{!")) {
                    throw refused(
                            name, "a path with more than " + MOST_SEPARATORS + " dots and slashes", "use {{#with}}");
                }
            }
        }

        /** The most dots and slashes in one word. */
        private static int mostSeparators(String text) {
            int most = 0;
            int separators = 0;
            for (int i = 0; i < text.length(); i++) {
                char c = text.charAt(i);
                separators = " \t\r\n()=|\"'".indexOf(c) >= 0 ? 0 : separators + (c == '.' || c == '/' ? 1 : 0);
                most = Math.max(most, separators);
            }
            return most;
        }

        private static TemplateException refused(String name, String limit, String suggestion) {
            return HandlebarsErrors.refused(name, limit, suggestion);
        }
    }

    /**
     * Parsed files with their snippets. Immutable except for the library's cache of snippets.
     *
     * @param texts of all files and snippets by name, to locate errors
     */
    private record CompiledHandlebars(
            List<TemplateSources.File> sources, List<Template> files, Map<String, String> texts)
            implements CompiledTemplates {
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
            return new Execution(this, data, environment);
        }
    }

    /** Each file renders its snippets, so that a rendering has no shared state. */
    private record Execution(CompiledHandlebars templates, GoValue data, ExecutionEnvironment environment)
            implements TemplateExecution {
        @Override
        public String renderFile(int index) throws TemplateException {
            String path = templates.sources().get(index).path();
            environment.startFile();
            try {
                Template file = templates.files().get(index);
                return HandlebarsExecution.render(file, TemplateContext.forFile(data), environment, true);
            } catch (HandlebarsException | LimitExceededException failed) {
                throw HandlebarsErrors.running(path, templates.texts(), failed);
            } catch (StackOverflowError tooDeep) {
                throw HandlebarsErrors.tooNested(path);
            } catch (IOException impossible) {
                throw new UncheckedIOException("text is written to memory", impossible);
            }
        }

        @Override
        public TemplateExecution withData(GoValue otherData) {
            return new Execution(templates, otherData, environment);
        }
    }
}
