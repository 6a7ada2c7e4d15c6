package io.osmhub.api.registration;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.osmhub.api.schema.EffectiveSettings.Item;
import io.osmhub.core.model.Sha256;
import io.osmhub.core.resource.NullableCollections;
import io.osmhub.core.settings.LayeredSettings;
import io.osmhub.core.settings.Setting;
import io.osmhub.core.settings.Setting.AffectedObject;
import io.osmhub.core.settings.SettingsLayer;
import io.osmhub.core.settings.SettingsLayer.Origin;
import io.osmhub.tenancy.registry.WorkerClusterRecord;
import io.osmhub.tenancy.settings.SettingsResolver;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Maps all settings of a tenant with their sources. Pure: reads only stored objects, so that every replica can do it. */
public final class EffectiveSettingsMapper {
    private EffectiveSettingsMapper() {}

    /**
     * @param platform from the objects of the platform that runs the worker cluster
     * @param defaults the hub's
     */
    public static io.osmhub.api.schema.EffectiveSettings of(
            WorkerClusterRecord record, SettingsLayer platform, SettingsLayer defaults) {
        LayeredSettings effective = new LayeredSettings(
                SettingsResolver.read(record.describe(), record.settings()).layer(), platform, defaults);
        List<Item> items = new ArrayList<>();
        for (Setting setting : Setting.ALL) {
            items.add(item(setting, effective));
        }
        return new io.osmhub.api.schema.EffectiveSettings(hash(items), items);
    }

    private static Item item(Setting setting, LayeredSettings effective) {
        return new Item(
                setting.path(),
                value(setting, effective.get(setting)),
                switch (effective.source(setting)) {
                    case TENANT -> Item.Layer.TENANT;
                    case PLATFORM -> Item.Layer.PLATFORM;
                    case HUB -> Item.Layer.HUB;
                    case BUILT_IN -> Item.Layer.BUILT_IN;
                },
                NullableCollections.nullIfEmpty(effective.origins(setting).stream()
                        .map(Origin::toString)
                        .toList()),
                setting.peer().startsWith("-") ? setting.peer() : null,
                NullableCollections.nullIfEmpty(setting.affectedObjects().stream()
                        .map(EffectiveSettingsMapper::target)
                        .toList()));
    }

    /** A value as in a WorkerCluster; null if it is not set or switched off. */
    private static @Nullable JsonNode value(Setting setting, JsonNode value) {
        boolean isOff = value.isObject()
                && value.size() > 0
                && (value.path("name").asText("-").isEmpty()
                        || value.path("inline").asText("-").isEmpty());
        if (value.isMissingNode() || isOff) {
            return null;
        }
        JsonNode shown = withoutSecrets(value);
        // OSM's flag names the Secret's namespace, a WorkerCluster cannot.
        return setting == Setting.REGISTRY_CREDENTIALS ? ((ObjectNode) shown).without("namespace") : shown;
    }

    /** A flag of OSM may contain a password in a URL. */
    private static JsonNode withoutSecrets(JsonNode value) {
        if (value.isTextual()) {
            return TextNode.valueOf(withoutUser(value.textValue()));
        }
        if (value instanceof ArrayNode items) {
            ArrayNode shown = items.arrayNode();
            items.forEach(item -> shown.add(withoutSecrets(item)));
            return shown;
        }
        if (value instanceof ObjectNode fields) {
            ObjectNode shown = fields.objectNode();
            fields.properties().forEach(field -> shown.set(field.getKey(), withoutSecrets(field.getValue())));
            return shown;
        }
        return value;
    }

    private static String withoutUser(String url) {
        int scheme = url.indexOf("://");
        int at = url.lastIndexOf('@');
        return scheme < 0 || at < scheme ? url : url.substring(0, scheme + 3) + url.substring(at + 1);
    }

    private static Item.Target target(AffectedObject rolls) {
        return switch (rolls) {
            case CONFIG -> Item.Target.OSC;
            case BOOTSTRAP -> Item.Target.BOOTSTRAP;
            case PROVISIONING -> Item.Target.PROVISIONING;
            case KUBELET_BOOTSTRAP -> Item.Target.KUBELET_BOOTSTRAP;
            case TOKEN -> Item.Target.TOKEN;
            case EDGE_SCRIPT -> Item.Target.EDGE_SCRIPT;
        };
    }

    private static String hash(List<Item> items) {
        return Sha256.hex(items.stream()
                .map(item -> item.field() + "=" + item.value() + "\n")
                .collect(Collectors.joining()));
    }
}
