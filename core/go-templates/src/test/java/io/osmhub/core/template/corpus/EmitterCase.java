package io.osmhub.core.template.corpus;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.osmhub.core.golang.ExecutionEnvironment.LimitExceededException;
import io.osmhub.core.golang.GoCallException;
import io.osmhub.core.golang.GoValue;
import io.osmhub.core.golang.GoValue.GoString;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

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

    /** Texts of errors are ours, so that only their presence is compared. */
    static final String ERROR = "an error";

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

    /** Compares a result with the field of that name, if there is one: a text, or that there is an error. */
    void compare(CorpusReport.Builder report, String field, Code code) {
        JsonNode want = fields.get(field);
        if (want != null) {
            report.compare(id, field, want.isObject() ? ERROR : text(want.asText()), result(code));
        }
    }

    /** The value of the case; null after reporting that it has one of a type that templates never see. */
    @Nullable GoValue value(CorpusReport.Builder report, CorpusValues values) {
        try {
            return values.decode(fields.path("value"));
        } catch (CorpusValues.UnsupportedValueException unsupported) {
            report.refuse(id, unsupported.type());
            return null;
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
            return ERROR;
        } catch (LimitExceededException e) {
            return "limit " + e.getMessage();
        }
    }

    static String text(String text) {
        return "text " + JSON.getNodeFactory().textNode(text);
    }
}
