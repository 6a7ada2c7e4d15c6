package io.osmhub.sim.objects;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.sim.json.JsonTrees;
import io.osmhub.sim.status.ApiError.Cause;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Events in their stored form, which is that of core v1. */
final class EventRules implements KindRules {
    @Override
    public void addAlwaysShownFields(ObjectNode written) {
        for (String time : List.of("eventTime", "firstTimestamp", "lastTimestamp")) {
            if (!written.has(time)) {
                written.putNull(time);
            }
        }
        for (String text : List.of("reportingComponent", "reportingInstance")) {
            if (!written.has(text)) {
                written.put(text, "");
            }
        }
        JsonTrees.child(written, "source");
    }

    @Override
    public List<Cause> check(@Nullable ObjectNode old, ObjectNode written) {
        List<Cause> causes = new ArrayList<>();
        String about = JsonTrees.text(written, "involvedObject", "namespace");
        String namespace = JsonTrees.text(written, "metadata", "namespace");
        // An event about something without a namespace lies in default.
        if (about.isEmpty()
                ? !namespace.equals("default") && !namespace.equals("kube-system")
                : !about.equals(namespace)) {
            causes.add(new Cause(
                    "involvedObject.namespace",
                    "FieldValueInvalid",
                    "Invalid value: \"%s\": does not match event.namespace".formatted(about)));
        }
        return causes;
    }
}
