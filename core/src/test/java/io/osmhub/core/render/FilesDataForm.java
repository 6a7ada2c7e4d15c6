package io.osmhub.core.render;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.core.golang.GoCallException;
import io.osmhub.core.golang.GoType;
import io.osmhub.core.golang.GoValue;
import io.osmhub.core.golang.GoValue.GoBool;
import io.osmhub.core.golang.GoValue.GoInt;
import io.osmhub.core.golang.GoValue.GoMap;
import io.osmhub.core.golang.GoValue.GoPointer;
import io.osmhub.core.golang.GoValue.GoSlice;
import io.osmhub.core.golang.GoValue.GoString;
import io.osmhub.core.golang.GoValue.GoStruct;
import io.osmhub.core.golang.wellknown.GoDuration;
import io.osmhub.core.golang.wellknown.GoIp;
import io.osmhub.core.golang.wellknown.WellKnownTypes;
import io.osmhub.core.template.corpus.CorpusValues;
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
    public GoValue apply(JsonNode node) {
        String config = CONFIGS.getOrDefault(node.path(OPERATING_SYSTEM).asText(), "");
        return GoPointer.to(whole(TemplateData.type(), node, config));
    }

    private static GoStruct whole(GoType type, JsonNode node, String config) {
        List<GoValue> fields = new ArrayList<>();
        for (GoType.Field field : type.fields()) {
            JsonNode given = field.name().equals(config) ? node.path("operatingSystemSpec") : member(node, field);
            fields.add(field.embedded() ? whole(field.type(), node, config) : value(field.type(), given));
        }
        return GoStruct.of(type, fields);
    }

    private static JsonNode member(JsonNode node, GoType.Field field) {
        for (Map.Entry<String, JsonNode> entry : node.properties()) {
            if (entry.getKey().equalsIgnoreCase(field.name())) {
                return entry.getValue();
            }
        }
        return node.path("");
    }

    private static GoValue value(GoType type, JsonNode node) {
        boolean given = !node.isMissingNode() && !node.isNull();
        return switch (type.kind()) {
            case BOOL -> GoBool.of(node.asBoolean(false));
            case STRING -> new GoString(type, GoString.bytes(node.asText("")));
            case INT32 -> new GoInt(type, node.asInt(0));
            case STRUCT -> struct(type, node);
            case SLICE -> new GoSlice(type, given ? items(requireNonNull(type.elem()), node) : null);
            case MAP -> new GoMap(type, given ? entries(requireNonNull(type.elem()), node) : null);
            case POINTER -> pointer(type, node, given);
            default -> throw new IllegalArgumentException("no form for " + type);
        };
    }

    private static GoValue pointer(GoType type, JsonNode node, boolean given) {
        GoType target = requireNonNull(type.elem());
        if (!given) {
            return new GoPointer(type, null);
        }
        return new GoPointer(
                type, target.equals(WellKnownTypes.META_DURATION) ? duration(node.asText()) : value(target, node));
    }

    private static GoStruct duration(String text) {
        try {
            return WellKnownTypes.metaDuration(GoDuration.parse(text));
        } catch (GoCallException e) {
            throw new IllegalArgumentException("no duration: " + text, e);
        }
    }

    private static GoStruct struct(GoType type, JsonNode node) {
        List<GoValue> fields = new ArrayList<>();
        for (GoType.Field field : type.fields()) {
            fields.add(value(field.type(), member(node, field)));
        }
        return GoStruct.of(type, fields);
    }

    private static List<GoValue> items(GoType type, JsonNode node) {
        List<GoValue> items = new ArrayList<>();
        node.forEach(item -> items.add(type.equals(GoIp.TYPE) ? GoIp.parse(item.asText()) : value(type, item)));
        return items;
    }

    private static Map<GoValue, GoValue> entries(GoType type, JsonNode node) {
        Map<GoValue, GoValue> entries = new HashMap<>();
        node.properties().forEach(entry -> entries.put(GoString.of(entry.getKey()), value(type, entry.getValue())));
        return entries;
    }
}
