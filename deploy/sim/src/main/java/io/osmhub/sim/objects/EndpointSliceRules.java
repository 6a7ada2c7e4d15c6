package io.osmhub.sim.objects;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.sim.json.JsonTrees;
import io.osmhub.sim.status.ApiError.Cause;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** EndpointSlices: the address type is required and stays. */
final class EndpointSliceRules implements KindRules {
    @Override
    public void prepare(@Nullable ObjectNode old, ObjectNode written) {
        for (JsonNode port : written.path("ports")) {
            if (port instanceof ObjectNode object) {
                object.put("protocol", object.path("protocol").asText("TCP"));
                object.put("name", object.path("name").asText(""));
            }
        }
    }

    @Override
    public List<Cause> check(@Nullable ObjectNode old, ObjectNode written) {
        String type = JsonTrees.text(written, "addressType");
        if (type.isEmpty()) {
            return List.of(new Cause("addressType", "FieldValueRequired", "Required value"));
        }
        if (old != null && !type.equals(JsonTrees.text(old, "addressType"))) {
            return List.of(new Cause(
                    "addressType", "FieldValueInvalid", "Invalid value: \"%s\": field is immutable".formatted(type)));
        }
        return List.of();
    }
}
