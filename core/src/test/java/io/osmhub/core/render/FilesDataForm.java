package io.osmhub.core.render;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.core.corpus.CorpusValues;
import io.osmhub.core.golang.Bool;
import io.osmhub.core.golang.CallFailure;
import io.osmhub.core.golang.Int;
import io.osmhub.core.golang.MapValue;
import io.osmhub.core.golang.Pointer;
import io.osmhub.core.golang.Slice;
import io.osmhub.core.golang.Str;
import io.osmhub.core.golang.Struct;
import io.osmhub.core.golang.Type;
import io.osmhub.core.golang.Value;
import io.osmhub.core.golang.time.GoDuration;
import io.osmhub.core.golang.wellknown.WellKnown;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The corpus' form for the struct that profiles are rendered with. Its names are those of the struct's fields but for the case
 * of letters; what is not given has Go's zero value.
 */
public final class FilesDataForm implements CorpusValues.Form {
    private static final String OPERATING_SYSTEM = "operatingSystem";
    private static final Map<String, String> CONFIGS = Map.of(
            "amzn2", "AmazonLinuxConfig",
            "flatcar", "FlatcarConfig",
            "rhel", "RhelConfig",
            "ubuntu", "UbuntuConfig",
            "rockylinux", "RockyLinuxConfig");

    /** All forms of the corpus with this one. */
    public static CorpusValues values() {
        return CorpusValues.standard().with("$filesData", new FilesDataForm());
    }

    @Override
    public Value apply(JsonNode node) {
        String config = CONFIGS.getOrDefault(node.path(OPERATING_SYSTEM).asText(), "");
        return Pointer.to(whole(FilesData.type(), node, config));
    }

    private static Struct whole(Type type, JsonNode node, String config) {
        List<Value> fields = new ArrayList<>();
        for (Type.Field field : type.fields()) {
            JsonNode given = field.name().equals(config) ? node.path("operatingSystemSpec") : member(node, field);
            fields.add(field.embedded() ? whole(field.type(), node, config) : value(field.type(), given));
        }
        return Struct.of(type, fields);
    }

    private static JsonNode member(JsonNode node, Type.Field field) {
        for (Map.Entry<String, JsonNode> entry : node.properties()) {
            if (entry.getKey().equalsIgnoreCase(field.name())) {
                return entry.getValue();
            }
        }
        return node.path("");
    }

    private static Value value(Type type, JsonNode node) {
        boolean given = !node.isMissingNode() && !node.isNull();
        return switch (type.kind()) {
            case BOOL -> Bool.of(node.asBoolean(false));
            case STRING -> new Str(type, Str.bytes(node.asText("")));
            case INT32 -> new Int(type, node.asInt(0));
            case STRUCT -> struct(type, node);
            case SLICE -> new Slice(type, given ? items(requireNonNull(type.elem()), node) : null);
            case MAP -> new MapValue(type, given ? entries(requireNonNull(type.elem()), node) : null);
            case POINTER -> pointer(type, node, given);
            default -> throw new IllegalArgumentException("no form for " + type);
        };
    }

    private static Value pointer(Type type, JsonNode node, boolean given) {
        Type target = requireNonNull(type.elem());
        if (!given) {
            return new Pointer(type, null);
        }
        return new Pointer(
                type, target.equals(WellKnown.META_DURATION) ? duration(node.asText()) : value(target, node));
    }

    private static Struct duration(String text) {
        try {
            return WellKnown.metaDuration(GoDuration.parse(text));
        } catch (CallFailure e) {
            throw new IllegalArgumentException("no duration: " + text, e);
        }
    }

    private static Struct struct(Type type, JsonNode node) {
        List<Value> fields = new ArrayList<>();
        for (Type.Field field : type.fields()) {
            fields.add(value(field.type(), member(node, field)));
        }
        return Struct.of(type, fields);
    }

    private static List<Value> items(Type type, JsonNode node) {
        List<Value> items = new ArrayList<>();
        node.forEach(item -> items.add(type.equals(WellKnown.IP) ? WellKnown.ip(item.asText()) : value(type, item)));
        return items;
    }

    private static Map<Value, Value> entries(Type type, JsonNode node) {
        Map<Value, Value> entries = new HashMap<>();
        node.properties().forEach(entry -> entries.put(Str.of(entry.getKey()), value(type, entry.getValue())));
        return entries;
    }
}
