package io.osmhub.deploy.fleet;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.osmhub.api.schema.ApiJson;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;

/** Prints objects of the API's schemas as JSON or YAML. A list is always {@code {"items": [...]}}. */
public final class ObjectPrinter {
    private ObjectPrinter() {}

    public static String json(Object body) {
        try {
            return TerminalSanitizer.sanitizeJson(
                    ApiJson.server().writerWithDefaultPrettyPrinter().writeValueAsString(body));
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** As one line, for streams. */
    public static String jsonLine(Object body) {
        try {
            return TerminalSanitizer.sanitizeJson(ApiJson.server().writeValueAsString(body));
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static String yaml(Object body) {
        return ReadableYaml.of(ApiJson.server().valueToTree(body).toString()).stripTrailing();
    }

    public static Object list(List<?> items) {
        return Map.of("items", items);
    }
}
