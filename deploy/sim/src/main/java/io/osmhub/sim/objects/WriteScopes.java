package io.osmhub.sim.objects;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.sim.resource.BuiltInResources;
import io.osmhub.sim.resource.ResourceType;

/** Keeps each write within its part of an object. */
final class WriteScopes {
    private WriteScopes() {}

    /** Puts back into {@code body} what this part may not write. */
    static void restoreOutOfScope(ResourceType type, ObjectNode old, ObjectNode body, WriteScope part) {
        switch (part) {
            case MAIN -> {
                if (type.traits().status()) {
                    restore(old, body, "status");
                }
                if (type.key().equals(BuiltInResources.NAMESPACES)) {
                    restore(old, body, "spec");
                }
            }
            case STATUS -> {
                JsonNode status = body.path("status");
                JsonNode metadata = type.traits().builtIn() ? body.path("metadata") : old.path("metadata");
                ObjectNode kept = old.deepCopy();
                body.removeAll();
                body.setAll(kept);
                body.set("metadata", metadata.deepCopy());
                body.remove("status");
                if (!status.isMissingNode()) {
                    body.set("status", status);
                }
            }
            case FINALIZE -> {
                JsonNode spec = body.path("spec");
                body.removeAll();
                body.setAll(old.deepCopy());
                body.set("spec", spec);
            }
        }
    }

    /** Takes out of what a server-side apply names all that this part may not write. */
    static void removeOutOfScope(ResourceType type, ObjectNode applied, WriteScope part) {
        switch (part) {
            case MAIN -> {
                if (type.traits().status()) {
                    applied.remove("status");
                }
            }
            case STATUS -> applied.retain("kind", "apiVersion", "metadata", "status");
            case FINALIZE -> applied.retain("kind", "apiVersion", "metadata", "spec");
        }
    }

    static void restore(ObjectNode from, ObjectNode to, String field) {
        if (from.has(field)) {
            to.set(field, from.get(field).deepCopy());
        } else {
            to.remove(field);
        }
    }
}
