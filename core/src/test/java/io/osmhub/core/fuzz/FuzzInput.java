package io.osmhub.core.fuzz;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * One case: texts by what they are, for example {@code template} and {@code data}.
 *
 * @param kind the name of the kind that made it and can run it
 */
public record FuzzInput(String kind, Map<String, String> parts) {
    private static final ObjectMapper JSON = new ObjectMapper();

    public FuzzInput {
        Map<String, String> texts = new LinkedHashMap<>();
        // All input comes in UTF-8, which has no halves of surrogate pairs.
        parts.forEach((name, text) -> texts.put(name, new String(text.getBytes(UTF_8), UTF_8)));
        parts = Collections.unmodifiableMap(texts);
    }

    String part(String name) {
        return parts.getOrDefault(name, "");
    }

    /** A form to keep in a file, with a word on what went wrong. */
    public String toJson(String failure) {
        ObjectNode object = JSON.createObjectNode();
        object.put("kind", kind).put("failure", failure);
        ObjectNode texts = object.putObject("parts");
        parts.forEach(texts::put);
        return object.toPrettyString() + "\n";
    }

    /** @throws IllegalArgumentException when the text is not of that form */
    public static FuzzInput fromJson(String text) {
        try {
            JsonNode object = JSON.readTree(text);
            Map<String, String> parts = new LinkedHashMap<>();
            object.path("parts")
                    .properties()
                    .forEach(part -> parts.put(part.getKey(), part.getValue().asText()));
            return new FuzzInput(object.path("kind").asText(), parts);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("not JSON: " + e.getOriginalMessage(), e);
        }
    }
}
