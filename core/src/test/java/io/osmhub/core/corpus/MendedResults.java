package io.osmhub.core.corpus;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/**
 * The wanted results of a case that shows a defect of OSM, as they would be without it: every text is fixed, in objects
 * and payloads alike, also where it is base64 within a document or a Secret.
 */
public final class MendedResults {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Pattern BASE64_LINE = Pattern.compile("(?m)(?<=^ {4})[A-Za-z0-9+/]{16,}={0,2}$");

    private final UnaryOperator<String> fix;

    private MendedResults(UnaryOperator<String> fix) {
        this.fix = fix;
    }

    /** @param fix replaces the result of the defect by the right one */
    public static Map<String, String> of(PipelineCase test, UnaryOperator<String> fix) {
        MendedResults mended = new MendedResults(fix);
        Map<String, String> results = new LinkedHashMap<>();
        test.wanted().forEach((file, text) -> results.put(file, mended.file(file, text)));
        return results;
    }

    private String file(String file, String text) {
        if (file.endsWith(".txt")) {
            return payload(text);
        }
        JsonNode object = PipelineCorpus.yaml(text);
        if (file.endsWith("-secret.yaml") && object.get("data") instanceof ObjectNode data) {
            for (Map.Entry<String, JsonNode> entry : data.properties()) {
                entry.setValue(TextNode.valueOf(recoded(entry.getValue().asText(), this::payload)));
            }
            return object.toString();
        }
        return tree(object).toString();
    }

    private String payload(String text) {
        return fix.apply(BASE64_LINE.matcher(text).replaceAll(line -> recoded(line.group(), fix)));
    }

    private static String recoded(String base64, UnaryOperator<String> change) {
        String text = new String(Base64.getDecoder().decode(base64), UTF_8);
        String changed = change.apply(text);
        return changed.equals(text) ? base64 : Base64.getEncoder().encodeToString(changed.getBytes(UTF_8));
    }

    private JsonNode tree(JsonNode node) {
        return switch (node) {
            case ObjectNode object -> {
                ObjectNode copy = JSON.createObjectNode();
                object.properties().forEach(field -> copy.set(field.getKey(), tree(field.getValue())));
                yield copy;
            }
            case ArrayNode array -> {
                ArrayNode copy = JSON.createArrayNode();
                array.forEach(item -> copy.add(tree(item)));
                yield copy;
            }
            case TextNode text -> TextNode.valueOf(fix.apply(text.textValue()));
            default -> node;
        };
    }
}
