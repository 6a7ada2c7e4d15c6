package io.osmhub.sim.objects;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.sim.resource.BuiltIns;
import io.osmhub.sim.resource.ResourceType;
import java.util.Map;

/** Events are one thing with two faces: they are stored as core v1 and also served by events.k8s.io/v1 under other field names. */
public final class EventForms {
    private static final Map<String, String> STORED_BY_SERVED = Map.of(
            "regarding", "involvedObject",
            "note", "message",
            "reportingController", "reportingComponent",
            "deprecatedSource", "source",
            "deprecatedFirstTimestamp", "firstTimestamp",
            "deprecatedLastTimestamp", "lastTimestamp",
            "deprecatedCount", "count");

    private EventForms() {}

    /** Whether objects of this type are stored under the field names of another. */
    public static boolean differs(ResourceType type) {
        return type.group().equals("events.k8s.io");
    }

    /** The type under which objects of this type are stored. */
    public static ResourceType storedAs(ResourceType type) {
        return differs(type) ? BuiltIns.CORE_EVENT : type;
    }

    /** Renames the fields of a client's object to those that are stored. */
    public static void toStored(ResourceType type, ObjectNode tree) {
        if (differs(type)) {
            STORED_BY_SERVED.forEach((served, stored) -> rename(tree, served, stored));
            tree.remove(java.util.List.of("kind", "apiVersion"));
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
