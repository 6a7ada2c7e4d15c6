package io.osmhub.core.template.handlebars;

import com.github.jknack.handlebars.Context;
import com.github.jknack.handlebars.Options;
import com.github.jknack.handlebars.TagType;
import io.osmhub.core.golang.CallFailure;
import io.osmhub.core.golang.Str;
import io.osmhub.core.golang.Value;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Calls helpers for the library: turns its parameters into values, checks how many there are, and names who fails. */
final class HelperCall {
    private HelperCall() {}

    /** As the library wants it; its result is a value, or null after a block that wrote its text itself. */
    static @Nullable Object value(Helper helper, @Nullable Object first, Options options) throws IOException {
        Rendering rendering = Rendering.current();
        rendering.environment().charge(1, 0);
        List<Value> arguments = arguments(helper.name(), first, options);
        if (options.tagType == TagType.SECTION) {
            arguments.add(Str.of(capture(options, rendering)));
        }
        if (arguments.size() < helper.fewest() || arguments.size() > helper.most()) {
            throw new HelperMistake(
                    helper.name() + " called with " + arguments.size() + " arguments",
                    "write " + (helper.name() + " " + helper.signature()).strip());
        }
        try {
            Value result = helper.code()
                    .call(new Arguments(arguments, named(helper.name(), options), rendering.environment()));
            if (options.tagType != TagType.SECTION) {
                return result;
            }
            // The library would print a block's result as a Java object.
            rendering.writer().write(Str.text(Values.text(result, rendering.environment())));
            return null;
        } catch (CallFailure failure) {
            throw new HelperMistake(helper.name() + ": " + failure.text(), null);
        }
    }

    static void block(BlockHelper block, @Nullable Object first, Options options) throws IOException {
        Rendering rendering = Rendering.current();
        rendering.environment().charge(1, 0);
        List<Value> arguments = arguments(block.word(), first, options);
        if (options.tagType != TagType.SECTION || arguments.size() != 1) {
            throw new HelperMistake(block.word() + " is a block with one argument", "write " + block.signature());
        }
        block.render(arguments.getFirst(), options, rendering);
    }

    /** The text of the block. */
    private static String capture(Options options, Rendering rendering) throws IOException {
        BoundedWriter captured = BoundedWriter.forValue(rendering.environment());
        BoundedWriter outside = rendering.redirect(captured);
        options.fn.apply(options.context, captured);
        rendering.redirect(outside);
        return captured.text();
    }

    private static List<Value> arguments(String name, @Nullable Object first, Options options) {
        List<Value> arguments = new ArrayList<>(options.params.length + 2);
        Integer given = options.data(Context.PARAM_SIZE);
        if (given != null && given > 0) {
            arguments.add(argument(name, 1, first));
        }
        for (Object parameter : options.params) {
            arguments.add(argument(name, arguments.size() + 1, parameter));
        }
        return arguments;
    }

    private static Map<String, Value> named(String name, Options options) {
        if (options.hash.isEmpty()) {
            return Map.of();
        }
        Map<String, Value> named = new LinkedHashMap<>();
        options.hash.forEach((key, value) -> {
            Value argument = Values.from(value);
            if (argument == null) {
                throw new HelperMistake(name + ": argument " + key + " is an unknown name", null);
            }
            named.put(key, Values.follow(argument));
        });
        return named;
    }

    private static Value argument(String name, int position, @Nullable Object parameter) {
        Value argument = Values.from(parameter);
        if (argument == null) {
            throw new HelperMistake(name + ": argument " + position + " is an unknown name", null);
        }
        return Values.follow(argument);
    }
}
