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
 * The templates of the pages: found and compiled once at start, rendered by any thread. Values are maps, lists, texts, numbers and
 * truths; a template cannot look into any other object. Whatever it prints is escaped by {@link Markup}.
 */
final class Templates {
    /** Names of the pages' templates, without the parts that they share. */
    static final List<String> PAGES = List.of(
            "fleet",
            "tenant",
            "machine-deployment",
            "history",
            "profiles",
            "profile",
            "problems",
            "register",
            "find",
            "signin",
            "refusal");

    private final Map<String, Template> pages = new TreeMap<>();

    Templates() {
        Handlebars library = new Handlebars(new ClassPathTemplateLoader("/io/osmhub/api/console/templates", ".hbs"))
                .with(new ConcurrentMapTemplateCache())
                .with(Markup.EVERYTHING)
                .prettyPrint(true)
                .preEvaluatePartialBlocks(false);
        Helpers.register(library);
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
     * @param model what the template prints, by name
     * @param cells what of it is kept live
     * @param now the moment that ages are counted to
     */
    String render(String page, Map<String, Object> model, Cells cells, Instant now) {
        Template template = pages.get(page);
        if (template == null) {
            throw new IllegalArgumentException("no template named " + page);
        }
        Context context =
                Context.newBuilder(model).resolver(MapValueResolver.INSTANCE).build();
        context.data(Helpers.CELLS, cells);
        context.data(Helpers.NOW, now);
        try {
            return template.apply(context);
        } catch (IOException impossible) {
            throw new UncheckedIOException("a page is written to memory", impossible);
        }
    }
}
