package io.osmhub.sim.objects;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The JSON mapper, and accessors for trees with missing or mistyped nodes. */
public final class JsonTrees {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private JsonTrees() {}

    public static ObjectNode object() {
        return MAPPER.createObjectNode();
    }

    public static ArrayNode array() {
        return MAPPER.createArrayNode();
    }

    /**
     * Parses a document.
     *
     * @throws IOException if the bytes are not a JSON document
     */
    public static JsonNode parse(byte[] bytes) throws IOException {
        return MAPPER.readTree(bytes);
    }

    /** Parses a text that must be a JSON object. */
    public static ObjectNode read(String text) {
        try {
            return (ObjectNode) MAPPER.readTree(text);
        } catch (JsonProcessingException notJson) {
            throw new IllegalArgumentException("not a JSON object: " + notJson.getOriginalMessage(), notJson);
        }
    }

    /** Parses a JSON array of objects packaged beside a class. */
    public static List<ObjectNode> readResource(Class<?> owner, String name) {
        try (InputStream in = Objects.requireNonNull(owner.getResourceAsStream(name), name)) {
            List<ObjectNode> objects = new ArrayList<>();
            MAPPER.readTree(in).forEach(each -> objects.add((ObjectNode) each));
            return objects;
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /** Parses bytes that this process has written. */
    public static ObjectNode readOwn(byte[] bytes) {
        try {
            return (ObjectNode) MAPPER.readTree(bytes);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    public static byte[] bytes(JsonNode tree) {
        try {
            return MAPPER.writeValueAsBytes(tree);
        } catch (JsonProcessingException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    /** The text at a path; empty if there is none. */
    public static String text(JsonNode tree, String... path) {
        JsonNode found = at(tree, path);
        return found.isValueNode() && !found.isNull() ? found.asText() : "";
    }

    /** The node at a path; a missing node if there is none. */
    public static JsonNode at(JsonNode tree, String... path) {
        JsonNode node = tree;
        for (String step : path) {
            node = node.path(step);
        }
        return node;
    }

    /** The object in a field, which is created if it is absent, null or of another type. */
    public static ObjectNode child(ObjectNode parent, String field) {
        return parent.get(field) instanceof ObjectNode found ? found : parent.putObject(field);
    }

    /** The strings of an array; ignores other elements; empty if the node is not an array. */
    public static List<String> texts(JsonNode array) {
        List<String> texts = new ArrayList<>();
        for (JsonNode element : array) {
            if (element.isTextual()) {
                texts.add(element.textValue());
            }
        }
        return texts;
    }

    /** The string fields of an object; empty if the node is not an object. */
    public static Map<String, String> textMap(JsonNode object) {
        Map<String, String> map = new LinkedHashMap<>();
        for (Map.Entry<String, JsonNode> field : object.properties()) {
            if (field.getValue().isTextual()) {
                map.put(field.getKey(), field.getValue().textValue());
            }
        }
        return map;
    }

    public static ArrayNode arrayOf(Iterable<String> texts) {
        ArrayNode array = array();
        texts.forEach(array::add);
        return array;
    }

    /** The base64 encoding of a text in UTF-8. */
    public static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    static boolean isNull(JsonNode node) {
        return node.isMissingNode() || node.isNull();
    }

    /** Whether an API server would drop the node: absent, null, empty object, array or text. */
    public static boolean isEmpty(JsonNode node) {
        return isNull(node)
                || (node.isContainerNode() && node.isEmpty())
                || (node.isTextual() && node.textValue().isEmpty());
    }
}
