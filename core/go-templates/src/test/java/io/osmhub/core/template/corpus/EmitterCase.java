package io.osmhub.core.template.corpus;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.osmhub.core.golang.ExecutionEnvironment.LimitExceededException;
import io.osmhub.core.golang.GoCallException;
import io.osmhub.core.golang.GoValue.GoString;
import java.io.IOException;

/**
 * One line of a corpus of emitters or readers.
 *
 * @param rawValue the JSON text of field {@code value} as it stands in the line, empty when there is none
 */
record EmitterCase(String id, JsonNode fields, String rawValue) {
    /** Something that gives bytes as chars, or fails. */
    @FunctionalInterface
    interface Code {
        String run() throws GoCallException;
    }

    private static final ObjectMapper JSON = new ObjectMapper();

    static EmitterCase parse(String line) {
        try {
            JsonNode fields = JSON.readTree(line);
            return new EmitterCase(
                    fields.path("id").asText(), fields, JsonLine.parse(line).text("value"));
        } catch (IOException e) {
            throw new IllegalArgumentException("not JSON: " + line, e);
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

    /** The result as the corpora write it: a text, or an object with the text of an error. */
    static String answer(Code code) {
        try {
            return JsonLine.quote(GoString.text(code.run()));
        } catch (GoCallException e) {
            return "{\"error\":" + JsonLine.quote(GoString.text(e.text())) + "}";
        }
    }

    static String result(Code code) {
        try {
            return text(GoString.text(code.run()));
        } catch (GoCallException e) {
            return error(e.text());
        } catch (LimitExceededException e) {
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
