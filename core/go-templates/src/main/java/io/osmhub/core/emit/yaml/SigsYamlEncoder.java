package io.osmhub.core.emit.yaml;

import io.osmhub.core.emit.NestingTracker;
import io.osmhub.core.emit.TextSyntaxException;
import io.osmhub.core.emit.Utf8Bytes;
import io.osmhub.core.emit.json.GoJson;
import io.osmhub.core.emit.yaml.YamlWriter.YamlLayout;
import io.osmhub.core.golang.GoCallException;
import io.osmhub.core.golang.GoType;
import io.osmhub.core.golang.GoValue;
import io.osmhub.core.golang.GoValue.GoMap;
import io.osmhub.core.golang.GoValue.GoNil;
import io.osmhub.core.golang.GoValue.GoSlice;
import io.osmhub.core.golang.GoValue.GoString;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/**
 * Writes YAML as {@code sigs.k8s.io/yaml} does, which Kubernetes' own tools and kubeconfigs use: levels of two columns, lists not
 * indented under their keys, keys sorted, long lines folded at column 80.
 *
 * <p>It takes JSON and reads that as YAML. So numbers keep their type, and a few characters that JSON allows are refused
 * (U+007F) or change (U+0085 is a line break to YAML).
 */
public final class SigsYamlEncoder {
    private static final GoType ANY_MAP = GoType.mapOf(GoType.ANY, GoType.ANY);

    private SigsYamlEncoder() {}

    /** {@code yaml.Marshal}: what a value is as JSON, as YAML; bytes as chars. */
    public static String marshal(GoValue value) throws GoCallException {
        return survivesJson(value) ? write(value) : fromJson(GoJson.encode(value));
    }

    /** Whether the way over JSON changes nothing; it takes several times as long as the rest. */
    private static boolean survivesJson(GoValue value) {
        return switch (value) {
            case GoString text ->
                text.type() == GoType.STRING && text.bytes().chars().allMatch(c -> c >= ' ' && c < 0x7F);
            case GoMap map ->
                !map.isNil()
                        && map.elements().entrySet().stream()
                                .allMatch(entry -> survivesJson(entry.getKey()) && survivesJson(entry.getValue()));
            default -> false;
        };
    }

    /**
     * {@code yaml.JSONToYAML}. The text is bytes as chars.
     *
     * @throws GoCallException for what YAML refuses
     */
    public static String fromJson(String json) throws GoCallException {
        try {
            Node root = YamlParser.parse(Utf8Bytes.decode(json), new NestingTracker(null));
            return write(root == null ? GoNil.ANY : value(root));
        } catch (TextSyntaxException malformed) {
            throw malformed.toCallException("yaml");
        }
    }

    private static String write(GoValue value) throws GoCallException {
        return new YamlWriter(YamlLayout.V2, new NestingTracker(null)).writeDocument(value);
    }

    /** As version 2 of the library reads JSON: the last of equal keys wins. */
    private static GoValue value(Node node) throws TextSyntaxException {
        return switch (node) {
            case ScalarNode scalar ->
                scalar.isPlain() ? ImplicitTagResolver.resolve(scalar.getValue()) : GoString.of(scalar.getValue());
            case SequenceNode sequence -> {
                List<GoValue> items = new ArrayList<>(sequence.getValue().size());
                for (Node item : sequence.getValue()) {
                    items.add(value(item));
                }
                yield GoSlice.of(items);
            }
            case MappingNode mapping -> {
                Map<GoValue, GoValue> entries = new HashMap<>();
                for (NodeTuple entry : mapping.getValue()) {
                    entries.put(value(entry.getKeyNode()), value(entry.getValueNode()));
                }
                yield new GoMap(ANY_MAP, entries);
            }
            default -> throw new IllegalArgumentException("not a node of a document: " + node.getNodeType());
        };
    }
}
