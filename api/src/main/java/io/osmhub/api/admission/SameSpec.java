package io.osmhub.api.admission;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.tenancy.wire.WireJson;
import java.util.Map;

/** Whether two specs mean the same: what is left out and what is empty are one, as in the peer's comparison. */
final class SameSpec {
    private SameSpec() {}

    static boolean of(JsonNode one, JsonNode other) {
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
