package io.osmhub.sim.patch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.sim.json.JsonTrees;
import java.util.Map;

/** JSON merge patch, RFC 7396. */
public final class MergePatchApplier {
    private MergePatchApplier() {}

    /** The patched object; neither argument is changed. */
    public static ObjectNode apply(ObjectNode target, ObjectNode patch) {
        ObjectNode result = target.deepCopy();
        merge(result, patch);
        return result;
    }

    private static void merge(ObjectNode target, ObjectNode patch) {
        for (Map.Entry<String, JsonNode> field : patch.properties()) {
            JsonNode value = field.getValue();
            if (value.isNull()) {
                target.remove(field.getKey());
            } else if (value instanceof ObjectNode nested) {
                ObjectNode into =
                        target.get(field.getKey()) instanceof ObjectNode existing ? existing : JsonTrees.object();
                merge(into, nested);
                target.set(field.getKey(), into);
            } else {
                target.set(field.getKey(), value.deepCopy());
            }
        }
    }
}
