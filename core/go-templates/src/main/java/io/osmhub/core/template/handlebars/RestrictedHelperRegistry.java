package io.osmhub.core.template.handlebars;

import com.github.jknack.handlebars.Context;
import com.github.jknack.handlebars.Decorator;
import com.github.jknack.handlebars.Helper;
import com.github.jknack.handlebars.Options;
import com.github.jknack.handlebars.TagType;
import com.github.jknack.handlebars.helper.DefaultHelperRegistry;
import io.osmhub.core.golang.GoCallException;
import io.osmhub.core.golang.GoValue;
import io.osmhub.core.golang.GoValue.GoString;
import io.osmhub.core.template.TemplateException;
import io.osmhub.core.template.TemplateException.Stage;
import io.osmhub.core.template.handlebars.HandlebarsErrors.HelperException;
import io.osmhub.core.template.handlebars.HandlebarsExecution.BudgetedWriter;
import io.osmhub.core.template.handlebars.HandlebarsHelpers.HelperDefinition;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The only helpers that templates may call: the library also registers helpers that read files, run JavaScript or write to the log.
 */
final class RestrictedHelperRegistry extends DefaultHelperRegistry {
    private final RawBlocks rawBlocks;

    RestrictedHelperRegistry(RawBlocks rawBlocks) {
        this.rawBlocks = rawBlocks;
    }

    @Override
    @SuppressWarnings("unchecked") // The library requests helpers of any type; these accept all.
    public <C> @Nullable Helper<C> helper(String name) {
        return (Helper<C>) find(name);
    }

    /** Calls of inline partials would not be counted. */
    @Override
    public @Nullable Decorator decorator(String name) {
        return null;
    }

    private @Nullable Helper<Object> find(String name) {
        if (name.equals(HELPER_MISSING)) {
            return (context, options) -> {
                throw new HelperException("unknown name \"" + options.helperName + "\"", null);
            };
        }
        if (name.equals(RawBlocks.HELPER)) {
            return (context, options) -> rawText(context);
        }
        HelperDefinition helper = HandlebarsHelpers.find(name);
        if (helper != null) {
            return (context, options) -> HelperInvoker.value(helper, context, options);
        }
        BlockHelper block = BlockHelper.find(name);
        if (block != null) {
            return (context, options) -> {
                HelperInvoker.block(block, context, options);
                return null;
            };
        }
        return null;
    }

    private GoValue rawText(@Nullable Object number) {
        String text = number instanceof Integer index ? rawBlocks.text(index) : null;
        if (text == null) {
            throw new HelperException("unknown helper \"" + RawBlocks.HELPER + "\"", null);
        }
        HandlebarsExecution.current().environment().charge(1, text.length());
        return GoString.of(text);
    }

    /** Calls helpers for the library: converts parameters, checks their number, and adds the helper's name to errors. */
    private static final class HelperInvoker {
        /** In the library's signature; the result is a value, or null after a block that wrote its text itself. */
        static @Nullable Object value(HelperDefinition helper, @Nullable Object first, Options options)
                throws IOException {
            HandlebarsExecution rendering = HandlebarsExecution.current();
            rendering.environment().charge(1, 0);
            List<GoValue> arguments = arguments(helper.name(), first, options);
            if (options.tagType == TagType.SECTION) {
                arguments.add(GoString.of(capture(options, rendering)));
            }
            if (arguments.size() < helper.fewest() || arguments.size() > helper.most()) {
                throw new HelperException(
                        helper.name() + " called with " + arguments.size() + " arguments",
                        "write " + HandlebarsHelpers.signature(helper.name()));
            }
            try {
                GoValue result = helper.code()
                        .call(new HelperArguments(arguments, named(helper.name(), options), rendering.environment()));
                if (options.tagType != TagType.SECTION) {
                    return result;
                }
                // The library would print a block's result as a Java object.
                rendering.writer().write(GoString.text(HandlebarsValues.text(result, rendering.environment())));
                return null;
            } catch (GoCallException failure) {
                throw new HelperException(helper.name() + ": " + failure.text(), null);
            }
        }

        static void block(BlockHelper block, @Nullable Object first, Options options) throws IOException {
            HandlebarsExecution rendering = HandlebarsExecution.current();
            rendering.environment().charge(1, 0);
            List<GoValue> arguments = arguments(block.helperName(), first, options);
            if (options.tagType != TagType.SECTION || arguments.size() != 1) {
                throw new HelperException(
                        block.helperName() + " is a block with one argument",
                        "use " + HandlebarsHelpers.signature(block.helperName()));
            }
            block.render(arguments.getFirst(), options, rendering);
        }

