package io.osmhub.core.osc;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.core.emit.json.JsonWriter;
import io.osmhub.core.model.Sha256;
import java.util.Iterator;
import java.util.Map;

/**
 * SHA-256 of an OperatingSystemConfig's spec in lower-case hex, equal for what the hub writes and what the API server stores of it:
 * keys are sorted, nulls and the server's defaults are left out, and a number counts by its value.
 */
public final class SpecHash {
    private static final ObjectMapper JSON = new ObjectMapper(JsonFactory.builder()
            // The free-form part has already been read with the usual depth, and lies two levels down here.
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(2 * StreamReadConstraints.DEFAULT_MAX_DEPTH)
                    .build())
            .build());

    private SpecHash() {}

    /**
     * Of JSON text.
     *
     * @throws IllegalArgumentException if it is not JSON; the message does not quote it
     */
    public static String of(String spec) {
        try {
            return of(JSON.readTree(spec));
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(
                    "not JSON at character " + (e.getLocation().getCharOffset() + 1));
        }
    }

    public static String of(JsonNode spec) {
        JsonNode copy = spec.deepCopy();
        // Defaults of the CRD's schema, of OSM and the hub.
        removeDefault(copy, "provisioningUtility", "\"cloud-init\"");
        copy.forEach(config -> config.path("files").forEach(file -> removeDefault(file, "permissions", "644")));
        StringBuilder text = new StringBuilder();
        append(text, copy);
        return Sha256.hex(text.toString());
    }

    private static void removeDefault(JsonNode node, String field, String value) {
        StringBuilder text = new StringBuilder();
        append(text, node.path(field));
        if (node instanceof ObjectNode object && value.contentEquals(text)) {
            object.remove(field);
        }
    }

    private static void append(StringBuilder out, JsonNode node) {
        if (node.isObject()) {
            out.append('{');
            Iterator<Map.Entry<String, JsonNode>> members = node.properties().stream()
                    .filter(member -> !member.getValue().isNull())
                    .sorted(Map.Entry.comparingByKey())
                    .iterator();
            while (members.hasNext()) {
                Map.Entry<String, JsonNode> member = members.next();
                JsonWriter.appendQuoted(out, member.getKey());
                append(out.append(':'), member.getValue());
                out.append(members.hasNext() ? "," : "");
            }
            out.append('}');
        } else if (node.isArray()) {
            out.append('[');
            for (int i = 0; i < node.size(); i++) {
                append(out.append(i == 0 ? "" : ","), node.get(i));
            }
            out.append(']');
        } else if (node.isTextual()) {
            JsonWriter.appendQuoted(out, node.textValue());
        } else if (node.isNumber()) {
            out.append(number(node));
        } else {
            out.append(node.asText());
        }
    }

    /** The number as the API server stores it: an integer, else a 64-bit floating point number. */
    private static String number(JsonNode node) {
        if (node.isIntegralNumber() && node.canConvertToLong()) {
            return node.asText();
        }
        double rounded = node.doubleValue();
        return rounded == Math.rint(rounded) && Math.abs(rounded) < 1L << 53
                ? Long.toString((long) rounded)
                : Double.toString(rounded);
    }
}
