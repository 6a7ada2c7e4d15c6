package io.osmhub.core.template.sprig;

import static io.osmhub.core.template.sprig.Arguments.bytes;

import io.osmhub.core.emit.Decoded;
import io.osmhub.core.emit.json.GoJson;
import io.osmhub.core.emit.toml.TomlDecoder;
import io.osmhub.core.emit.toml.TomlEncoder;
import io.osmhub.core.emit.yaml.YamlDecoder;
import io.osmhub.core.emit.yaml.YamlEncoder;
import io.osmhub.core.golang.Absent;
import io.osmhub.core.golang.CallFailure;
import io.osmhub.core.golang.Environment;
import io.osmhub.core.golang.MapValue;
import io.osmhub.core.golang.Nil;
import io.osmhub.core.golang.Slice;
import io.osmhub.core.golang.Str;
import io.osmhub.core.golang.Type;
import io.osmhub.core.golang.Value;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The functions that OSM gives profiles besides sprig's, and in place of those of the same name. They answer errors with a
 * result that says so, and end the template only where the Go libraries panic.
 */
public final class OsmFunctions {
    private static final String TO_TEXT = "func(interface {}) string";
    private static final String TO_MAP = "func(string) map[string]interface {}";
    private static final String TO_LIST = "func(string) []interface {}";
    private static final Str ERROR = Str.of("Error");
    private static final int TOML_INDENT = 2;

    @FunctionalInterface
    private interface Reader {
        Decoded read(String bytes, Environment environment);
    }

    private OsmFunctions() {}

    public static void addTo(Registry registry) {
        registry.add("toYaml", TO_TEXT, (environment, arguments) -> {
            String text = YamlEncoder.marshal(arguments.getFirst(), environment);
            return Str.ofBytes(text.endsWith("\n") ? text.substring(0, text.length() - 1) : text);
        });
        registry.add(
                "toToml", TO_TEXT, (environment, arguments) -> Str.ofBytes(toToml(environment, arguments.getFirst())));
        registry.add(
                "toJson", TO_TEXT, (environment, arguments) -> Str.ofBytes(toJson(environment, arguments.getFirst())));
        map(registry, "fromYaml", YamlDecoder::decodeMap);
        map(registry, "fromJson", GoJson::decodeMap);
        map(registry, "fromToml", TomlDecoder::decodeMap);
        list(registry, "fromYamlArray", YamlDecoder::decodeList);
        list(registry, "fromJsonArray", GoJson::decodeList);
    }

    private static String toToml(Environment environment, Value value) throws CallFailure {
        try {
            return TomlEncoder.encode(value, TOML_INDENT, environment);
        } catch (CallFailure failure) {
            if (value instanceof Nil || value instanceof Absent) {
                throw failure;
            }
            return failure.text();
        }
    }

    private static String toJson(Environment environment, Value value) {
        try {
            return GoJson.encode(value, environment);
        } catch (CallFailure unwritable) {
            return "";
        }
    }

    /** What could be read stays in the map beside the error. */
    private static void map(Registry registry, String name, Reader reader) {
        registry.add(name, TO_MAP, (environment, arguments) -> {
            Decoded decoded = reader.read(bytes(arguments, 0), environment);
            if (decoded.error() == null) {
                return decoded.value();
            }
            Map<Value, Value> entries = new HashMap<>(((MapValue) decoded.value()).elements());
            entries.put(ERROR, Str.ofBytes(decoded.error()));
            return new MapValue(Type.DICT, entries);
        });
    }

    private static void list(Registry registry, String name, Reader reader) {
        registry.add(name, TO_LIST, (environment, arguments) -> {
            Decoded decoded = reader.read(bytes(arguments, 0), environment);
            return decoded.error() == null ? decoded.value() : Slice.of(List.of(Str.ofBytes(decoded.error())));
        });
    }
}
