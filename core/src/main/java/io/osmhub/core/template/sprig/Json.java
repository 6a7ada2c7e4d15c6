package io.osmhub.core.template.sprig;

import static io.osmhub.core.template.sprig.Arguments.bytes;

import io.osmhub.core.emit.json.GoJson;
import io.osmhub.core.golang.CallFailure;
import io.osmhub.core.golang.Environment;
import io.osmhub.core.golang.Nil;
import io.osmhub.core.golang.Str;
import io.osmhub.core.golang.Value;
import java.util.List;

/** JSON as sprig writes and reads it; the plain names {@code toJson} and {@code fromJson} are OSM's own in profiles. */
final class Json {
    @FunctionalInterface
    private interface Encoder {
        String encode(Value value, Environment environment) throws CallFailure;
    }

    private Json() {}

    static void addTo(Registry registry) {
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
            } catch (CallFailure unreadable) {
                return Nil.ANY;
            }
        });
    }

    /** What cannot be written gives an empty text. */
    private static void forgiving(Registry registry, String name, Encoder encoder) {
        registry.add(name, "func(interface {}) string", (environment, arguments) -> {
            try {
                return Str.ofBytes(encoder.encode(arguments.getFirst(), environment));
            } catch (CallFailure unwritable) {
                return Str.EMPTY;
            }
        });
    }

    private static void strict(Registry registry, String name, Encoder encoder) {
        registry.add(
                name,
                "func(interface {}) (string, error)",
                (environment, arguments) -> Str.ofBytes(encoder.encode(arguments.getFirst(), environment)));
    }
}
