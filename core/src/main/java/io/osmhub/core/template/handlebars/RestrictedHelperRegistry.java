package io.osmhub.core.template.handlebars;

import com.github.jknack.handlebars.Decorator;
import com.github.jknack.handlebars.Helper;
import com.github.jknack.handlebars.helper.DefaultHelperRegistry;
import io.osmhub.core.golang.GoString;
import io.osmhub.core.golang.GoValue;
import org.jspecify.annotations.Nullable;

/**
 * The only helpers that templates may call: the library also registers helpers that read files, run JavaScript or write to the log.
 */
final class RestrictedHelperRegistry extends DefaultHelperRegistry {
    private final HelperTable table;
    private final RawBlocks rawBlocks;

    RestrictedHelperRegistry(HelperTable table, RawBlocks rawBlocks) {
        this.table = table;
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
        io.osmhub.core.template.handlebars.HelperDefinition helper = table.helper(name);
        if (helper != null) {
            return (context, options) -> HelperInvoker.value(helper, context, options);
        }
        BlockHelper block = table.block(name);
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
}
