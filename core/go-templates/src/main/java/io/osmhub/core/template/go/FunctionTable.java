package io.osmhub.core.template.go;

import io.osmhub.core.golang.GoType;
import io.osmhub.core.golang.GoValue.GoFunction;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The functions that templates may call, by name. Immutable. */
public final class FunctionTable {
    private final Map<String, GoFunction> functions;

    private FunctionTable(Map<String, GoFunction> functions) {
        this.functions = Map.copyOf(functions);
    }

    /** A builder with the template language's own functions. */
    public static Builder withBuiltins() {
        Builder builder = new Builder();
        BuiltinFunctions.contribute(builder);
        return builder;
    }

    public @Nullable GoFunction get(String name) {
        return functions.get(name);
    }

    public Set<String> names() {
        return functions.keySet();
    }

    /** Collects functions; a later one replaces an earlier one with the same name. */
    public static final class Builder {
        private final Map<String, GoFunction> functions = new LinkedHashMap<>();

        private Builder() {}

        /** Adds a function; {@code signature} is its Go type, to check and convert arguments. */
        public Builder add(String name, GoType signature, GoFunction.Code code) {
            return add(name, new GoFunction(signature, code));
        }

        Builder add(String name, GoFunction function) {
            functions.put(name, function);
            return this;
        }

        public FunctionTable build() {
            return new FunctionTable(functions);
        }
    }
}
