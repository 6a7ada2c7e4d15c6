package io.osmhub.core.emit.yaml;

import io.osmhub.core.emit.Decoded;
import io.osmhub.core.emit.Nesting;
import io.osmhub.core.golang.CallFailure;
import io.osmhub.core.golang.Environment;
import io.osmhub.core.golang.MapValue;
import io.osmhub.core.golang.Nil;
import io.osmhub.core.golang.Slice;
import io.osmhub.core.golang.Type;
import io.osmhub.core.golang.Value;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the first document of a text as Go's {@code yaml.v3} does. All text is bytes as chars. */
public final class YamlDecoder {
    private YamlDecoder() {}

    /**
     * The document as an {@code any}; nil for a text without one.
     *
     * @throws CallFailure with the Go library's words for what it refuses
     */
    public static Value decode(String bytes) throws CallFailure {
        return decode(bytes, null);
    }

    /** The same, charged to {@code environment}. */
    public static Value decode(String bytes, @Nullable Environment environment) throws CallFailure {
        Nesting nesting = new Nesting(environment);
        YamlNode root = NodeParser.parse(bytes, nesting);
        if (root == null) {
            return Nil.ANY;
        }
        NodeValues values = new NodeValues(nesting);
        Value value = values.any(root);
        String error = values.error();
        if (error != null) {
            throw new CallFailure(error);
        }
        return value;
    }

    /** The document as a {@code map[string]interface {}}; beside an error, with the entries that could be read. */
    public static Decoded decodeMap(String bytes, @Nullable Environment environment) {
        Map<Value, Value> entries = new HashMap<>();
        return decodeInto(
                MapValue.of(entries),
                new MapValue(Type.DICT, null),
                (values, root) -> values.map(root, entries),
                bytes,
                environment);
    }

    /** The document as a {@code []interface {}}; beside an error, with the items that could be read. */
    public static Decoded decodeList(String bytes, @Nullable Environment environment) {
        List<Value> items = new ArrayList<>();
        return decodeInto(
                Slice.of(items),
                new Slice(Type.LIST, null),
                (values, root) -> values.list(root, items),
                bytes,
                environment);
    }

    /** Puts a document's parts where they belong; says whether the document is something else than nil. */
    @FunctionalInterface
    private interface Filler {
        boolean fill(NodeValues values, YamlNode root) throws CallFailure;
    }

    private static Decoded decodeInto(
            Value target, Value nil, Filler filler, String bytes, @Nullable Environment environment) {
        try {
            Nesting nesting = new Nesting(environment);
            YamlNode root = NodeParser.parse(bytes, nesting);
            if (root == null) {
                return new Decoded(target, null);
            }
            NodeValues values = new NodeValues(nesting);
            boolean some = filler.fill(values, root);
            return new Decoded(some ? target : nil, values.error());
        } catch (CallFailure e) {
            return new Decoded(target, e.text());
        }
    }

    /**
     * The document's tree; null for a text without one.
     *
     * @throws CallFailure with the Go library's words when the text is not YAML
     */
    public static @Nullable YamlNode parse(String bytes) throws CallFailure {
        return NodeParser.parse(bytes, new Nesting(null));
    }
}
