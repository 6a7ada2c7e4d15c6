package io.osmhub.workersync.apiserver;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;

/** JSON merge patches (RFC 7396): absent keeps, null removes, lists are replaced as a whole. */
public final class MergePatch {
    private MergePatch() {}

    /** Empty if both are equal. */
    public static ObjectNode diff(JsonNode before, JsonNode after) {
        ObjectNode patch = JsonNodeFactory.instance.objectNode();
        for (Map.Entry<String, JsonNode> field : before.properties()) {
            if (!after.hasNonNull(field.getKey()) && !field.getValue().isNull()) {
                patch.putNull(field.getKey());
            }
        }
        for (Map.Entry<String, JsonNode> field : after.properties()) {
            JsonNode old = before.path(field.getKey());
            JsonNode wanted = field.getValue();
            if (wanted.isNull() || wanted.equals(old)) {
                continue;
            }
            if (wanted.isObject() && old.isObject()) {
                ObjectNode inner = diff(old, wanted);
                if (!inner.isEmpty()) {
                    patch.set(field.getKey(), inner);
                }
            } else {
                patch.set(field.getKey(), wanted);
            }
        }
        return patch;
    }

    /** Applies the patch to a copy. */
    public static ObjectNode apply(JsonNode before, JsonNode patch) {
        ObjectNode after =
                before instanceof ObjectNode object ? object.deepCopy() : JsonNodeFactory.instance.objectNode();
        merge(after, patch);
        return after;
    }

    private static void merge(ObjectNode into, JsonNode patch) {
        for (Map.Entry<String, JsonNode> field : patch.properties()) {
            JsonNode value = field.getValue();
            if (value.isNull()) {
                into.remove(field.getKey());
            } else if (value.isObject()) {
                JsonNode known = into.get(field.getKey());
                merge(known instanceof ObjectNode object ? object : into.putObject(field.getKey()), value);
            } else {
                into.set(field.getKey(), value);
            }
        }
    }
}
