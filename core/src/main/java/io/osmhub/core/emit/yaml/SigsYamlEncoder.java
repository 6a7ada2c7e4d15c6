package io.osmhub.core.emit.yaml;

import io.osmhub.core.emit.NestingTracker;
import io.osmhub.core.emit.json.GoJson;
import io.osmhub.core.golang.GoCallException;
import io.osmhub.core.golang.GoMap;
import io.osmhub.core.golang.GoNil;
import io.osmhub.core.golang.GoSlice;
import io.osmhub.core.golang.GoString;
import io.osmhub.core.golang.GoType;
import io.osmhub.core.golang.GoValue;
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
     * @throws GoCallException with the Go library's words for what YAML refuses
     */
    public static String fromJson(String json) throws GoCallException {
        YamlNode root = YamlNodeParser.parse(json, new NestingTracker(null));
        GoValue value = root == null ? GoNil.ANY : value(root);
        return write(value);
    }

    private static String write(GoValue value) throws GoCallException {
        return YamlEncoder.write(YamlLayout.V2, new YamlTreeBuilder(NaturalKeyOrder.V2, null).buildTree(value));
    }

    /** As version 2 of the library reads: keys of any type, the last of equal ones wins, no merge by a quoted key. */
    private static GoValue value(YamlNode node) throws GoCallException {
        return switch (node) {
            case YamlNode.Scalar scalar ->
                scalar.style() == YamlNode.Style.PLAIN
                        ? ImplicitTagResolver.resolve("", scalar.text())
                        : GoString.ofBytes(scalar.text());
            case YamlNode.Sequence sequence -> {
                List<GoValue> items = new ArrayList<>(sequence.items().size());
                for (YamlNode item : sequence.items()) {
                    items.add(value(item));
                }
                yield GoSlice.of(items);
            }
            case YamlNode.Mapping mapping -> {
                Map<GoValue, GoValue> entries = new HashMap<>();
                for (YamlNode.Entry entry : mapping.entries()) {
                    entries.put(value(entry.key()), value(entry.value()));
                }
                yield new GoMap(ANY_MAP, entries);
            }
            case YamlNode.Alias alias ->
                throw new GoCallException("yaml: unknown anchor '" + alias.name() + "' referenced");
        };
    }
}
