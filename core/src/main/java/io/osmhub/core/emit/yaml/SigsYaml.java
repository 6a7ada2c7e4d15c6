package io.osmhub.core.emit.yaml;

import io.osmhub.core.emit.Nesting;
import io.osmhub.core.emit.json.GoJson;
import io.osmhub.core.golang.CallFailure;
import io.osmhub.core.golang.MapValue;
import io.osmhub.core.golang.Nil;
import io.osmhub.core.golang.Slice;
import io.osmhub.core.golang.Str;
import io.osmhub.core.golang.Type;
import io.osmhub.core.golang.Value;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Writes YAML as {@code sigs.k8s.io/yaml} does, which Kubernetes' own tools and kubeconfigs use: levels of two columns, lists not
 * indented under their keys, keys sorted, long lines folded at column 80.
 *
 * <p>It takes JSON and reads that as YAML. So numbers keep their type, and a few characters that JSON allows are refused
 * (U+007F) or change (U+0085 is a line break to YAML).
 */
public final class SigsYaml {
    private static final Type ANY_MAP = Type.mapOf(Type.ANY, Type.ANY);

    private SigsYaml() {}

    /** {@code yaml.Marshal}: what a value is as JSON, as YAML; bytes as chars. */
    public static String marshal(Value value) throws CallFailure {
        return survivesJson(value) ? write(value) : fromJson(GoJson.encode(value));
    }

    /** Whether the way over JSON changes nothing; it takes several times as long as the rest. */
    private static boolean survivesJson(Value value) {
        return switch (value) {
            case Str text -> text.type() == Type.STRING && text.bytes().chars().allMatch(c -> c >= ' ' && c < 0x7F);
            case MapValue map ->
                !map.isNil()
                        && map.elements().entrySet().stream()
                                .allMatch(entry -> survivesJson(entry.getKey()) && survivesJson(entry.getValue()));
            default -> false;
        };
    }

    /**
     * {@code yaml.JSONToYAML}. The text is bytes as chars.
     *
     * @throws CallFailure with the Go library's words for what YAML refuses
     */
    public static String fromJson(String json) throws CallFailure {
        YamlNode root = NodeParser.parse(json, new Nesting(null));
        Value value = root == null ? Nil.ANY : value(root);
        return write(value);
    }

    private static String write(Value value) throws CallFailure {
        return YamlEncoder.write(Dialect.V2, new TreeBuilder(KeyOrder.V2, null).tree(value));
    }

    /** As version 2 of the library reads: keys of any type, the last of equal ones wins, no merge by a quoted key. */
    private static Value value(YamlNode node) throws CallFailure {
        return switch (node) {
            case YamlNode.Scalar scalar ->
                scalar.style() == YamlNode.Style.PLAIN
                        ? Implicit.resolve("", scalar.text())
                        : Str.ofBytes(scalar.text());
            case YamlNode.Sequence sequence -> {
                List<Value> items = new ArrayList<>(sequence.items().size());
                for (YamlNode item : sequence.items()) {
                    items.add(value(item));
                }
                yield Slice.of(items);
            }
            case YamlNode.Mapping mapping -> {
                Map<Value, Value> entries = new HashMap<>();
                for (YamlNode.Entry entry : mapping.entries()) {
                    entries.put(value(entry.key()), value(entry.value()));
                }
                yield new MapValue(ANY_MAP, entries);
            }
            case YamlNode.Alias alias ->
                throw new CallFailure("yaml: unknown anchor '" + alias.name() + "' referenced");
        };
    }
}
