package io.osmhub.e2e.cluster;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.core.document.SourceDocument;
import io.osmhub.core.document.YamlDocumentReader;
import io.osmhub.core.problem.Reason;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;

/** Objects as people write them. */
public final class ManifestObjects {
    private static final ObjectMapper JSON = new ObjectMapper();

    private ManifestObjects() {}

    /** The objects of a YAML text, in its order. */
    public static List<ObjectNode> objects(String yaml) {
        List<ObjectNode> objects = new ArrayList<>();
        for (SourceDocument document : YamlDocumentReader.read("manifest", yaml, Reason.SettingsInvalid)) {
            objects.add((ObjectNode) json(SourceDocument.jsonText(document.root())));
        }
        return objects;
    }

    /** The only object of a YAML text. */
    public static ObjectNode object(String yaml) {
        List<ObjectNode> objects = objects(yaml);
        if (objects.size() != 1) {
            throw new IllegalArgumentException("one object wanted, there are " + objects.size());
        }
        return objects.getFirst();
    }

    /** The objects of a file. */
    public static List<ObjectNode> file(Path file) {
        return objects(text(file));
    }

    public static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static JsonNode json(String text) {
        try {
            return JSON.readTree(text);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("no JSON: " + text, e);
        }
    }

    public static ObjectNode namespace(String name) {
        return object("{apiVersion: v1, kind: Namespace, metadata: {name: " + name + "}}");
    }

    /** A Secret with text values. */
    public static ObjectNode secret(String namespace, String name, Map<String, String> values) {
        return withData("Secret", "stringData", namespace, name, values);
    }

    public static ObjectNode configMap(String namespace, String name, Map<String, String> values) {
        return withData("ConfigMap", "data", namespace, name, values);
    }

    private static ObjectNode withData(
            String kind, String field, String namespace, String name, Map<String, String> values) {
        ObjectNode object = JSON.createObjectNode().put("apiVersion", "v1").put("kind", kind);
        object.putObject("metadata").put("namespace", namespace).put("name", name);
        ObjectNode data = object.putObject(field);
        values.forEach(data::put);
        return object;
    }

    /** A value of a Secret as text; empty when the key is absent. */
    public static String value(JsonNode secret, String key) {
        return new String(
                Base64.getDecoder().decode(secret.path("data").path(key).asText()),
                java.nio.charset.StandardCharsets.UTF_8);
    }

    public static String name(JsonNode object) {
        return object.path("metadata").path("name").asText();
    }

    public static String namespace(JsonNode object) {
        return object.path("metadata").path("namespace").asText();
    }
}
