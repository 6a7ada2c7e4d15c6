package io.osmhub.core.template.handlebars;

import com.github.jknack.handlebars.Context;
import com.github.jknack.handlebars.Options;
import io.osmhub.core.golang.GoBool;
import io.osmhub.core.golang.GoInt;
import io.osmhub.core.golang.GoMap;
import io.osmhub.core.golang.GoNil;
import io.osmhub.core.golang.GoSlice;
import io.osmhub.core.golang.GoValue;
import io.osmhub.core.golang.text.GoPrint;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The helpers that control a block. Each takes one argument. */
enum BlockHelper {
    IF(
            "{{#if VALUE}}..{{else}}..{{/if}}",
            "Renders the block if the value is not empty: nothing, false, 0, \"\", an empty list or map.",
            "{{#if \"x\"}}yes{{else}}no{{/if}}",
            "yes") {
        @Override
        void render(GoValue value, Options options, HandlebarsExecution rendering) throws IOException {
            (HandlebarsValues.isTruthy(value) ? options.fn : options.inverse)
                    .apply(options.context, rendering.writer());
        }
    },
    UNLESS(
            "{{#unless VALUE}}..{{else}}..{{/unless}}",
            "Renders the block if the value is empty.",
            "{{#unless \"\"}}empty{{/unless}}",
            "empty") {
        @Override
        void render(GoValue value, Options options, HandlebarsExecution rendering) throws IOException {
            (HandlebarsValues.isTruthy(value) ? options.inverse : options.fn)
                    .apply(options.context, rendering.writer());
        }
    },
    WITH(
            "{{#with VALUE as |name|}}..{{else}}..{{/with}}",
            "Renders the block with the value's own names in scope, if the value is not empty.",
            "{{#with (dict \"os\" \"ubuntu\")}}{{os}}{{/with}}",
            "ubuntu") {
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
    EACH(
            "{{#each LIST as |item index|}}..{{else}}..{{/each}}",
            "Renders the block for each element of a list, or for each entry of a map in the order of its keys; {{this}}, "
                    + "{{@index}}, {{@key}}, {{@first}} and {{@last}} are the position.",
            "{{#each (list \"a\" \"b\")}}{{@index}}={{this}} {{/each}}",
            "0=a 1=b ") {
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

    private final String signature;
    private final String description;
    private final String example;
    private final String result;

    BlockHelper(String signature, String description, String example, String result) {
        this.signature = signature;
        this.description = description;
        this.example = example;
        this.result = result;
    }

    /** The name in templates. */
    String helperName() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Renders to the rendering's writer; pointers in {@code value} are already followed. */
    abstract void render(GoValue value, Options options, HandlebarsExecution rendering) throws IOException;

    String signature() {
        return signature;
    }

    String description() {
        return description;
    }

    String example() {
        return example;
    }

    String result() {
        return result;
    }

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
