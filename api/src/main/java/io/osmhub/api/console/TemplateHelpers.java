package io.osmhub.api.console;

import com.github.jknack.handlebars.Handlebars;
import com.github.jknack.handlebars.Options;
import io.osmhub.core.status.Chain.LinkState;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Helpers that templates call. Those that return markup build it with {@link Markup}, so that no value of a cluster becomes markup. */
final class TemplateHelpers {
    /** Name under which helpers find the page's cells and time. */
    static final String CELLS = "cells";

    static final String NOW = "now";

    private TemplateHelpers() {}

    static void register(Handlebars library) {
        names(library);
        states(library);
        times(library);
        choices(library);
        DrawingHelpers.register(library);
    }

    private static void names(Handlebars library) {
        library.registerHelper(
                "name", (value, options) -> new Markup().name(text(value)).finished());
        library.registerHelper("code", (value, options) -> new Markup()
                .open("code")
                .name(text(value))
                .close("code")
                .finished());
        library.registerHelper("text", (value, options) -> new Markup()
                .text(text(value), TextSanitizer.MESSAGE)
                .finished());
        library.registerHelper(
                "editable",
                (value, options) -> new Markup().editable(text(value)).finished());
        library.registerHelper("number", (value, options) -> NumberFormats.number(number(value)));
        library.registerHelper(
                "count",
                (value, options) -> NumberFormats.count(
                        number(value),
                        options.param(0).toString(),
                        options.param(1).toString()));
        library.registerHelper("size", (value, options) -> sizeOf(value));
        library.registerHelper("path", (value, options) -> path(text(value), options.params));
        library.registerHelper("join", (value, options) -> joined(value, options.params));
        library.registerHelper("short", (value, options) -> shortened(text(value)));
        library.registerHelper("command", (value, options) -> command(new LiveCell.CommandCell(text(value)), null));
    }

    private static void states(Handlebars library) {
        // {{look "state" word}}, {{look "newNodes" word saying="3 blocked"}}
        library.registerHelper("look", (list, options) -> {
            StateBadge look = StateBadge.of(text(list), text(options.param(0, null)));
            Object saying = options.hash("saying");
            return state(saying == null ? look : look.withText(saying.toString()), null);
        });
        library.registerHelper("tone", (list, options) -> StateBadge.of(text(list), text(options.param(0, null)))
                .tone());
        library.registerHelper(
                "mark", (symbol, options) -> new Markup().mark(text(symbol)).finished());
        library.registerHelper("cell", (key, options) -> cell(text(key), options));
        library.registerHelper("mood", (key, options) -> mood(text(key), options));
    }

    private static void times(Handlebars library) {
        for (String form : List.of("age", "left", "clock")) {
            library.registerHelper(form, (value, options) -> TimeFormats.read(value)
                    .map(at -> moment(form, at, options, null))
                    .orElse(""));
        }
    }

    private static void choices(Handlebars library) {
        library.registerHelper("eq", (value, options) -> text(value).equals(text(options.param(0, null))));
        library.registerHelper("more", (value, options) -> number(value) > number(options.param(0, 0)));
        library.registerHelper("either", (value, options) -> {
            if (!isEmpty(value)) {
                return true;
            }
            for (Object other : options.params) {
                if (!isEmpty(other)) {
                    return true;
                }
            }
            return false;
        });
        library.registerHelper(
                "selected",
                (value, options) ->
                        text(value).equals(text(options.param(0, null))) ? new Markup().flag("selected") : "");
        library.registerHelper("checked", (value, options) -> isEmpty(value) ? "" : new Markup().flag("checked"));
    }

    private static CharSequence cell(String key, Options options) {
        LiveCells cells = options.data(CELLS);
        return switch (cells.get(key)) {
            case LiveCell.LabelCell(String text) ->
                new Markup().element("span", text, "data-live", key).finished();
            case LiveCell.StateCell(StateBadge look) -> state(look, key);
            case LiveCell.CommandCell command -> command(command, key);
            case LiveCell.TimeCell(String form, Instant at) -> moment(form, at, options, key);
            case LiveCell.ChainCell(List<LinkState> links) -> DrawingHelpers.chain(links, key);
            case LiveCell.ClassCell ignored -> throw new IllegalStateException(key + " is a class, not a text");
            case LiveCell.ShapeCell ignored -> throw new IllegalStateException(key + " is a drawing, not a text");
        };
    }

    private static CharSequence mood(String key, Options options) {
        LiveCells cells = options.data(CELLS);
        if (cells.get(key) instanceof LiveCell.ClassCell(String classes)) {
            return new Markup().attributes("class", classes, "data-live", key).finished();
        }
        throw new IllegalStateException(key + " is not a class");
    }

    private static CharSequence state(StateBadge look, @Nullable String key) {
        return new Markup()
                .open("span", "class", "st " + look.tone(), "data-live", key)
                .mark(look.symbol())
                .element("span", look.word())
                .close("span")
                .finished();
    }

    private static CharSequence moment(String form, Instant at, Options options, @Nullable String key) {
        Instant now = options.data(NOW);
        return new Markup()
                .element(
                        "time",
                        LiveCell.words(form, at, now),
                        "datetime",
                        at.toString(),
                        "data-form",
                        form,
                        "data-live",
                        key)
                .finished();
    }

    /** Path segments, encoded so that a name cannot change the target. */
    private static String path(String start, Object[] parts) {
        StringBuilder path = new StringBuilder(start);
        for (Object part : parts) {
            path.append('/').append(encoded(text(part)));
        }
        return path.toString();
    }

    /** One path segment or query value. */
    static String encoded(String part) {
        return URLEncoder.encode(part, StandardCharsets.UTF_8).replace("+", "%20");
    }

    private static String joined(@Nullable Object first, Object[] parts) {
        StringBuilder joined = new StringBuilder(text(first));
        for (Object part : parts) {
            joined.append(text(part));
        }
        return joined.toString();
    }

    /** A hash shortened for comparing by eye. */
    private static String shortened(String hash) {
        return hash.length() <= 12 ? hash : hash.substring(0, 12);
    }

    /** A command to paste: one click selects it, and its words do not break. */
    private static CharSequence command(LiveCell.CommandCell command, @Nullable String key) {
        Markup markup = new Markup().open("code", "class", "cmd", "tabindex", "0", "data-live", key);
        String space = "";
        for (String word : command.words()) {
            markup.text(space, 1).element("span", word);
            space = " ";
        }
        return markup.close("code").finished();
    }

    private static int sizeOf(@Nullable Object value) {
        return switch (value) {
            case Collection<?> list -> list.size();
            case Map<?, ?> map -> map.size();
            case null, default -> 0;
        };
    }

    static boolean isEmpty(@Nullable Object value) {
        return switch (value) {
            case null -> true;
            case Boolean truth -> !truth;
            case CharSequence text -> text.isEmpty();
            case Collection<?> list -> list.isEmpty();
            case Map<?, ?> map -> map.isEmpty();
            case Number number -> number.doubleValue() == 0;
            case Optional<?> optional -> optional.isEmpty();
            default -> false;
        };
    }

    static String text(@Nullable Object value) {
        return value == null ? "" : value.toString();
    }

    static long number(@Nullable Object value) {
        return value instanceof Number number ? number.longValue() : 0;
    }
}
