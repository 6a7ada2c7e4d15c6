package io.osmhub.core.corpus;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.osmhub.core.golang.CallFailure;
import io.osmhub.core.golang.LimitExceeded;
import io.osmhub.core.golang.Str;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * One line of a corpus of emitters or readers.
 *
 * @param rawValue the JSON text of field {@code value} as it stands in the line, empty when there is none
 */
record EmitterCase(String id, JsonNode fields, String rawValue) {
    /** Something that gives bytes as chars, or fails. */
    @FunctionalInterface
    interface Code {
        String run() throws CallFailure;
    }

    private static final ObjectMapper JSON = new ObjectMapper();

    static EmitterCase parse(String line) {
        try {
            JsonNode fields = JSON.readTree(line);
            return new EmitterCase(fields.path("id").asText(), fields, rawValue(line));
        } catch (IOException e) {
            throw new UncheckedIOException("no JSON: " + line, e);
        }
    }

    private static String rawValue(String line) throws IOException {
        try (JsonParser parser = JSON.createParser(line)) {
            parser.nextToken();
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                String name = parser.currentName();
                parser.nextToken();
                int start = (int) parser.currentTokenLocation().getCharOffset();
                parser.skipChildren();
                parser.finishToken();
                if (name.equals("value")) {
                    return line.substring(start, (int) parser.currentLocation().getCharOffset());
                }
            }
            return "";
        }
    }

    /** Compares a result with the field of that name, if there is one: a text, or an object with the text of an error. */
    void compare(CorpusReport.Builder report, String field, Code code) {
        JsonNode want = fields.get(field);
        if (want != null) {
            report.compare(
                    id,
                    field,
                    want.isObject() ? error(want.path("error").asText()) : text(want.asText()),
                    result(code));
        }
    }

    static String result(Code code) {
        try {
            return text(Str.text(code.run()));
        } catch (CallFailure e) {
            return error(e.text());
        } catch (LimitExceeded e) {
            return "limit " + e.getMessage();
        }
    }

    static String text(String text) {
        return "text " + JSON.getNodeFactory().textNode(text);
    }

    static String error(String text) {
        return "error " + text;
    }
}
