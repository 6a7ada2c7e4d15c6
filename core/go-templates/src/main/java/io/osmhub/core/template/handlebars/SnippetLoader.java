package io.osmhub.core.template.handlebars;

import com.github.jknack.handlebars.Context;
import com.github.jknack.handlebars.Parser;
import com.github.jknack.handlebars.TagType;
import com.github.jknack.handlebars.Template;
import com.github.jknack.handlebars.TypeSafeTemplate;
import com.github.jknack.handlebars.cache.TemplateCache;
import com.github.jknack.handlebars.io.AbstractTemplateLoader;
import com.github.jknack.handlebars.io.StringTemplateSource;
import com.github.jknack.handlebars.io.TemplateSource;
import io.osmhub.core.golang.ExecutionEnvironment;
import io.osmhub.core.golang.GoValue;
import io.osmhub.core.template.SpellingSuggestion;
import io.osmhub.core.template.handlebars.HandlebarsErrors.HelperException;
import io.osmhub.core.template.handlebars.HandlebarsExecution.BudgetedWriter;
import io.osmhub.core.template.handlebars.HandlebarsExecution.NameScope;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
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

    /** A file or snippet that counts as a level of depth while it is rendered. */
    private record DepthCountingTemplate(Template template) implements Template {
        @Override
        public void apply(Context context, Writer writer) throws IOException {
            HandlebarsExecution rendering = HandlebarsExecution.current();
            ExecutionEnvironment environment = rendering.environment();
            environment.enterLevel();
            environment.charge(1, 0);
            boolean file = context.parent() == null;
            template.apply(file ? context : forSnippet(context, rendering), writer);
            environment.leaveLevel();
        }

        /** A snippet's own context: names resolve to its arguments, then to the caller's context. */
        private Context forSnippet(Context caller, HandlebarsExecution rendering) {
            if (!(caller.model() instanceof NameScope scope)) {
                throw new HelperException(
                        "a snippet takes values by name, not a context", "use {{> " + filename() + " name=value}}");
            }
            Map<String, GoValue> given = new HashMap<>();
            for (String name : GoValueResolver.ASKED_BY_LIBRARY) {
                GoValue value = HandlebarsValues.from(caller.get(name));
                if (value != null) {
                    given.put(name, value);
                }
            }
            NameScope own = new NameScope(scope.value(), name -> {
                boolean known = GoValueResolver.ASKED_BY_LIBRARY.contains(name);
                return known ? given.get(name) : HandlebarsValues.from(caller.get(path(name)));
            });
            Context context =
                    Context.newBuilder(own).resolver(GoValueResolver.INSTANCE).build();
            return context.data("root", rendering.root());
        }

        /** A name that would be parsed as a path is put in brackets. */
        private static String path(String name) {
            boolean plain = name.chars().allMatch(c -> Character.isLetterOrDigit(c) || c == '_' || c == '@');
            return plain ? name : "[" + name + "]";
        }

        @Override
        public void apply(Object context, Writer writer) throws IOException {
            apply(Context.newContext(context), writer);
        }

        @Override
        public String apply(Object context) throws IOException {
            return apply(Context.newContext(context));
        }

        @Override
        public String apply(Context context) throws IOException {
            BudgetedWriter text =
                    BudgetedWriter.forValue(HandlebarsExecution.current().environment());
            apply(context, text);
            return text.text();
        }

        @Override
        public String text() {
            return template.text();
        }

        @Override
        public String toJavaScript() {
            throw new UnsupportedOperationException("JavaScript is not supported");
        }

        @Override
        public <T, S extends TypeSafeTemplate<T>> S as(Class<S> type) {
            throw new UnsupportedOperationException("templates have no Java types");
        }

        @Override
        public <T> TypeSafeTemplate<T> as() {
            throw new UnsupportedOperationException("templates have no Java types");
        }

        @Override
        public List<String> collect(TagType... types) {
            return template.collect(types);
        }

        @Override
        public List<String> collectReferenceParameters() {
            return template.collectReferenceParameters();
        }

        @Override
        public String filename() {
            return template.filename();
        }

        @Override
        public int[] position() {
            return template.position();
        }
    }
}
