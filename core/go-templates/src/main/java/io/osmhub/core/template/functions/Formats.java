package io.osmhub.core.template.functions;

import static io.osmhub.core.golang.GoType.ANY;
import static io.osmhub.core.golang.GoType.DICT;
import static io.osmhub.core.golang.GoType.LIST;
import static io.osmhub.core.golang.GoType.STRING;
import static io.osmhub.core.golang.GoType.function;

import io.osmhub.core.emit.json.GoJson;
import io.osmhub.core.emit.toml.TomlDecoder;
import io.osmhub.core.emit.toml.TomlEncoder;
import io.osmhub.core.emit.yaml.YamlDecoder;
import io.osmhub.core.emit.yaml.YamlEncoder;
import io.osmhub.core.golang.GoType;
import io.osmhub.core.golang.GoValue.GoMap;
import io.osmhub.core.golang.GoValue.GoNil;
import io.osmhub.core.golang.GoValue.GoNoValue;
import io.osmhub.core.golang.GoValue.GoSlice;
import io.osmhub.core.golang.GoValue.GoString;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * JSON, YAML and TOML. OSM's functions, which replace sprig's of the same names, return errors as their result, and end the template
 * only where the Go libraries panic. Encoders and decoders charge while they work.
 */
final class Formats {
    private static final GoType TO_TEXT = function(STRING, ANY);
    private static final GoString ERROR = GoString.of("Error");
    private static final int TOML_INDENT = 2;

    private Formats() {}

    static void addTo(FunctionRegistry.Builder functions) {
        addLenient(functions, "toJson", call -> text(GoJson.encode(call.value(0), call.environment())));
        addLenient(functions, "toPrettyJson", call -> text(GoJson.encodeIndented(call.value(0), call.environment())));
        functions.withMust("toRawJson", TO_TEXT, call -> text(GoJson.encodeRaw(call.value(0), call.environment())));
        functions.add("toYaml", TO_TEXT, call -> {
            String yaml = YamlEncoder.marshal(call.value(0), call.environment());
            return text(yaml.endsWith("\n") ? yaml.substring(0, yaml.length() - 1) : yaml);
        });
        FunctionCall.Body toToml = call -> text(TomlEncoder.encode(call.value(0), TOML_INDENT, call.environment()));
        functions.add("toToml", TO_TEXT, call -> {
            boolean isNothing = call.value(0) instanceof GoNil || call.value(0) instanceof GoNoValue;
            return isNothing ? toToml.call(call) : call.orElse(toToml, Formats::text);
        });

        functions.add("mustFromJson", function(ANY, STRING), call -> GoJson.decode(call.text(0), call.environment()));
        addMapDecoder(functions, "fromJson", call -> GoJson.decodeMap(call.text(0), call.environment()));
        addMapDecoder(functions, "fromYaml", call -> YamlDecoder.decodeMap(call.text(0), call.environment()));
        addMapDecoder(functions, "fromToml", call -> TomlDecoder.decode(call.text(0), call.environment()));
        addListDecoder(functions, "fromJsonArray", call -> GoJson.decodeList(call.text(0), call.environment()));
        addListDecoder(functions, "fromYamlArray", call -> YamlDecoder.decodeList(call.text(0), call.environment()));
    }

    private static GoString text(String bytes) {
        return GoString.ofBytes(bytes);
    }

    /** Adds an encoder that returns an empty text for a value that cannot be encoded, and its variant that fails. */
    private static void addLenient(FunctionRegistry.Builder functions, String name, FunctionCall.Body encoder) {
        functions.add(FunctionRegistry.Builder.must(name), TO_TEXT, encoder);
        functions.add(name, TO_TEXT, call -> call.orElse(encoder, error -> GoString.EMPTY));
    }

    /** Adds a decoder that returns the text of an error under a key; what is not supported is refused. */
    private static void addMapDecoder(FunctionRegistry.Builder functions, String name, FunctionCall.Body decoder) {
        functions.add(
                name,
                function(DICT, STRING),
                call -> call.orElse(decoder, error -> {
                    return GoMap.of(new HashMap<>(Map.of(ERROR, text(error))));
                }));
    }

    /** The same for lists, with the text of an error as the only element. */
    private static void addListDecoder(FunctionRegistry.Builder functions, String name, FunctionCall.Body decoder) {
        functions.add(
                name,
                function(LIST, STRING),
                call -> call.orElse(decoder, error -> {
                    return GoSlice.of(new ArrayList<>(List.of(text(error))));
                }));
    }
}
