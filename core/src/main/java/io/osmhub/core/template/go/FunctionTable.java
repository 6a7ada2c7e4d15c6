package io.osmhub.core.template.go;

import io.osmhub.core.golang.Func;
import io.osmhub.core.golang.Type;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The functions that templates may call, by name. Immutable. */
public final class FunctionTable {
    private final Map<String, Func> functions;

    private FunctionTable(Map<String, Func> functions) {
        this.functions = Map.copyOf(functions);
    }

    /** A builder that knows the template language's own functions already. */
    public static Builder withBuiltins() {
        Builder builder = new Builder();
        Builtins.contribute(builder);
        return builder;
    }

    public @Nullable Func get(String name) {
        return functions.get(name);
    }

    public Set<String> names() {
        return functions.keySet();
    }

    /** Collects functions; a later one replaces an earlier one of its name. */
    public static final class Builder {
        private final Map<String, Func> functions = new LinkedHashMap<>();

        private Builder() {}

        /** Adds a function; {@code signature} is its Go type, by which arguments are checked and converted. */
        public Builder add(String name, Type signature, Func.Code code) {
            return add(name, new Func(signature, code));
        }

        Builder add(String name, Func function) {
            functions.put(name, function);
            return this;
        }

        public FunctionTable build() {
            return new FunctionTable(functions);
        }
    }
}
