package io.osmhub.core.template.functions;

import static io.osmhub.core.template.functions.SprigArguments.bytes;

import io.osmhub.core.emit.DecodeResult;
import io.osmhub.core.emit.json.GoJson;
import io.osmhub.core.emit.toml.TomlDecoder;
import io.osmhub.core.emit.toml.TomlEncoder;
import io.osmhub.core.emit.yaml.YamlDecoder;
import io.osmhub.core.emit.yaml.YamlEncoder;
import io.osmhub.core.golang.ExecutionEnvironment;
import io.osmhub.core.golang.GoCallException;
import io.osmhub.core.golang.GoType;
import io.osmhub.core.golang.GoValue;
import io.osmhub.core.golang.GoValue.GoMap;
import io.osmhub.core.golang.GoValue.GoNil;
import io.osmhub.core.golang.GoValue.GoNoValue;
import io.osmhub.core.golang.GoValue.GoSlice;
import io.osmhub.core.golang.GoValue.GoString;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The functions that OSM adds to sprig's or replaces. They return errors as their result, and end the template only where the Go
 * libraries panic.
 */
public final class OsmFunctions {
    private static final String TO_TEXT = "func(interface {}) string";
    private static final String TO_MAP = "func(string) map[string]interface {}";
    private static final String TO_LIST = "func(string) []interface {}";
    private static final GoString ERROR = GoString.of("Error");
    private static final int TOML_INDENT = 2;

    @FunctionalInterface
    private interface Reader {
        DecodeResult read(String bytes, ExecutionEnvironment environment);
    }

    private OsmFunctions() {}

    public static void addTo(FunctionRegistry.Builder registry) {
        registry.addCode("toYaml", TO_TEXT, (environment, arguments) -> {
            String text = YamlEncoder.marshal(arguments.getFirst(), environment);
            return GoString.ofBytes(text.endsWith("\n") ? text.substring(0, text.length() - 1) : text);
        });
        registry.addCode(
                "toToml",
                TO_TEXT,
                (environment, arguments) -> GoString.ofBytes(toToml(environment, arguments.getFirst())));
        registry.addCode(
                "toJson",
                TO_TEXT,
                (environment, arguments) -> GoString.ofBytes(toJson(environment, arguments.getFirst())));
        map(registry, "fromYaml", YamlDecoder::decodeMap);
        map(registry, "fromJson", GoJson::decodeMap);
        map(registry, "fromToml", TomlDecoder::decodeMap);
        list(registry, "fromYamlArray", YamlDecoder::decodeList);
        list(registry, "fromJsonArray", GoJson::decodeList);
    }

    private static String toToml(ExecutionEnvironment environment, GoValue value) throws GoCallException {
        try {
            return TomlEncoder.encode(value, TOML_INDENT, environment);
        } catch (GoCallException failure) {
            if (value instanceof GoNil || value instanceof GoNoValue) {
                throw failure;
            }
            return failure.text();
        }
    }

    private static String toJson(ExecutionEnvironment environment, GoValue value) {
        try {
            return GoJson.encode(value, environment);
        } catch (GoCallException unwritable) {
            return "";
        }
    }

    /** The values decoded before an error stay in the map. */
    private static void map(FunctionRegistry.Builder registry, String name, Reader reader) {
        registry.addCode(name, TO_MAP, (environment, arguments) -> {
            DecodeResult decoded = reader.read(bytes(arguments, 0), environment);
            if (decoded.error() == null) {
                return decoded.value();
            }
            Map<GoValue, GoValue> entries = new HashMap<>(((GoMap) decoded.value()).elements());
            entries.put(ERROR, GoString.ofBytes(decoded.error()));
            return new GoMap(GoType.DICT, entries);
        });
    }

    private static void list(FunctionRegistry.Builder registry, String name, Reader reader) {
        registry.addCode(name, TO_LIST, (environment, arguments) -> {
            DecodeResult decoded = reader.read(bytes(arguments, 0), environment);
            return decoded.error() == null ? decoded.value() : GoSlice.of(List.of(GoString.ofBytes(decoded.error())));
        });
    }
}