        /** The text of the block. */
        private static String capture(Options options, HandlebarsExecution rendering) throws IOException {
            BudgetedWriter captured = BudgetedWriter.forValue(rendering.environment());
            BudgetedWriter outside = rendering.redirect(captured);
            options.fn.apply(options.context, captured);
            rendering.redirect(outside);
            return captured.text();
        }

        private static List<GoValue> arguments(String name, @Nullable Object first, Options options) {
            List<GoValue> arguments = new ArrayList<>(options.params.length + 2);
            Integer given = options.data(Context.PARAM_SIZE);
            if (given != null && given > 0) {
                arguments.add(argument(name, 1, first));
            }
            for (Object parameter : options.params) {
                arguments.add(argument(name, arguments.size() + 1, parameter));
            }
            return arguments;
        }

        private static Map<String, GoValue> named(String name, Options options) {
            if (options.hash.isEmpty()) {
                return Map.of();
            }
            Map<String, GoValue> named = new LinkedHashMap<>();
            options.hash.forEach((key, value) -> {
                GoValue argument = HandlebarsValues.from(value);
                if (argument == null) {
                    throw new HelperException(name + ": argument " + key + " is an unknown name", null);
                }
                named.put(key, HandlebarsValues.dereference(argument));
            });
            return named;
        }

        private static GoValue argument(String name, int position, @Nullable Object parameter) {
            GoValue argument = HandlebarsValues.from(parameter);
            if (argument == null) {
                throw new HelperException(name + ": argument " + position + " is an unknown name", null);
            }
            return HandlebarsValues.dereference(argument);
        }
    }

    /**
     * Raw blocks: the content between <code>{{{{raw}}}}</code> and <code>{{{{/raw}}}}</code> is text, even with braces. The library
     * parses tags in its own raw blocks, so they are extracted first: each becomes a call of a helper that returns the text, followed
     * by a comment of the same length, so that the rest keeps its line and column.
     */
    static final class RawBlocks {
        /** The helper that returns a raw block's text by its number. Internal. */
        static final String HELPER = "raw-text";

        private static final String OPEN = "{{{{raw}}}}";
        private static final String CLOSE = "{{{{/raw}}}}";

        private final List<String> texts = new ArrayList<>();

        /** The text by its number; null if unknown. */
        @Nullable String text(int number) {
            return number >= 0 && number < texts.size() ? texts.get(number) : null;
        }

        /** The source without its raw blocks. */
        String extractBlocks(String name, String source) throws TemplateException {
            int open = source.indexOf(OPEN);
            if (open < 0) {
                return source;
            }
            StringBuilder rest = new StringBuilder(source.length());
            int at = 0;
            for (; open >= 0; open = source.indexOf(OPEN, at)) {
                int close = source.indexOf(CLOSE, open);
                if (close < 0) {
                    throw unclosed(name, source, open);
                }
                int end = close + CLOSE.length();
                String call = "{{" + HELPER + " " + texts.size() + "}}";
                texts.add(content(source, open + OPEN.length(), close, end));
                rest.append(source, at, open).append(call).append("{{!");
                source.substring(open + OPEN.length(), close).chars().forEach(c -> rest.append(c == '\n' ? '\n' : '_'));
                // As long as the block: on one line its tags count together, on several only the last.
                boolean oneLine = source.indexOf('\n', open) < 0 || source.indexOf('\n', open) > close;
                int missing = CLOSE.length() - 2 + (oneLine ? OPEN.length() - call.length() - 3 : 0);
                rest.append("_".repeat(Math.max(0, missing))).append("}}");
                at = end;
            }
            return rest.append(source, at, source.length()).toString();
        }

        /**
         * Tags on lines of their own leave no line: the line break after the first one is dropped, and the one after the last ends the
         * text.
         */
        private static String content(String text, int start, int end, int after) {
            int from = text.startsWith("\n", start) ? start + 1 : start;
            int lineStart = text.lastIndexOf('\n', end - 1) + 1;
            boolean alone = lineStart > from
                    && text.substring(lineStart, end).isBlank()
                    && (after == text.length() || text.charAt(after) == '\n');
            return alone ? text.substring(from, lineStart - 1) : text.substring(from, Math.max(from, end));
        }

        private static TemplateException unclosed(String name, String text, int open) {
            int line = 1
                    + (int) text.substring(0, open)
                            .chars()
                            .filter(c -> c == '\n')
                            .count();
            int column = open - text.lastIndexOf('\n', open - 1);
            return HandlebarsErrors.of(
                    Stage.PARSE, name, line, column, "the text ends inside a raw block", "close it with " + CLOSE);
        }
    }
}
