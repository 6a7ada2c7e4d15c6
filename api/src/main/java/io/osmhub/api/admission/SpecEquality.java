package io.osmhub.api.admission;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.tenancy.management.WireJson;
import java.util.Map;

/** Compares two specs semantically: absent and empty are equal, as in OSM's comparison. */
final class SpecEquality {
    private SpecEquality() {}

    static boolean isEqual(JsonNode one, JsonNode other) {
        return one.equals(other) || reduced(one).equals(reduced(other));
    }

    private static JsonNode reduced(JsonNode json) {
        if (json.isObject()) {
            ObjectNode kept = WireJson.object();
            for (Map.Entry<String, JsonNode> field : json.properties()) {
                JsonNode value = reduced(field.getValue());
                if (!isEmpty(value)) {
                    kept.set(field.getKey(), value);
                }
            }
            return kept;
        }
        if (json.isArray()) {
            ArrayNode kept = WireJson.object().arrayNode();
            json.forEach(item -> kept.add(reduced(item)));
            return kept;
        }
        return json;
    }

    private static boolean isEmpty(JsonNode value) {
        return switch (value.getNodeType()) {
            case NULL, MISSING -> true;
            case OBJECT, ARRAY -> value.isEmpty();
            case STRING -> value.textValue().isEmpty();
            case BOOLEAN -> !value.booleanValue();
            case NUMBER -> value.isIntegralNumber() && value.longValue() == 0;
            case BINARY, POJO -> false;
        };
    }
}
