package io.osmhub.core.emit.yaml;

import io.osmhub.core.emit.NestingTracker;
import io.osmhub.core.emit.TextSyntaxException;
import io.osmhub.core.emit.Utf8Bytes;
import io.osmhub.core.golang.ExecutionEnvironment;
import io.osmhub.core.golang.GoCallException;
import io.osmhub.core.golang.GoType;
import io.osmhub.core.golang.GoValue;
import io.osmhub.core.golang.GoValue.GoFloat;
import io.osmhub.core.golang.GoValue.GoInt;
import io.osmhub.core.golang.GoValue.GoMap;
import io.osmhub.core.golang.GoValue.GoNil;
import io.osmhub.core.golang.GoValue.GoSlice;
import io.osmhub.core.golang.GoValue.GoString;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/** Reads the first document of a text into the values that Go's {@code yaml.v3} has for it; timestamps are not supported. */
public final class YamlDecoder {
    private static final GoType ANY_MAP = GoType.mapOf(GoType.ANY, GoType.ANY);

    private final NestingTracker nesting;

    private YamlDecoder(NestingTracker nesting) {
        this.nesting = nesting;
    }

    /** The document as an {@code any}, bytes as chars; nil for a text without one. Charged to {@code environment}. */
    public static GoValue decode(String bytes, @Nullable ExecutionEnvironment environment) throws GoCallException {
        try {
            NestingTracker nesting = tracker(environment);
            Node root = parse(bytes, nesting);
            return root == null ? GoNil.ANY : new YamlDecoder(nesting).value(root);
        } catch (TextSyntaxException malformed) {
            throw malformed.toCallException("yaml");
        }
    }

    /** The document as a {@code map[string]interface {}}. */
    public static GoValue decodeMap(String bytes, @Nullable ExecutionEnvironment environment) throws GoCallException {
        return decodeAs(GoMap.of(new HashMap<>()), new GoMap(GoType.DICT, null), bytes, environment);
    }

    /** The document as a {@code []interface {}}. */
    public static GoValue decodeList(String bytes, @Nullable ExecutionEnvironment environment) throws GoCallException {
        return decodeAs(GoSlice.of(new ArrayList<>()), new GoSlice(GoType.LIST, null), bytes, environment);
    }

    private static GoValue decodeAs(
            GoValue empty, GoValue nil, String bytes, @Nullable ExecutionEnvironment environment)
            throws GoCallException {
        try {
            NestingTracker nesting = tracker(environment);
            Node root = parse(bytes, nesting);
            if (root == null) {
                return empty;
            }
            YamlDecoder decoder = new YamlDecoder(nesting);
            if (root instanceof MappingNode mapping && empty instanceof GoMap) {
                return GoMap.of(decoder.entries(mapping, true));
            }
            if (root instanceof SequenceNode sequence && empty instanceof GoSlice) {
                return GoSlice.of(decoder.items(sequence));
            }
            if (root.getTag().equals(Tag.NULL)) {
                return nil;
            }
            throw error(root, "cannot unmarshal " + YamlParser.shortTag(root) + " into " + empty.type());
        } catch (TextSyntaxException malformed) {
            throw malformed.toCallException("yaml");
        }
    }

    /** Without a budget, aliases could make any text endless. */
    private static NestingTracker tracker(@Nullable ExecutionEnvironment environment) {
        return environment == null ? NestingTracker.ofDocument() : new NestingTracker(environment);
    }

    private static @Nullable Node parse(String bytes, NestingTracker nesting) throws TextSyntaxException {
        nesting.chargeDecoding(bytes);
        return YamlParser.parse(Utf8Bytes.decode(bytes), nesting);
    }

    private static TextSyntaxException error(Node node, String problem) {
        return new TextSyntaxException(YamlParser.line(node), YamlParser.column(node), problem);
    }

    /** Creates a new value for every alias too, because these are copies in Go. */
    private GoValue value(Node node) throws TextSyntaxException {
        return switch (node) {
            case ScalarNode scalar -> scalar(scalar);
            case SequenceNode sequence -> GoSlice.of(items(sequence));
            case MappingNode mapping -> {
                boolean stringKeys = mapping.getValue().stream().allMatch(entry -> isStringOrMerge(entry.getKeyNode()));
                yield new GoMap(stringKeys ? GoType.DICT : ANY_MAP, entries(mapping, stringKeys));
            }
            default -> throw new IllegalArgumentException("not a node of a document: " + node.getNodeType());
        };
    }

