package io.osmhub.api.schema;

import com.fasterxml.jackson.databind.JsonNode;

/** An object contained in the request; never stored or returned. */
public record ObjectInFull(JsonNode object) implements ObjectSource {
    /** Omits the object, which may contain anything. */
    @Override
    public String toString() {
        return "ObjectInFull";
    }
}
