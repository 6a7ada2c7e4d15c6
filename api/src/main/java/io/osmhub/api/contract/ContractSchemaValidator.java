package io.osmhub.api.contract;

import com.fasterxml.jackson.databind.JsonNode;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.ValidationMessage;
import io.osmhub.api.problem.RequestError;
import java.util.Comparator;
import java.util.List;

/** Validates values against one schema of the contract. */
public final class ContractSchemaValidator {
    private final JsonSchema schema;
    private final JsonNode document;

    ContractSchemaValidator(JsonSchema schema, JsonNode document) {
        this.schema = schema;
        this.document = document;
    }

    /** Errors of a value, each with its location and a fix; empty if it is valid. */
    public List<RequestError> validate(JsonNode value) {
        return schema.validate(value).stream()
                .map(message -> SchemaErrorMapper.toRequestError(message, document))
                .sorted(Comparator.comparing(RequestError::pointer))
                .toList();
    }

    /** The library's messages, for developers. */
    List<String> validateRaw(JsonNode value) {
        return schema.validate(value).stream().map(ValidationMessage::toString).toList();
    }
}
