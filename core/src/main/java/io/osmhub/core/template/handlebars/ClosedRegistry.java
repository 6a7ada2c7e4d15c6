package io.osmhub.core.template.handlebars;

import com.github.jknack.handlebars.Decorator;
import com.github.jknack.handlebars.Helper;
import com.github.jknack.handlebars.helper.DefaultHelperRegistry;
import io.osmhub.core.golang.Str;
import io.osmhub.core.golang.Value;
import org.jspecify.annotations.Nullable;

/**
 * The helpers that templates may call, whatever else is registered: the library registers helpers of its own that read files,
 * run JavaScript or write to the log.
 */
final class ClosedRegistry extends DefaultHelperRegistry {
    private final HelperTable table;
    private final RawBlocks rawBlocks;

    ClosedRegistry(HelperTable table, RawBlocks rawBlocks) {
        this.table = table;
        this.rawBlocks = rawBlocks;
    }

    @Override
    @SuppressWarnings("unchecked") // The library asks for helpers of any type; ours take what comes.
    public <C> @Nullable Helper<C> helper(String name) {
        return (Helper<C>) find(name);
    }

    /** Inline partials would be called without being counted. */
    @Override
    public @Nullable Decorator decorator(String name) {
        return null;
    }

    private @Nullable Helper<Object> find(String name) {
        if (name.equals(HELPER_MISSING)) {
            return (context, options) -> {
                throw new HelperMistake("unknown name \"" + options.helperName + "\"", null);
            };
        }
        if (name.equals(RawBlocks.HELPER)) {
            return (context, options) -> rawText(context);
        }
        io.osmhub.core.template.handlebars.Helper helper = table.helper(name);
        if (helper != null) {
            return (context, options) -> HelperCall.value(helper, context, options);
        }
        BlockHelper block = table.block(name);
        if (block != null) {
            return (context, options) -> {
                HelperCall.block(block, context, options);
                return null;
            };
        }
        return null;
    }

    private Value rawText(@Nullable Object number) {
        String text = number instanceof Integer index ? rawBlocks.text(index) : null;
        if (text == null) {
            throw new HelperMistake("unknown helper \"" + RawBlocks.HELPER + "\"", null);
        }
        Rendering.current().environment().charge(1, text.length());
        return Str.of(text);
    }
}
