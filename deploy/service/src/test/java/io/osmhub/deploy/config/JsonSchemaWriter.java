package io.osmhub.deploy.config;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/** Writes JSON Schemas of files. Only the checked-in files need them, so it runs with the tests. */
final class JsonSchemaWriter {
    private JsonSchemaWriter() {}

    /** A JSON Schema of the file, for editors. */
    static ObjectNode ofConfiguration() {
        ObjectNode schema = of(ConfigurationSchema.SCHEMA, ConfigurationSchema.KIND);
        ObjectNode properties = schema.objectNode();
        properties.putObject("apiVersion").put("const", ConfigurationSchema.API_VERSION);
        properties.putObject("kind").put("const", ConfigurationSchema.KIND);
        properties.setAll((ObjectNode) schema.get("properties"));
        schema.set("properties", properties);
        schema.putArray("required").add("apiVersion").add("kind");
        return schema;
    }

    /** A JSON Schema with a title. */
    static ObjectNode of(JsonNode described, String title) {
        ObjectNode schema = JsonNodeFactory.instance.objectNode();
        schema.put("$schema", "http://json-schema.org/draft-07/schema#");
        schema.put("title", title);
        schema.setAll(described.<ObjectNode>deepCopy());
        forEditors(schema);
        return schema;
    }

    /** Removes what only the API server knows, and refuses unknown keys. */
    private static void forEditors(JsonNode node) {
        if (node instanceof ObjectNode object && object.has("type")) {
            if (ConfigurationSchema.NUMERIC.contains(object.path("format").asText())) {
                object.putArray("type").add("string").add("integer");
            }
            object.remove(List.of("format", "formatMinimum", "formatMaximum"));
            if (object.path("x-kubernetes-list-type").asText().equals("set")) {
                object.put("uniqueItems", true);
            }
            object.properties().removeIf(entry -> entry.getKey().startsWith("x-"));
            if (object.has("properties")) {
                object.put("additionalProperties", false);
                object.remove("default");
            }
        }
        node.forEach(JsonSchemaWriter::forEditors);
    }
}
