package io.osmhub.tenancy.management;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The status of an object as stored. Where the CustomResourceDefinition has no status subresource, or the hub may not write it,
 * the status is an annotation (docs/adr/0012-status-annotation-on-foreign-definitions.md).
 *
 * @param status an empty object if there is none
 */
public record StoredStatus(JsonNode status, Place place) {
    /** Holds the status as JSON. */
    public static final String ANNOTATION = "osmhub.io/status";

    /** Where a status is stored. An annotation beside a field is from before, and ignored. */
    public enum Place {
        NONE,
        FIELD,
        ANNOTATION;

        /** The place that is not written. */
        static Place otherThan(boolean field) {
            return field ? ANNOTATION : FIELD;
        }
    }

    /** Reads the status of an object; an annotation that is not JSON counts as empty, and the hub overwrites it. */
    public static StoredStatus of(JsonNode object) {
        JsonNode field = object.path("status");
        JsonNode annotation = object.path("metadata").path("annotations").path(ANNOTATION);
        if (field.isObject() && !field.isEmpty()) {
            return new StoredStatus(field, Place.FIELD);
        }
        return annotation.isTextual()
                ? new StoredStatus(parse(annotation.textValue()), Place.ANNOTATION)
                : new StoredStatus(WireJson.object(), Place.NONE);
    }

    /** The status as its wire record; null if there is none, or it is invalid, as under another schema. */
    public <T> @Nullable T as(Class<T> type) {
        return place == Place.NONE ? null : WireJson.as(type, status);
    }

    private static JsonNode parse(String text) {
        try {
            JsonNode status = WireJson.read(text.getBytes(StandardCharsets.UTF_8));
            return status.isObject() ? status : WireJson.object();
        } catch (IOException e) {
            return WireJson.object();
        }
    }
}
