package io.osmhub.api.schema;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Objects;

/** An object that exists in the request only: it is neither stored nor handed back. */
public record ObjectInFull(JsonNode object) implements ObjectSource {
    public ObjectInFull {
        Objects.requireNonNull(object, "object");
    }

    /** Without the object, which may hold anything. */
    @Override
    public String toString() {
        return "ObjectInFull";
    }
}
