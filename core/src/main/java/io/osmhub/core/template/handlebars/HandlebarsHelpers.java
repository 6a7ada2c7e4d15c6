package io.osmhub.core.template.handlebars;

import io.osmhub.core.golang.GoCallException;
import io.osmhub.core.golang.GoValue;
import io.osmhub.core.template.FunctionCatalog;
import io.osmhub.core.template.FunctionCatalog.FunctionReference.Language;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The helpers by name: those that compute values, and the names of those that control blocks. {@link FunctionCatalog} documents them. */
public final class HandlebarsHelpers {
    /** No maximum number of arguments. */
    static final int ANY = Integer.MAX_VALUE;

    private static final HandlebarsHelpers ALL = new HandlebarsHelpers();

    /**
     * A helper that computes a value from its arguments. As a block, it gets the block's text as its last argument.
     *
     * @param fewest minimum number of arguments
     * @param most maximum number of arguments, {@link #ANY} for any
     */
    record HelperDefinition(String name, int fewest, int most, Code code) {
        @FunctionalInterface
        interface Code {
            GoValue call(HelperArguments arguments) throws GoCallException;
        }
    }

    private final Map<String, HelperDefinition> definitions = new HashMap<>();
    private final Set<String> names = new TreeSet<>();

    private HandlebarsHelpers() {
        LogicHelpers.addTo(this);
        TextHelpers.addTo(this);
        EncodingHelpers.addTo(this);
        ListHelpers.addTo(this);
        names.addAll(definitions.keySet());
        for (BlockHelper block : BlockHelper.values()) {
            names.add(block.helperName());
        }
    }

    /** Adds a helper with a fixed number of arguments. */
    void add(String name, int count, HelperDefinition.Code code) {
        add(name, count, count, code);
    }

    void add(String name, int fewest, int most, HelperDefinition.Code code) {
        if (definitions.put(name, new HelperDefinition(name, fewest, most, code)) != null) {
            throw new IllegalArgumentException("two helpers named " + name);
        }
    }

    static @Nullable HelperDefinition find(String name) {
        return ALL.definitions.get(name);
    }

    /** All names, sorted. */
    public static Set<String> names() {
        return Collections.unmodifiableSet(ALL.names);
    }

    /** How a helper is called, for messages. */
    static String signature(String name) {
        return FunctionCatalog.find(Language.HANDLEBARS, name).orElseThrow().signature();
    }
}
