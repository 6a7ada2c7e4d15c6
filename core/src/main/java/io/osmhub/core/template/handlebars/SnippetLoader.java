package io.osmhub.core.template.handlebars;

import com.github.jknack.handlebars.Parser;
import com.github.jknack.handlebars.Template;
import com.github.jknack.handlebars.cache.TemplateCache;
import com.github.jknack.handlebars.io.AbstractTemplateLoader;
import com.github.jknack.handlebars.io.StringTemplateSource;
import com.github.jknack.handlebars.io.TemplateSource;
import io.osmhub.core.problem.SpellingSuggestion;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The only source of partials: the profile's own snippets. Caches their parsed form: a partial alone on its line is indented like
 * its tag, and the library creates a new source for each indentation.
 */
final class SnippetLoader extends AbstractTemplateLoader implements TemplateCache {
    private record Key(String name, String content) {}

    /** Otherwise a snippet that calls itself with increasing indentation would fill the memory over many renderings. */
    private static final int MOST_KEPT = 500;

    private final Map<String, String> texts;
    private final Map<Key, Template> parsed = new ConcurrentHashMap<>();

    SnippetLoader(Map<String, String> texts) {
        this.texts = texts;
    }

    @Override
    public TemplateSource sourceAt(String name) {
        String text = texts.get(name);
        if (text == null) {
            throw new HelperException(
                    "no snippet named \"" + name + "\"",
                    SpellingSuggestion.findClosest(name, texts.keySet())
                            .map(near -> "did you mean \"" + near + "\"?")
                            .orElse(null));
        }
        return new StringTemplateSource(name, text);
    }

    @Override
    public Template get(TemplateSource source, Parser parser) throws IOException {
        String content = source.content(StandardCharsets.UTF_8);
        Key key = new Key(source.filename(), content);
        Template known = parsed.get(key);
        if (known != null) {
            return known;
        }
        if (HandlebarsExecution.scopedValue().isBound()) {
            // Parsing a character takes about as long as ten steps.
            HandlebarsExecution.current().environment().charge(10L * content.length(), content.length());
        }
        Template template = new DepthCountingTemplate(parser.parse(source));
        if (parsed.size() < MOST_KEPT) {
            parsed.put(key, template);
        }
        return template;
    }

    /** A snippet's name is used unchanged, without directory and suffix. */
    @Override
    public String resolve(String name) {
        return name;
    }

    @Override
    public Charset getCharset() {
        return StandardCharsets.UTF_8;
    }

    @Override
    public void clear() {
        parsed.clear();
    }

    @Override
    public void evict(TemplateSource source) {
        parsed.keySet().removeIf(key -> key.name().equals(source.filename()));
    }

    @Override
    public TemplateCache setReload(boolean reload) {
        return this;
    }
}
