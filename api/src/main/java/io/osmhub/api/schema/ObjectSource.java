package io.osmhub.api.schema;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.databind.JsonNode;
import org.jspecify.annotations.Nullable;

/** An object of a request, stored or contained in the request; deduced from its fields. */
@JsonTypeInfo(use = JsonTypeInfo.Id.DEDUCTION)
@JsonSubTypes({@JsonSubTypes.Type(ObjectSource.ObjectByName.class), @JsonSubTypes.Type(ObjectSource.ObjectInFull.class)
})
public sealed interface ObjectSource {
    /** A stored object, by name. A profile without a namespace is resolved as for the tenant. */
    record ObjectByName(@Nullable String namespace, String name) implements ObjectSource {}

    /** An object contained in the request; never stored or returned. */
    record ObjectInFull(JsonNode object) implements ObjectSource {
        /** Omits the object, which may contain anything. */
        @Override
        public String toString() {
            return "ObjectInFull";
        }
    }
}
