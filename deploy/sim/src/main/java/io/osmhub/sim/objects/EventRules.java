package io.osmhub.sim.objects;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.sim.json.Json;
import io.osmhub.sim.status.ApiError.Cause;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Events in their stored form, which is that of core v1. */
final class EventRules implements KindRules {
    @Override
    public List<Cause> check(@Nullable ObjectNode old, ObjectNode written) {
        List<Cause> causes = new ArrayList<>();
        String about = Json.text(written, "involvedObject", "namespace");
        String namespace = Json.text(written, "metadata", "namespace");
        // An event about something without a namespace lies in default.
        if (about.isEmpty()
                ? !namespace.equals("default") && !namespace.equals("kube-system")
                : !about.equals(namespace)) {
            causes.add(new Cause(
                    "involvedObject.namespace",
                    "FieldValueInvalid",
                    "Invalid value: \"%s\": does not match event.namespace".formatted(about)));
        }
        // Without eventTime an event is judged by the old, lax rules.
        if (old == null && !Json.text(written, "eventTime").isEmpty()) {
            require(written, "reportingComponent", "reportingController", causes);
            require(written, "reportingInstance", "reportingInstance", causes);
            require(written, "action", "action", causes);
            require(written, "reason", "reason", causes);
            String type = Json.text(written, "type");
            if (!type.equals("Normal") && !type.equals("Warning")) {
                causes.add(new Cause("type", "FieldValueInvalid", "Invalid value: \"\": has invalid value: " + type));
            }
            if (Json.text(written, "message").length() > 1024) {
                causes.add(new Cause(
                        "message", "FieldValueInvalid", "Invalid value: \"\": can have at most 1024 characters"));
            }
        }
        return causes;
    }

    private static void require(ObjectNode written, String field, String shown, List<Cause> causes) {
        if (Json.text(written, field).isEmpty()) {
            causes.add(new Cause(shown, "FieldValueRequired", "Required value"));
        }
    }
}
