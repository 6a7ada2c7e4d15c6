package io.osmhub.api.contract;

import com.fasterxml.jackson.databind.JsonNode;
import com.networknt.schema.Error;
import com.networknt.schema.Schema;
import io.osmhub.api.problem.RequestError;
import io.osmhub.core.template.SpellingSuggestion;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/** Validates values against one schema of the contract. */
public final class ContractSchemaValidator {
    private static final int LISTED = 12;

    private final Schema schema;
    private final JsonNode document;

    ContractSchemaValidator(Schema schema, JsonNode document) {
        this.schema = schema;
        this.document = document;
    }

    /** The library's schema, for tests. */
    Schema schema() {
        return schema;
    }

    /** Errors of a value, each with its location and a fix; empty if it is valid. */
    public List<RequestError> validate(JsonNode value) {
        return schema.validate(value).stream()
                .map(error -> toRequestError(error, document))
                .sorted(Comparator.comparing(RequestError::pointer))
                .toList();
    }

    /** The library's messages, for developers. */
    List<String> validateRaw(JsonNode value) {
        return schema.validate(value).stream().map(Error::toString).toList();
    }

    /** An error in the body; the text continues the name of its subject. */
    private static RequestError toRequestError(Error error, JsonNode document) {
        String pointer = String.valueOf(error.getInstanceLocation());
        JsonNode rule = error.getSchemaNode();
        return switch (error.getKeyword()) {
            case "additionalProperties", "unevaluatedProperties" -> unknownField(error, pointer, document);
            case "required" ->
                RequestError.body(
                        pointer + "/" + ContractOperation.escape(error.getProperty()),
                        "is missing",
                        "add " + error.getProperty());
            case "type" -> RequestError.body(pointer, "is not " + types(rule), "");
            case "enum" -> notListed(error, pointer, rule);
            case "const" -> RequestError.body(pointer, "is not " + rule, "write " + rule.asText());
            case "pattern" -> RequestError.body(pointer, "does not match " + rule.asText(), "");
            case "minLength" -> RequestError.body(pointer, "is shorter than " + characters(rule), "");
            case "maxLength" -> RequestError.body(pointer, "is longer than " + characters(rule), "");
            case "minimum" -> RequestError.body(pointer, "is less than " + rule, "write " + rule + " or more");
            case "maximum" -> RequestError.body(pointer, "is more than " + rule, "write " + rule + " or less");
            case "minItems" -> RequestError.body(pointer, "has fewer than " + rule + " items", "");
            case "maxItems" -> RequestError.body(pointer, "has more than " + rule + " items", "");
            case "uniqueItems" -> RequestError.body(pointer, "has an item twice", "");
            case "minProperties" -> RequestError.body(pointer, "has fewer than " + rule + " fields", "");
            case "maxProperties" -> RequestError.body(pointer, "has more than " + rule + " fields", "");
            case "format" -> RequestError.body(pointer, "is not a " + rule.asText(), "");
            case "oneOf", "anyOf" -> RequestError.body(pointer, "matches none of the alternatives in the contract", "");
            default -> RequestError.body(pointer, "violates the contract (" + error.getKeyword() + ")", "");
        };
    }

    private static RequestError unknownField(Error error, String pointer, JsonNode document) {
        String field = String.valueOf(error.getProperty());
        List<String> known = siblings(error, document);
        Optional<String> meant = SpellingSuggestion.findClosest(field, known);
        String cure = meant.map(word -> "did you mean " + word + "?")
                .orElse(known.isEmpty() ? "leave it out" : "write one of " + listed(known));
        return RequestError.body(pointer + "/" + ContractOperation.escape(field), "is not a known field", cure);
    }

    /** Fields of the violated schema: its node is the parent of the keyword that the error names. */
    private static List<String> siblings(Error error, JsonNode document) {
        String location = error.getSchemaLocation().getFragment().toString();
        int end = location.lastIndexOf('/');
        JsonNode owner = document.at(location.substring(location.indexOf('/'), Math.max(end, location.indexOf('/'))));
        List<String> names = new ArrayList<>();
        owner.path("properties").fieldNames().forEachRemaining(names::add);
        return names;
    }

    private static RequestError notListed(Error error, String pointer, JsonNode rule) {
        List<String> words = StreamSupport.stream(rule.spliterator(), false)
                .map(JsonNode::asText)
                .toList();
        JsonNode given = error.getInstanceNode();
        Optional<String> meant = given != null && given.isTextual()
                ? SpellingSuggestion.findClosest(given.asText(), words)
                : Optional.empty();
        return RequestError.body(
                pointer,
                "is none of " + listed(words),
                meant.map(word -> "did you mean " + word + "?").orElse("write one of them"));
    }

    private static String types(JsonNode rule) {
        return rule.isArray()
                ? StreamSupport.stream(rule.spliterator(), false)
                        .map(type -> article(type.asText()))
                        .collect(Collectors.joining(" or "))
                : article(rule.asText());
    }

    private static String article(String type) {
        return switch (type) {
            case "integer" -> "a whole number";
            case "array" -> "a list";
            case "object" -> "an object";
            case "null" -> "null";
            case "boolean" -> "true or false";
            default -> "a " + type;
        };
    }

    private static String characters(JsonNode rule) {
        return rule.asInt() == 1 ? "1 character" : rule + " characters";
    }

    private static String listed(List<String> words) {
        return words.size() <= LISTED
                ? String.join(", ", words)
                : String.join(", ", words.subList(0, LISTED)) + " and " + (words.size() - LISTED) + " more";
    }
}
