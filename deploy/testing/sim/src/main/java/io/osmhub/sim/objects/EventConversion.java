package io.osmhub.sim.objects;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.sim.objects.ApiError.Cause;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Events are stored as core v1 and also served as events.k8s.io/v1, with other field names. */
public final class EventConversion {
    private static final int MAX_NOTE = 1024;
    private static final Map<String, String> STORED_BY_SERVED = Map.of(
            "regarding", "involvedObject",
            "note", "message",
            "reportingController", "reportingComponent",
            "deprecatedSource", "source",
            "deprecatedFirstTimestamp", "firstTimestamp",
            "deprecatedLastTimestamp", "lastTimestamp",
            "deprecatedCount", "count");

    private EventConversion() {}

    /** Whether objects of this type are stored with the field names of another. */
    public static boolean differs(ResourceType type) {
        return type.group().equals("events.k8s.io");
    }

    /** The type as which objects of this type are stored. */
    public static ResourceType storedAs(ResourceType type) {
        return differs(type) ? ResourceCatalog.CORE_EVENT : type;
    }

    /** Renames the fields of a client's object to the stored ones. */
    public static void toStored(ResourceType type, ObjectNode tree) {
        if (differs(type)) {
            STORED_BY_SERVED.forEach((served, stored) -> rename(tree, served, stored));
            tree.remove(List.of("kind", "apiVersion"));
        }
    }

    /** Rejects a new event without the required fields of its served type; core v1 requires almost none. {@code stored} has the stored names. */
    public static void checkNew(ResourceType type, ObjectNode stored) {
        if (!differs(type)) {
            return;
        }
        List<Cause> causes = new ArrayList<>();
        require(stored, "eventTime", "eventTime", causes);
        require(stored, "reportingComponent", "reportingController", causes);
        require(stored, "reportingInstance", "reportingInstance", causes);
        require(stored, "action", "action", causes);
        require(stored, "reason", "reason", causes);
        String kind = JsonTrees.text(stored, "type");
        if (!kind.equals("Normal") && !kind.equals("Warning")) {
            causes.add(new Cause("type", "FieldValueInvalid", "Invalid value: \"\": has invalid value: " + kind));
        }
        if (JsonTrees.text(stored, "message").length() > MAX_NOTE) {
            causes.add(
                    new Cause("message", "FieldValueInvalid", "Invalid value: \"\": can have at most 1024 characters"));
        }
        if (!causes.isEmpty()) {
            throw ApiError.invalid("", "Event", JsonTrees.text(stored, "metadata", "name"), causes);
        }
    }

    private static void require(ObjectNode stored, String field, String shown, List<Cause> causes) {
        if (JsonTrees.text(stored, field).isEmpty()) {
            causes.add(new Cause(shown, "FieldValueRequired", "Required value"));
        }
    }

    /** Renames the fields of a stored object to those of the served type. */
    public static void toServed(ResourceType type, ObjectNode tree) {
        if (differs(type)) {
            STORED_BY_SERVED.forEach((served, stored) -> rename(tree, stored, served));
        }
    }

    private static void rename(ObjectNode tree, String from, String to) {
        if (tree.has(from)) {
            tree.set(to, tree.remove(from));
        }
    }
}
