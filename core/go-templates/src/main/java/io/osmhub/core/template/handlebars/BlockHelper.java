package io.osmhub.core.template.handlebars;

import com.github.jknack.handlebars.Context;
import com.github.jknack.handlebars.Options;
import io.osmhub.core.golang.GoValue;
import io.osmhub.core.golang.GoValue.GoBool;
import io.osmhub.core.golang.GoValue.GoInt;
import io.osmhub.core.golang.GoValue.GoMap;
import io.osmhub.core.golang.GoValue.GoNil;
import io.osmhub.core.golang.GoValue.GoSlice;
import io.osmhub.core.golang.text.GoPrint;
import io.osmhub.core.template.handlebars.HandlebarsErrors.HelperException;
import io.osmhub.core.template.handlebars.HandlebarsExecution.NameScope;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The helpers that control a block. Each takes one argument. */
enum BlockHelper {
    IF {
        @Override
        void render(GoValue value, Options options, HandlebarsExecution rendering) throws IOException {
            (HandlebarsValues.isTruthy(value) ? options.fn : options.inverse)
                    .apply(options.context, rendering.writer());
        }
    },
    UNLESS {
        @Override
        void render(GoValue value, Options options, HandlebarsExecution rendering) throws IOException {
            (HandlebarsValues.isTruthy(value) ? options.inverse : options.fn)
                    .apply(options.context, rendering.writer());
        }
    },
    WITH {
        @Override
        void render(GoValue value, Options options, HandlebarsExecution rendering) throws IOException {
            if (HandlebarsValues.isTruthy(value)) {
                Context context = Context.newContext(options.context, scope(value, options, List.of(value)));
                options.fn.apply(context, rendering.writer());
            } else {
                options.inverse.apply(options.context, rendering.writer());
            }
        }
    },
    EACH {
        @Override
        void render(GoValue value, Options options, HandlebarsExecution rendering) throws IOException {
            switch (value) {
                case GoSlice slice -> eachElement(slice.elements(), options, rendering);
                case GoMap map -> eachEntry(map, options, rendering);
                case GoNil nil -> options.inverse.apply(options.context, rendering.writer());
                default ->
                    throw new HelperException(
                            "each expects a list or a map, not " + HandlebarsValues.describeKind(value), null);
            }
        }
    };

    /** Keys by their bytes; numbers by value. */
    private static final Comparator<Map.Entry<GoValue, GoValue>> ENTRY_ORDER =
            (a, b) -> compareKeys(a.getKey(), b.getKey());

    /** The block helper of that name; null if none. */
    static @Nullable BlockHelper find(String name) {
        for (BlockHelper block : values()) {
            if (block.helperName().equals(name)) {
                return block;
            }
        }
        return null;
    }

    /** The name in templates. */
    String helperName() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Renders to the rendering's writer; pointers in {@code value} are already followed. */
    abstract void render(GoValue value, Options options, HandlebarsExecution rendering) throws IOException;

    private static void eachElement(List<GoValue> elements, Options options, HandlebarsExecution rendering)
            throws IOException {
        if (elements.isEmpty()) {
            options.inverse.apply(options.context, rendering.writer());
        }
        for (int i = 0; i < elements.size(); i++) {
            iterate(options, rendering, GoInt.of(i), GoInt.of(i), elements.get(i), i, elements.size());
        }
    }

    private static void eachEntry(GoMap map, Options options, HandlebarsExecution rendering) throws IOException {
        if (map.length() == 0) {
            options.inverse.apply(options.context, rendering.writer());
            return;
        }
        rendering.environment().charge(map.length(), 8L * map.length());
        List<Map.Entry<GoValue, GoValue>> entries =
                new ArrayList<>(map.elements().entrySet());
        entries.sort(ENTRY_ORDER);
        for (int i = 0; i < entries.size(); i++) {
            Map.Entry<GoValue, GoValue> entry = entries.get(i);
            iterate(options, rendering, entry.getKey(), GoInt.of(i), entry.getValue(), i, entries.size());
        }
    }

    private static int compareKeys(GoValue a, GoValue b) {
        if (a instanceof GoInt left && b instanceof GoInt right) {
            return Long.compare(left.value(), right.value());
        }
        return GoPrint.display(a).compareTo(GoPrint.display(b));
    }

    private static void iterate(
            Options options,
            HandlebarsExecution rendering,
            GoValue key,
            GoValue index,
            GoValue element,
            int i,
            int size)
            throws IOException {
        rendering.environment().charge(1, 0);
        Context context = Context.newBuilder(options.context, scope(element, options, List.of(element, key)))
                .combine("@key", key)
                .combine("@index", index)
                .combine("@first", GoBool.of(i == 0))
                .combine("@last", GoBool.of(i == size - 1))
                .build();
        options.fn.apply(context, rendering.writer());
    }

    /** The scope of a block, with the given values under the names after {@code as}. */
    private static NameScope scope(GoValue value, Options options, List<GoValue> named) {
        if (options.blockParams.isEmpty()) {
            return new NameScope(value);
        }
        Map<String, GoValue> names = new HashMap<>();
        for (int i = 0; i < Math.min(options.blockParams.size(), named.size()); i++) {
            names.put(options.blockParams.get(i), named.get(i));
        }
        return new NameScope(value, names::get);
    }
}
