package io.osmhub.core.template.handlebars;

import com.github.jknack.handlebars.Context;
import com.github.jknack.handlebars.Helper;
import com.github.jknack.handlebars.Options;
import com.github.jknack.handlebars.TagType;
import com.github.jknack.handlebars.Template;
import io.osmhub.core.golang.ExecutionEnvironment;
import io.osmhub.core.golang.GoValue;
import io.osmhub.core.golang.GoValue.GoBool;
import io.osmhub.core.golang.GoValue.GoInt;
import io.osmhub.core.golang.GoValue.GoMap;
import io.osmhub.core.golang.GoValue.GoNil;
import io.osmhub.core.golang.GoValue.GoSlice;
import io.osmhub.core.golang.text.GoPrint;
import io.osmhub.core.template.functions.HandlebarsValues;
import io.osmhub.core.template.handlebars.HandlebarsErrors.HelperException;
import java.io.IOException;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The helpers that control a block. Each has one argument and prints to the current writer. */
final class BlockHelpers {
    private static final Map<String, Helper<Object>> BLOCKS = Map.of(
            "if",
            (first, options) -> choose(options, HandlebarsValues.isTruthy(argument(first, options))),
            "unless",
            (first, options) -> choose(options, !HandlebarsValues.isTruthy(argument(first, options))),
            "with",
            (first, options) -> with(argument(first, options), options),
            "each",
            (first, options) -> each(argument(first, options), options));

    /** What the library prints after a block. */
    private static final String NOTHING = "";

    private BlockHelpers() {}

    static Set<String> names() {
        return BLOCKS.keySet();
    }

    static @Nullable Helper<Object> find(String name) {
        return BLOCKS.get(name);
    }

    /** The only argument of a block, without pointers. */
    private static GoValue argument(@Nullable Object first, Options options) {
        // The library also gets here for {{#name}} without a helper of that name.
        Integer count = options.data(Context.PARAM_SIZE);
        if (options.tagType != TagType.SECTION || count == null || count != 1) {
            throw new HelperException(
                    "a block without a helper and its argument",
                    "use {{#if VALUE}}, {{#unless VALUE}}, {{#each VALUE}} or {{#with VALUE}}");
        }
        return HandlebarsValues.dereference(FunctionHelpers.argument(first));
    }

    private static String choose(Options options, boolean then) throws IOException {
        Template branch = then ? options.fn : options.inverse;
        branch.apply(options.context, HandlebarsExecution.current().writer());
        return NOTHING;
    }

    private static String with(GoValue value, Options options) throws IOException {
        if (!HandlebarsValues.isTruthy(value)) {
            return choose(options, false);
        }
        applyTo(value, names(options, List.of(value)), options);
        return NOTHING;
    }

    private static String each(GoValue value, Options options) throws IOException {
        List<GoValue> keys = List.of();
        List<GoValue> elements = List.of();
        switch (value) {
            case GoSlice list -> elements = list.elements();
            case GoNil nothing -> {}
            case GoMap map -> {
                keys = sortedKeys(map);
                elements = keys.stream()
                        .map(key -> map.elements().getOrDefault(key, GoNil.ANY))
                        .toList();
            }
            default ->
                throw new HelperException(
                        "each expects a list or a map, not " + HandlebarsValues.describeKind(value), null);
        }
        for (int i = 0; i < elements.size(); i++) {
            HandlebarsExecution.current().environment().charge(1, 0);
            GoValue key = keys.isEmpty() ? GoInt.of(i) : keys.get(i);
            Map<String, GoValue> names = names(options, List.of(elements.get(i), key));
            names.put("@key", key);
            names.put("@index", GoInt.of(i));
            names.put("@first", GoBool.of(i == 0));
            names.put("@last", GoBool.of(i == elements.size() - 1));
            applyTo(elements.get(i), names, options);
        }
        return elements.isEmpty() ? choose(options, false) : NOTHING;
    }

    private static List<GoValue> sortedKeys(GoMap map) {
        ExecutionEnvironment environment = HandlebarsExecution.current().environment();
        environment.charge(map.length(), 16L * map.length());
        return map.elements().keySet().stream()
                .sorted(Comparator.comparing(key -> GoPrint.display(environment, key)))
                .toList();
    }

    private static void applyTo(GoValue value, Map<String, GoValue> names, Options options) throws IOException {
        TemplateContext context = ((TemplateContext) options.context).forBlock(value, names);
        options.fn.apply(context, HandlebarsExecution.current().writer());
    }

    /** The names after a block's {@code as}, with their values. */
    private static Map<String, GoValue> names(Options options, List<GoValue> values) {
        Map<String, GoValue> names = new HashMap<>();
        for (int i = 0; i < Math.min(options.blockParams.size(), values.size()); i++) {
            names.put(options.blockParams.get(i), values.get(i));
        }
        return names;
    }
}
