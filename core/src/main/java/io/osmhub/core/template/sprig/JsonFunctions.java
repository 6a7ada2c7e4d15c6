package io.osmhub.core.template.sprig;

import static io.osmhub.core.template.sprig.SprigArguments.bytes;

import io.osmhub.core.emit.json.GoJson;
import io.osmhub.core.golang.ExecutionEnvironment;
import io.osmhub.core.golang.GoCallException;
import io.osmhub.core.golang.GoValue;
import io.osmhub.core.golang.GoValue.GoNil;
import io.osmhub.core.golang.GoValue.GoString;
import java.util.List;

/** sprig's JSON functions; OSM replaces {@code toJson} and {@code fromJson}. */
final class JsonFunctions {
    @FunctionalInterface
    private interface Encoder {
        String encode(GoValue value, ExecutionEnvironment environment) throws GoCallException;
    }

    private JsonFunctions() {}

    static void addTo(FunctionRegistry registry) {
        forgiving(registry, "toJson", GoJson::encode);
        forgiving(registry, "toPrettyJson", GoJson::encodeIndented);
        for (String name : List.of("toRawJson", "mustToRawJson")) {
            strict(registry, name, GoJson::encodeRaw);
        }
        strict(registry, "mustToJson", GoJson::encode);
        strict(registry, "mustToPrettyJson", GoJson::encodeIndented);
        registry.add(
                "mustFromJson",
                "func(string) (interface {}, error)",
                (environment, arguments) -> GoJson.decode(bytes(arguments, 0), environment));
        registry.add("fromJson", "func(string) interface {}", (environment, arguments) -> {
            try {
                return GoJson.decode(bytes(arguments, 0), environment);
            } catch (GoCallException unreadable) {
                return GoNil.ANY;
            }
        });
    }

    /** The lenient variant returns an empty text for values that cannot be encoded. */
    private static void forgiving(FunctionRegistry registry, String name, Encoder encoder) {
        registry.add(name, "func(interface {}) string", (environment, arguments) -> {
            try {
                return GoString.ofBytes(encoder.encode(arguments.getFirst(), environment));
            } catch (GoCallException unwritable) {
                return GoString.EMPTY;
            }
        });
    }

    private static void strict(FunctionRegistry registry, String name, Encoder encoder) {
        registry.add(
                name,
                "func(interface {}) (string, error)",
                (environment, arguments) -> GoString.ofBytes(encoder.encode(arguments.getFirst(), environment)));
    }
}
