package io.osmhub.api.contract;

import com.fasterxml.jackson.databind.JsonNode;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.ValidationMessage;
import io.osmhub.api.problem.Mistake;
import java.util.Comparator;
import java.util.List;

/** One schema of the contract, and how to say what does not fit it. */
public final class CheckedSchema {
    private final JsonSchema schema;
    private final JsonNode document;

    CheckedSchema(JsonSchema schema, JsonNode document) {
        this.schema = schema;
        this.document = document;
    }

    /** What is wrong with a value, each with its place in it and a cure; empty when it fits. */
    public List<Mistake> mistakes(JsonNode value) {
        return schema.validate(value).stream()
                .map(message -> SchemaMistakes.say(message, document))
                .sorted(Comparator.comparing(Mistake::pointer))
                .toList();
    }

    /** The same in the library's words, for developers. */
    List<String> plainMistakes(JsonNode value) {
        return schema.validate(value).stream().map(ValidationMessage::toString).toList();
    }
}