    private static boolean isStringOrMerge(Node key) {
        return key.getTag().equals(Tag.STR) || isMerge(key);
    }

    private static boolean isMerge(Node key) {
        return key.getTag().equals(Tag.MERGE);
    }

    private GoValue scalar(ScalarNode scalar) throws TextSyntaxException {
        String text = scalar.getValue();
        nesting.charge(text.length());
        Tag tag = scalar.getTag();
        if (tag.equals(Tag.BINARY)) {
            return binary(scalar);
        }
        if (tag.equals(ImplicitTagResolver.TIMESTAMP)) {
            throw TextSyntaxException.unsupported(YamlParser.line(scalar), YamlParser.column(scalar), "a timestamp");
        }
        boolean typed = tag.equals(Tag.NULL) || tag.equals(Tag.BOOL) || tag.equals(Tag.INT) || tag.equals(Tag.FLOAT);
        if (!typed) {
            return GoString.of(text);
        }
        GoValue value = ImplicitTagResolver.resolve(text);
        if (ImplicitTagResolver.resolveTag(text).equals(tag)) {
            return value;
        }
        if (tag.equals(Tag.FLOAT)
                && value instanceof GoInt integer
                && integer.type().equals(GoType.INT)) {
            return GoFloat.of((double) integer.value());
        }
        throw error(scalar, "the value does not fit its tag " + YamlParser.shortTag(scalar));
    }

    private static GoValue binary(ScalarNode scalar) throws TextSyntaxException {
        String digits = scalar.getValue().replace("\n", "").replace("\r", "");
        try {
            // Java does without the padding, Go does not.
            if (digits.length() % 4 == 0) {
                byte[] bytes = Base64.getDecoder().decode(digits);
                return GoString.ofBytes(new String(bytes, StandardCharsets.ISO_8859_1));
            }
        } catch (IllegalArgumentException malformed) {
            throw error(scalar, "!!binary value contains invalid base64 data");
        }
        throw error(scalar, "!!binary value contains invalid base64 data");
    }

    private List<GoValue> items(SequenceNode sequence) throws TextSyntaxException {
        nesting.enter(sequence);
        List<GoValue> items = new ArrayList<>(sequence.getValue().size());
        for (Node item : sequence.getValue()) {
            items.add(value(item));
        }
        nesting.leave();
        return items;
    }

    private Map<GoValue, GoValue> entries(MappingNode mapping, boolean stringKeys) throws TextSyntaxException {
        nesting.enter(mapping);
        Map<GoValue, GoValue> entries = new HashMap<>();
        Set<String> names = new HashSet<>();
        Node merged = null;
        for (NodeTuple entry : mapping.getValue()) {
            Node keyNode = entry.getKeyNode();
            if (keyNode instanceof ScalarNode scalar && !names.add(scalar.getValue())) {
                throw error(keyNode, "a key is defined twice");
            }
            if (isMerge(keyNode)) {
                merged = entry.getValueNode();
                continue;
            }
            GoValue key = stringKeys ? stringKey(keyNode) : value(keyNode);
            if (key instanceof GoMap || key instanceof GoSlice) {
                throw error(keyNode, "a map or a list cannot be a key");
            }
            GoValue value = value(entry.getValueNode());
            // Go leaves out a nil key where keys are strings.
            if (!(stringKeys && key instanceof GoNil)) {
                entries.put(key, value);
            }
        }
        if (merged != null) {
            merge(merged, entries, stringKeys);
        }
        nesting.leave();
        return entries;
    }

    /** What was written in the map itself wins over what is merged, and the first map merged over later ones. */
    private void merge(Node merged, Map<GoValue, GoValue> target, boolean stringKeys) throws TextSyntaxException {
        List<Node> sources = merged instanceof SequenceNode sequence ? sequence.getValue() : List.of(merged);
        for (Node source : sources) {
            if (!(source instanceof MappingNode mapping)) {
                throw error(source, "map merge requires map or sequence of maps as the value");
            }
            entries(mapping, stringKeys).forEach(target::putIfAbsent);
        }
    }

    /** The key as text, as written; nil for nil. */
    private GoValue stringKey(Node key) throws TextSyntaxException {
        if (!(key instanceof ScalarNode scalar)) {
            throw error(key, "a key must be a string");
        }
        nesting.charge(scalar.getValue().length());
        if (scalar.getTag().equals(Tag.NULL)) {
            return GoNil.ANY;
        }
        return scalar.getTag().equals(Tag.BINARY) ? binary(scalar) : GoString.of(scalar.getValue());
    }
}
