package io.osmhub.api.console;

import com.github.jknack.handlebars.Context;
import com.github.jknack.handlebars.Handlebars;
import com.github.jknack.handlebars.Template;
import com.github.jknack.handlebars.cache.ConcurrentMapTemplateCache;
import com.github.jknack.handlebars.context.MapValueResolver;
import com.github.jknack.handlebars.io.ClassPathTemplateLoader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The page templates: compiled once at start, thread-safe. Values are maps, lists, texts, numbers and booleans; a template cannot
 * access any other object. {@link Markup} escapes everything printed.
 */
final class Templates {
    /** Names of the page templates, without partials. */
    static final List<String> PAGES = List.of(
            "fleet",
            "tenant",
            "machine-deployment",
            "history",
            "profiles",
            "profile",
            "problems",
            "resolved",
            "register",
            "find",
            "signin",
            "signed-in",
            "refusal");

    private final Map<String, Template> pages = new TreeMap<>();

    Templates() {
        Handlebars library = new Handlebars(new ClassPathTemplateLoader("/io/osmhub/api/console/templates", ".hbs"))
                .with(new ConcurrentMapTemplateCache())
                .with(Markup.EVERYTHING)
                .prettyPrint(true)
                .preEvaluatePartialBlocks(false);
        TemplateHelpers.register(library);
        try {
            for (String page : PAGES) {
                pages.put(page, library.compile(page));
            }
        } catch (IOException missing) {
            throw new UncheckedIOException("a template of the console cannot be read", missing);
        }
    }

    /**
     * Renders a page.
     *
     * @param model template values by name
     * @param cells live cells
     * @param now reference time of ages
     */
    String render(String page, Map<String, Object> model, LiveCells cells, Instant now) {
        Template template = pages.get(page);
        if (template == null) {
            throw new IllegalArgumentException("no template named " + page);
        }
        Context context =
                Context.newBuilder(model).resolver(MapValueResolver.INSTANCE).build();
        context.data(TemplateHelpers.CELLS, cells);
        context.data(TemplateHelpers.NOW, now);
        try {
            return template.apply(context);
        } catch (IOException impossible) {
            throw new UncheckedIOException("a page is written to memory", impossible);
        }
    }
}
