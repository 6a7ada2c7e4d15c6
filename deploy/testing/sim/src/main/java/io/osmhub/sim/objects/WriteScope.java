package io.osmhub.sim.objects;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** The part of an object that a write may change. */
public enum WriteScope {
    /** Everything except the status, if the kind has a status subresource. */
    MAIN,
    /** The status subresource. */
    STATUS,
    /** The finalizers of a Namespace's spec. */
    FINALIZE;

    /** Restores in {@code body} what this scope may not write. */
    void restoreOutOfScope(ResourceType type, ObjectNode old, ObjectNode body) {
        switch (this) {
            case MAIN -> {
                if (type.status()) {
                    restore(old, body, "status");
                }
                if (type.key().equals(ResourceCatalog.NAMESPACES)) {
                    restore(old, body, "spec");
                }
            }
            case STATUS -> {
                JsonNode status = body.path("status");
                JsonNode metadata = type.builtIn() ? body.path("metadata") : old.path("metadata");
                body.removeAll();
                body.setAll(old.deepCopy());
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

    /** Removes from the fields of a server-side apply what this scope may not write. */
    void removeOutOfScope(ResourceType type, ObjectNode applied) {
        switch (this) {
            case MAIN -> {
                if (type.status()) {
                    applied.remove("status");
                }
            }
            case STATUS -> applied.retain("kind", "apiVersion", "metadata", "status");
            case FINALIZE -> applied.retain("kind", "apiVersion", "metadata", "spec");
        }
    }

    /** Sets a field to its value in {@code from}, or removes it. */
    static void restore(ObjectNode from, ObjectNode to, String field) {
        if (from.has(field)) {
            to.set(field, from.get(field).deepCopy());
        } else {
            to.remove(field);
        }
    }
}
