package io.osmhub.core.emit.yaml;

import io.osmhub.core.emit.DecodeResult;
import io.osmhub.core.emit.NestingTracker;
import io.osmhub.core.golang.ExecutionEnvironment;
import io.osmhub.core.golang.GoCallException;
import io.osmhub.core.golang.GoType;
import io.osmhub.core.golang.GoValue;
import io.osmhub.core.golang.GoValue.GoMap;
import io.osmhub.core.golang.GoValue.GoNil;
import io.osmhub.core.golang.GoValue.GoSlice;
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
     * @throws GoCallException with the Go library's words for what it refuses
     */
    public static GoValue decode(String bytes) throws GoCallException {
        return decode(bytes, null);
    }

    /** The same, charged to {@code environment}. */
    public static GoValue decode(String bytes, @Nullable ExecutionEnvironment environment) throws GoCallException {
        NestingTracker nesting = new NestingTracker(environment);
        YamlNode root = YamlNodeParser.parse(bytes, nesting);
        if (root == null) {
            return GoNil.ANY;
        }
        YamlNodeDecoder values = new YamlNodeDecoder(nesting);
        GoValue value = values.decodeAny(root);
        String error = values.error();
        if (error != null) {
            throw new GoCallException(error);
        }
        return value;
    }

    /** The document as a {@code map[string]interface {}}; beside an error, with the entries that could be read. */
    public static DecodeResult decodeMap(String bytes, @Nullable ExecutionEnvironment environment) {
        Map<GoValue, GoValue> entries = new HashMap<>();
        return decodeInto(
                GoMap.of(entries),
                new GoMap(GoType.DICT, null),
                (values, root) -> values.decodeMap(root, entries),
                bytes,
                environment);
    }

    /** The document as a {@code []interface {}}; beside an error, with the items that could be read. */
    public static DecodeResult decodeList(String bytes, @Nullable ExecutionEnvironment environment) {
        List<GoValue> items = new ArrayList<>();
        return decodeInto(
                GoSlice.of(items),
                new GoSlice(GoType.LIST, null),
                (values, root) -> values.decodeList(root, items),
                bytes,
                environment);
    }

    /** Puts a document's parts where they belong; says whether the document is something else than nil. */
    @FunctionalInterface
    private interface Filler {
        boolean fill(YamlNodeDecoder values, YamlNode root) throws GoCallException;
    }

    private static DecodeResult decodeInto(
            GoValue target, GoValue nil, Filler filler, String bytes, @Nullable ExecutionEnvironment environment) {
        try {
            NestingTracker nesting = new NestingTracker(environment);
            YamlNode root = YamlNodeParser.parse(bytes, nesting);
            if (root == null) {
                return new DecodeResult(target, null);
            }
            YamlNodeDecoder values = new YamlNodeDecoder(nesting);
            boolean some = filler.fill(values, root);
            return new DecodeResult(some ? target : nil, values.error());
        } catch (GoCallException e) {
            return new DecodeResult(target, e.text());
        }
    }

    /**
     * The document's tree; null for a text without one.
     *
     * @throws GoCallException with the Go library's words when the text is not YAML
     */
    public static @Nullable YamlNode parse(String bytes) throws GoCallException {
        return YamlNodeParser.parse(bytes, new NestingTracker(null));
    }
}
