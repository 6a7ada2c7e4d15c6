package io.osmhub.core.emit.yaml;

import io.osmhub.core.golang.ExecutionEnvironment;
import io.osmhub.core.golang.GoCallException;
import io.osmhub.core.golang.GoValue;
import org.jspecify.annotations.Nullable;

/** Writes values as Go's {@code yaml.v3} does: levels of four columns, keys in natural order, nothing folded. */
public final class YamlEncoder {
    private YamlEncoder() {}

    /** The document with a line break at its end; bytes as chars. */
    public static String marshal(GoValue value) throws GoCallException {
        return marshal(value, null);
    }

    /**
     * The same, charged to {@code environment}.
     *
     * @throws GoCallException for functions and complex numbers, where the Go library panics
     */
    public static String marshal(GoValue value, @Nullable ExecutionEnvironment environment) throws GoCallException {
        return write(YamlLayout.V3, new YamlTreeBuilder(NaturalKeyOrder.V3, environment).buildTree(value));
    }

    static String write(YamlLayout dialect, YamlTree tree) {
        StringBuilder out = new StringBuilder();
        new YamlBlockWriter(dialect, out).writeDocument(tree);
        return out.toString();
    }
}
