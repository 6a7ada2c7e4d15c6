package io.osmhub.core.emit.yaml;

import io.osmhub.core.golang.CallFailure;
import io.osmhub.core.golang.Environment;
import io.osmhub.core.golang.Value;
import org.jspecify.annotations.Nullable;

/** Writes values as Go's {@code yaml.v3} does: levels of four columns, keys in natural order, nothing folded. */
public final class YamlEncoder {
    private YamlEncoder() {}

    /** The document with a line break at its end; bytes as chars. */
    public static String marshal(Value value) throws CallFailure {
        return marshal(value, null);
    }

    /**
     * The same, charged to {@code environment}.
     *
     * @throws CallFailure for functions and complex numbers, where the Go library panics
     */
    public static String marshal(Value value, @Nullable Environment environment) throws CallFailure {
        return write(Dialect.V3, new TreeBuilder(KeyOrder.V3, environment).tree(value));
    }

    static String write(Dialect dialect, Tree tree) {
        StringBuilder out = new StringBuilder();
        new BlockWriter(dialect, out).document(tree);
        return out.toString();
    }
}
