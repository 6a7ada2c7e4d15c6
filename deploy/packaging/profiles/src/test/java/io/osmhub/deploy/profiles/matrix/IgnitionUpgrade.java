package io.osmhub.deploy.profiles.matrix;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** An Ignition 2.3.0 document as one of version 3, as Flatcar's Ignition turns it into one before it acts on it. */
final class IgnitionUpgrade {
    private static final ObjectMapper JSON = new ObjectMapper();

    private IgnitionUpgrade() {}

    static String of(String document) {
        JsonNode old;
        try {
            old = JSON.readTree(document);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(e);
        }
        ObjectNode root = JSON.createObjectNode();
        root.putObject("ignition").put("version", "3.3.0");
        if (old.path("passwd").has("users")) {
            root.putObject("passwd").set("users", old.path("passwd").path("users"));
        }
        ArrayNode files = root.putObject("storage").putArray("files");
        for (JsonNode file : old.path("storage").path("files")) {
            if (!file.path("filesystem").asText().equals("root")) {
                throw new IllegalArgumentException("file system " + file.path("filesystem"));
            }
            ObjectNode upgraded = files.addObject();
            upgraded.set("path", file.path("path"));
            upgraded.put("overwrite", true);
            upgraded.set("mode", file.path("mode"));
            upgraded.putObject("contents").set("source", file.path("contents").path("source"));
        }
        if (old.path("systemd").has("units")) {
            root.putObject("systemd").set("units", old.path("systemd").path("units"));
        }
        return root.toString();
    }
}
