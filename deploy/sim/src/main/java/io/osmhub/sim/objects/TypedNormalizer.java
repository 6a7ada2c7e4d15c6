package io.osmhub.sim.objects;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.sim.json.JsonTrees;
import io.osmhub.sim.resource.ResourceType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Brings an object into the form that the real server's types give it: most fields that are empty are absent, some are always there. */
final class TypedNormalizer {
    private static final List<String> ROLES = List.of("Role", "ClusterRole");

    private TypedNormalizer() {}

    static void normalize(ResourceType type, ObjectNode object) {
        dropEmpty(JsonTrees.child(object, "metadata"));
        if (!type.traits().builtIn()) {
            return;
        }
        dropEmpty(object);
        JsonTrees.child(object, "metadata");
        if (ROLES.contains(type.kind()) && !object.has("rules")) {
            object.putNull("rules");
        }
        if (type.kind().equals("EndpointSlice")) {
            for (String list : List.of("endpoints", "ports")) {
                if (!object.has(list)) {
                    object.putNull(list);
                }
            }
        }
    }

    private static void dropEmpty(ObjectNode object) {
        List<String> empty = new ArrayList<>();
        for (Map.Entry<String, JsonNode> field : object.properties()) {
            if (JsonTrees.isEmpty(field.getValue())) {
                empty.add(field.getKey());
            }
        }
        object.remove(empty);
    }
}
