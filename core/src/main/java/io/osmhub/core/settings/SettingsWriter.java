package io.osmhub.core.settings;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.osmhub.core.schema.RecordSchemaReader;
import io.osmhub.core.settings.TenantSettings.CaBundle;
import io.osmhub.core.settings.TenantSettings.Endpoint;
import io.osmhub.core.settings.TenantSettings.KeyRef;
import io.osmhub.core.settings.TenantSettings.Mirror;
import io.osmhub.core.settings.TenantSettings.SecretName;
import io.osmhub.core.settings.TenantSettings.ServiceAccountName;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Writes settings as fields of a WorkerCluster's {@code spec}, the reverse of {@link SettingsReader}. A value that the schema does
 * not allow is written as it is, for the reader to reject.
 */
public final class SettingsWriter {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    private SettingsWriter() {}

    /** Writes every set value; leaves out references that are set to none, because not every field can express that. */
    public static ObjectNode write(SettingsLayer layer) {
        ObjectNode spec = JSON.objectNode();
        for (Setting<?> setting : Setting.ALL) {
            JsonNode value = layer.isSet(setting) ? encode(setting, layer) : null;
            if (value != null) {
                spec.withObject("/" + parent(setting.path())).set(name(setting.path()), value);
            }
        }
        return spec;
    }

    private static String parent(String path) {
        return path.substring(0, path.lastIndexOf('.')).replace('.', '/');
    }

    private static String name(String path) {
        return path.substring(path.lastIndexOf('.') + 1);
    }

    private static @Nullable JsonNode encode(Setting<?> setting, SettingsLayer layer) {
        if (setting == Setting.INITIAL_TAINTS) {
            return taints(String.valueOf(layer.get(Setting.INITIAL_TAINTS)));
        }
        if (setting == Setting.NO_PROXY) {
            return items(String.valueOf(layer.get(Setting.NO_PROXY)));
        }
        return value(layer.get(setting));
    }

    private static @Nullable JsonNode value(@Nullable Object value) {
        return switch (value) {
            case null -> null;
            case Boolean flag -> BooleanNode.valueOf(flag);
            case Integer number -> JSON.numberNode(number);
            case Optional<?> reference -> value(reference.orElse(null));
            case Enum<?> constant -> TextNode.valueOf(RecordSchemaReader.wireName(constant));
            case Iterable<?> items -> array(items);
            case Map<?, ?> entries -> {
                ObjectNode object = JSON.objectNode();
                entries.forEach((key, entry) -> object.set(String.valueOf(key), value(entry)));
                yield object;
            }
            case Mirror(String registry, List<Endpoint> endpoints) -> {
                ObjectNode mirror = JSON.objectNode().put("registry", registry);
                mirror.set("endpoints", array(endpoints));
                yield mirror;
            }
            case Endpoint(String url, boolean overridePath) ->
                JSON.objectNode().put("url", url).put("overridePath", overridePath);
            case SecretName secret -> JSON.objectNode().put("name", secret.name());
            case ServiceAccountName account ->
                JSON.objectNode().put("namespace", account.namespace()).put("name", account.name());
            case KeyRef key -> JSON.objectNode().put("name", key.name()).put("key", key.key());
            case CaBundle.None _ -> JSON.objectNode().put("inline", "");
            case CaBundle.Inline bundle -> JSON.objectNode().put("inline", bundle.pem());
            case CaBundle.FromConfigMap reference -> JSON.objectNode().set("configMapKeyRef", value(reference.ref()));
            case CaBundle.FromSecret reference -> JSON.objectNode().set("secretKeyRef", value(reference.ref()));
            // Durations of OSM and the hub are whole seconds.
            case Duration duration -> TextNode.valueOf(duration.toSeconds() + "s");
            default -> TextNode.valueOf(String.valueOf(value));
        };
    }

    private static ArrayNode array(Iterable<?> items) {
        ArrayNode array = JSON.arrayNode();
        items.forEach(item -> array.add(value(item)));
        return array;
    }

    private static ArrayNode items(String text) {
        ArrayNode array = JSON.arrayNode();
        for (String item : text.isEmpty() ? new String[0] : text.split(",", -1)) {
            array.add(item);
        }
        return array;
    }

    /** OSM's text, {@code key=value:effect} or {@code key:effect}, separated by commas. */
    private static ArrayNode taints(String text) {
        ArrayNode taints = JSON.arrayNode();
        for (JsonNode item : items(text)) {
            String taint = item.textValue();
            int colon = taint.lastIndexOf(':');
            String label = colon < 0 ? taint : taint.substring(0, colon);
            int equals = label.indexOf('=');
            ObjectNode object = taints.addObject().put("key", equals < 0 ? label : label.substring(0, equals));
            if (equals >= 0) {
                object.put("value", label.substring(equals + 1));
            }
            object.put("effect", colon < 0 ? "" : taint.substring(colon + 1));
        }
        return taints;
    }
}
