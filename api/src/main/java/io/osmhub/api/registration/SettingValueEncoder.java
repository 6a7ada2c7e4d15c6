package io.osmhub.api.registration;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.core.schema.DurationFormat;
import io.osmhub.core.schema.RecordSchemaReader;
import io.osmhub.core.settings.Setting;
import io.osmhub.core.settings.TenantSettings.CaBundle;
import io.osmhub.core.settings.TenantSettings.KeyRef;
import io.osmhub.core.settings.TenantSettings.Mirror;
import io.osmhub.core.settings.TenantSettings.SecretName;
import io.osmhub.core.settings.TenantSettings.ServiceAccountName;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Encodes values of settings as in a WorkerCluster; values in a Secret as a reference. Pure. */
final class SettingValueEncoder {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    private SettingValueEncoder() {}

    /** Null if unset. */
    static @Nullable JsonNode of(Setting<?> setting, Object value) {
        if (setting.equals(Setting.NO_PROXY)) {
            return list(List.of(value.toString().split(",")));
        }
        if (setting.equals(Setting.HTTP_PROXY)) {
            return JSON.textNode(withoutUser(value.toString()));
        }
        if (setting.equals(Setting.INITIAL_TAINTS)) {
            return taints(value.toString());
        }
        return value(value);
    }

    private static @Nullable JsonNode value(Object value) {
        return switch (value) {
            case Optional<?> optional -> optional.isEmpty() ? null : value(optional.get());
            case Boolean truth -> JSON.booleanNode(truth);
            case Integer number -> JSON.numberNode(number);
            case String text -> JSON.textNode(text);
            case Duration duration -> JSON.textNode(DurationFormat.format(duration));
            case List<?> list -> list(list);
            case Map<?, ?> map -> map(map);
            case Enum<?> choice -> JSON.textNode(RecordSchemaReader.wireName(choice));
            case SecretName secret -> JSON.objectNode().put("name", secret.name());
            case KeyRef ref -> reference(ref);
            case ServiceAccountName account ->
                JSON.objectNode().put("namespace", account.namespace()).put("name", account.name());
            case Mirror mirror -> mirror(mirror);
            case CaBundle bundle -> bundle(bundle);
            default -> throw new IllegalArgumentException("no setting has a " + value.getClass());
        };
    }

    private static ArrayNode list(List<?> values) {
        ArrayNode list = JSON.arrayNode();
        for (Object one : values) {
            JsonNode value = value(one);
            if (value != null) {
                list.add(value);
            }
        }
        return list;
    }

    private static ObjectNode map(Map<?, ?> values) {
        ObjectNode map = JSON.objectNode();
        new TreeMap<>(values).forEach((key, value) -> map.set(String.valueOf(key), value(value)));
        return map;
    }

    private static ObjectNode reference(KeyRef ref) {
        return JSON.objectNode().put("name", ref.name()).put("key", ref.key());
    }

    private static ObjectNode mirror(Mirror mirror) {
        ObjectNode object = JSON.objectNode().put("registry", mirror.registry());
        ArrayNode endpoints = object.putArray("endpoints");
        mirror.endpoints().forEach(endpoint -> endpoints
                .addObject()
                .put("url", withoutUser(endpoint.url()))
                .put("overridePath", endpoint.overridePath()));
        return object;
    }

    private static @Nullable JsonNode bundle(CaBundle bundle) {
        return switch (bundle) {
            case CaBundle.None() -> null;
            case CaBundle.Inline(String pem) -> JSON.objectNode().put("inline", pem);
            case CaBundle.FromConfigMap(KeyRef ref) -> JSON.objectNode().set("configMapKeyRef", reference(ref));
            case CaBundle.FromSecret(KeyRef ref) -> JSON.objectNode().set("secretKeyRef", reference(ref));
        };
    }

    /** Parses {@code key=value:effect} or {@code key:effect}, separated by commas. */
    private static ArrayNode taints(String text) {
        ArrayNode list = JSON.arrayNode();
        for (String one : text.isEmpty() ? new String[0] : text.split(",")) {
            int colon = one.lastIndexOf(':');
            String left = colon < 0 ? one : one.substring(0, colon);
            int equals = left.indexOf('=');
            ObjectNode taint = list.addObject().put("key", equals < 0 ? left : left.substring(0, equals));
            if (equals >= 0) {
                taint.put("value", left.substring(equals + 1));
            }
            if (colon >= 0) {
                taint.put("effect", one.substring(colon + 1));
            }
        }
        return list;
    }

    /** A flag of OSM may contain a password there. */
    private static String withoutUser(String url) {
        int scheme = url.indexOf("://");
        int at = url.lastIndexOf('@');
        return scheme < 0 || at < scheme ? url : url.substring(0, scheme + 3) + url.substring(at + 1);
    }
}
