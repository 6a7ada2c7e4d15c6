package io.osmhub.sim.objects;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.sim.json.Json;
import io.osmhub.sim.resource.ResourceType;

/** Who wrote what: {@code metadata.managedFields}. */
final class ManagedFields {
    private ManagedFields() {}

    /** Records a write by a manager: one entry for each manager and operation, the last writer at the end. */
    static void record(ResourceType type, ObjectNode written, String manager, String operation, Part part, String now) {
        ObjectNode metadata = Json.child(written, "metadata");
        ArrayNode entries = Json.array();
        String subresource = part == Part.STATUS ? "status" : "";
        for (JsonNode entry : metadata.path("managedFields")) {
            boolean same = Json.text(entry, "manager").equals(manager)
                    && Json.text(entry, "operation").equals(operation)
                    && Json.text(entry, "subresource").equals(subresource);
            if (!same) {
                entries.add(entry);
            }
        }
        ObjectNode entry = entries.addObject();
        entry.put("manager", manager).put("operation", operation).put("apiVersion", type.apiVersion());
        entry.put("time", now).put("fieldsType", "FieldsV1").putObject("fieldsV1");
        if (!subresource.isEmpty()) {
            entry.put("subresource", subresource);
        }
        metadata.set("managedFields", entries);
    }
}
