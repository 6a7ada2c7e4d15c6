package io.osmhub.core.template.handlebars;

import com.github.jknack.handlebars.Context;
import com.github.jknack.handlebars.Options;
import io.osmhub.core.golang.Bool;
import io.osmhub.core.golang.Int;
import io.osmhub.core.golang.MapValue;
import io.osmhub.core.golang.Nil;
import io.osmhub.core.golang.Slice;
import io.osmhub.core.golang.Value;
import io.osmhub.core.golang.text.GoPrint;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The helpers that decide whether, how often and on what a block is rendered. Each takes one argument. */
enum BlockHelper {
    IF(
            "{{#if VALUE}}..{{else}}..{{/if}}",
            "Renders the block if the value is not empty: nothing, false, 0, \"\", an empty list or map.",
            "{{#if \"x\"}}yes{{else}}no{{/if}}",
            "yes") {
        @Override
        void render(Value value, Options options, Rendering rendering) throws IOException {
            (Values.truth(value) ? options.fn : options.inverse).apply(options.context, rendering.writer());
        }
    },
    UNLESS(
            "{{#unless VALUE}}..{{else}}..{{/unless}}",
            "Renders the block if the value is empty.",
            "{{#unless \"\"}}empty{{/unless}}",
            "empty") {
        @Override
        void render(Value value, Options options, Rendering rendering) throws IOException {
            (Values.truth(value) ? options.inverse : options.fn).apply(options.context, rendering.writer());
        }
    },
    WITH(
            "{{#with VALUE as |name|}}..{{else}}..{{/with}}",
            "Renders the block with the value's own names at hand, if the value is not empty.",
            "{{#with (dict \"os\" \"ubuntu\")}}{{os}}{{/with}}",
            "ubuntu") {
        @Override
        void render(Value value, Options options, Rendering rendering) throws IOException {
            if (Values.truth(value)) {
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
                    + "{{@index}}, {{@key}}, {{@first}} and {{@last}} tell where it is.",
            "{{#each (list \"a\" \"b\")}}{{@index}}={{this}} {{/each}}",
            "0=a 1=b ") {
        @Override
        void render(Value value, Options options, Rendering rendering) throws IOException {
            switch (value) {
                case Slice slice -> eachElement(slice.elements(), options, rendering);
                case MapValue map -> eachEntry(map, options, rendering);
                case Nil nil -> options.inverse.apply(options.context, rendering.writer());
                default -> throw new HelperMistake("each wants a list or a map, not " + Values.kind(value), null);
            }
        }
    };

    /** Keys by their bytes; numbers by size. */
    private static final Comparator<Map.Entry<Value, Value>> ENTRY_ORDER =
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
    String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Renders to the rendering's writer; {@code value} has its pointers followed. */
    abstract void render(Value value, Options options, Rendering rendering) throws IOException;

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

    private static void eachElement(List<Value> elements, Options options, Rendering rendering) throws IOException {
        if (elements.isEmpty()) {
            options.inverse.apply(options.context, rendering.writer());
        }
        for (int i = 0; i < elements.size(); i++) {
            iterate(options, rendering, Int.of(i), Int.of(i), elements.get(i), i, elements.size());
        }
    }

    private static void eachEntry(MapValue map, Options options, Rendering rendering) throws IOException {
        if (map.length() == 0) {
            options.inverse.apply(options.context, rendering.writer());
            return;
        }
        rendering.environment().charge(map.length(), 8L * map.length());
        List<Map.Entry<Value, Value>> entries = new ArrayList<>(map.elements().entrySet());
        entries.sort(ENTRY_ORDER);
        for (int i = 0; i < entries.size(); i++) {
            Map.Entry<Value, Value> entry = entries.get(i);
            iterate(options, rendering, entry.getKey(), Int.of(i), entry.getValue(), i, entries.size());
        }
    }

    private static int compareKeys(Value a, Value b) {
        if (a instanceof Int left && b instanceof Int right) {
            return Long.compare(left.value(), right.value());
        }
        return GoPrint.display(a).compareTo(GoPrint.display(b));
    }

    private static void iterate(
            Options options, Rendering rendering, Value key, Value index, Value element, int i, int size)
            throws IOException {
        rendering.environment().charge(1, 0);
        Context context = Context.newBuilder(options.context, scope(element, options, List.of(element, key)))
                .combine("@key", key)
                .combine("@index", index)
                .combine("@first", Bool.of(i == 0))
                .combine("@last", Bool.of(i == size - 1))
                .build();
        options.fn.apply(context, rendering.writer());
    }

    /** The scope of a block, with as many values under the names after {@code as} as there are. */
    private static Scope scope(Value value, Options options, List<Value> named) {
        if (options.blockParams.isEmpty()) {
            return new Scope(value);
        }
        Map<String, Value> names = new HashMap<>();
        for (int i = 0; i < Math.min(options.blockParams.size(), named.size()); i++) {
            names.put(options.blockParams.get(i), named.get(i));
        }
        return new Scope(value, names::get);
    }
}
