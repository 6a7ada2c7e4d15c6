package io.osmhub.core.emit.yaml;

import io.osmhub.core.emit.NestingTracker;
import io.osmhub.core.emit.yaml.YamlWriter.YamlLayout;
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
     * @throws GoCallException for functions, where the Go library panics
     */
    public static String marshal(GoValue value, @Nullable ExecutionEnvironment environment) throws GoCallException {
        return new YamlWriter(YamlLayout.V3, new NestingTracker(environment)).writeDocument(value);
    }
}
