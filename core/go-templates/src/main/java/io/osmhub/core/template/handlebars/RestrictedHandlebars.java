package io.osmhub.core.template.handlebars;

import com.github.jknack.handlebars.Context;
import com.github.jknack.handlebars.Decorator;
import com.github.jknack.handlebars.EscapingStrategy;
import com.github.jknack.handlebars.Handlebars;
import com.github.jknack.handlebars.Helper;
import com.github.jknack.handlebars.PathCompiler;
import com.github.jknack.handlebars.Template;
import com.github.jknack.handlebars.internal.PartialBlockForwardingTemplate;
import com.github.jknack.handlebars.io.AbstractTemplateLoader;
import com.github.jknack.handlebars.io.StringTemplateSource;
import com.github.jknack.handlebars.io.TemplateLoader;
import com.github.jknack.handlebars.io.TemplateSource;
import io.osmhub.core.golang.ExecutionEnvironment;
import io.osmhub.core.template.handlebars.HandlebarsErrors.HelperException;
import java.io.IOException;
import java.io.Writer;
import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The library for the templates of one profile: its own helpers, which read files, run JavaScript or write to the log, do not exist,
 * and partials are the profile's snippets. Caches parsed snippets: a partial alone on its line is indented like its tag, and the
 * library parses it again for each indentation. Thread-safe.
 */
final class RestrictedHandlebars extends Handlebars {
    /** Otherwise a snippet that calls itself with increasing indentation would fill the memory over many renderings. */
    private static final int MOST_KEPT = 500;

    /** Parsing a character takes about as long as ten steps. */
    private static final long STEPS_PER_CHARACTER = 10;

    /** A text has at most one path, of less than 300 bytes, for five characters. */
    private static final long MOST_CHARACTERS_OF_PATHS = 300_000;

    /** The library keeps every path that it ever parsed; profiles that change often would fill the memory. */
    static final Map<?, ?> PATHS = findPaths();

    private static final AtomicLong CHARACTERS_OF_PATHS = new AtomicLong();

    /** By name and text. */
    private final Map<Map.Entry<String, String>, Template> parsed = new ConcurrentHashMap<>();

    private RestrictedHandlebars(TemplateLoader snippets) {
        super(snippets);
    }

    static RestrictedHandlebars create(Map<String, String> snippets) {
        RestrictedHandlebars library = new RestrictedHandlebars(new AbstractTemplateLoader() {
            @Override
            public TemplateSource sourceAt(String name) {
                String text = snippets.get(name);
                if (text == null) {
                    throw HelperException.unknown("no snippet named", name, snippets.keySet());
                }
                return new StringTemplateSource(name, text);
            }
        });
        library.with(EscapingStrategy.NOOP).with((value, next) -> FunctionHelpers.print(value));
        // A snippet may call itself; it ends at the depth limit.
        return (RestrictedHandlebars) library.prettyPrint(true).infiniteLoops(true);
    }

    /** There is none for missing names, so that the library reports calls of unknown helpers when it parses them. */
    @Override
    @SuppressWarnings("unchecked") // The library requests helpers of any type; these accept all.
    public <C> @Nullable Helper<C> helper(String name) {
        Helper<Object> block = BlockHelpers.find(name);
        return (Helper<C>) (block == null ? FunctionHelpers.find(name) : block);
    }

    @Override
    public Decorator decorator(String name) {
        return (template, options) -> {
            throw new HelperException("inline partials and decorators are not supported", "use a snippet");
        };
    }

    /** Called by the library only for a partial with a block, whose snippet would not get a context of ours. */
    @Override
    public boolean preEvaluatePartialBlocks() {
        throw new HelperException("blocks for partials are not supported", "use a snippet");
    }

    @Override
    public Template compile(TemplateSource source) throws IOException {
        String text = source.content(StandardCharsets.UTF_8);
        Map.Entry<String, String> key = Map.entry(source.filename(), text);
        Template known = parsed.get(key);
        if (known != null) {
            return known;
        }
        if (HandlebarsExecution.CURRENT.isBound()) {
            HandlebarsExecution.current().environment().charge(STEPS_PER_CHARACTER * text.length(), text.length());
        }
        limitPaths(text.length());
        Template template = new ContextTemplate(source.filename(), super.compile(source), this);
        if (parsed.size() < MOST_KEPT) {
            parsed.put(key, template);
        }
        return template;
    }

    private static void limitPaths(int characters) {
        if (CHARACTERS_OF_PATHS.addAndGet(characters) > MOST_CHARACTERS_OF_PATHS) {
            CHARACTERS_OF_PATHS.set(characters);
            PATHS.clear();
        }
    }

    private static Map<?, ?> findPaths() {
        try {
            Field cache = PathCompiler.class.getDeclaredField("cache");
            cache.setAccessible(true);
            return (Map<?, ?>) cache.get(null);
        } catch (ReflectiveOperationException changed) {
            throw new IllegalStateException("this version of the library keeps paths elsewhere", changed);
        }
    }

    /**
     * A file or snippet with its own context, which counts as a level of depth while it is rendered. The base class, the only one of the
     * library that can be extended, contributes nothing.
     */
    private static final class ContextTemplate extends PartialBlockForwardingTemplate {
        private final String name;
        private final Template template;

        private ContextTemplate(String name, Template template, Handlebars library) {
            super(template, template, null, null, library);
            this.name = name;
            this.template = template;
        }

        @Override
        public void apply(Context context, Writer writer) throws IOException {
            ExecutionEnvironment environment = HandlebarsExecution.current().environment();
            environment.enterLevel();
            environment.charge(1, 0);
            boolean file = context instanceof TemplateContext;
            template.apply(file ? context : TemplateContext.forSnippet(name, context), writer);
            environment.leaveLevel();
        }
    }
}
