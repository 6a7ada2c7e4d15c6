package io.osmhub.core.template.corpus;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.osmhub.core.emit.json.GoJson;
import io.osmhub.core.golang.GoCallException;
import io.osmhub.core.golang.GoValue.GoString;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;

/**
 * One line of a corpus: an object. Its fields keep their order and their text, so that a line with other results differs from the
 * first one only in these.
 */
record JsonLine(Map<String, String> texts) {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** @throws IllegalArgumentException if it is not an object */
    static JsonLine parse(String line) {
        Map<String, String> texts = new LinkedHashMap<>();
        try (JsonParser parser = JSON.createParser(line)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw new IllegalArgumentException("not an object of JSON");
            }
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                String name = parser.currentName();
                parser.nextToken();
                int start = (int) parser.currentTokenLocation().getCharOffset();
                parser.skipChildren();
                parser.finishToken();
                texts.put(name, line.substring(start, (int)
                        parser.currentLocation().getCharOffset()));
            }
        } catch (IOException e) {
            throw new IllegalArgumentException("not JSON: " + e.getMessage(), e);
        }
        return new JsonLine(texts);
    }

    /** A missing node if the field is missing. */
    JsonNode get(String field) {
        String text = texts.get(field);
        if (text == null) {
            return MissingNode.getInstance();
        }
        try {
            return JSON.readTree(text);
        } catch (IOException e) {
            throw new IllegalArgumentException("not JSON: " + text, e);
        }
    }

    boolean has(String field) {
        return texts.containsKey(field);
    }

    /** The text of a field as it stands, empty when there is none. */
    String text(String field) {
        return texts.getOrDefault(field, "");
    }

    /** This line with other results behind what it holds beside them. {@code results} are texts of JSON. */
    String with(List<String> resultFields, Map<String, String> results) {
        StringJoiner line = new StringJoiner(",", "{", "}");
        texts.forEach((name, text) -> {
            if (!resultFields.contains(name)) {
                line.add(quote(name) + ":" + text);
            }
        });
        results.forEach((name, text) -> line.add(quote(name) + ":" + text));
        return line.toString();
    }

    /** A string of JSON as the corpora have it: only what JSON asks for is escaped. */
    static String quote(String text) {
        try {
            return GoString.text(GoJson.encodeRaw(GoString.of(text), null)).strip();
        } catch (GoCallException e) {
            throw new IllegalStateException("text cannot be written as JSON", e);
        }
    }
}
