package io.osmhub.api.contract;

import com.fasterxml.jackson.databind.JsonNode;
import com.networknt.schema.ValidationMessage;
import io.osmhub.api.problem.Mistake;
import io.osmhub.core.problem.Suggestion;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/** Says what does not fit a schema. No value of the request is repeated: it may be a credential. */
final class SchemaMistakes {
    private static final int LISTED = 12;

    private SchemaMistakes() {}

    /** A mistake in the body; the sentence goes on from the name of what it is about. */
    static Mistake say(ValidationMessage message, JsonNode document) {
        String pointer = String.valueOf(message.getInstanceLocation());
        JsonNode rule = message.getSchemaNode();
        return switch (message.getType()) {
            case "additionalProperties", "unevaluatedProperties" -> unknownField(message, pointer, document);
            case "required" ->
                Mistake.body(
                        pointer + "/" + ContractOperation.escape(message.getProperty()),
                        "is missing",
                        "add " + message.getProperty());
            case "type" -> Mistake.body(pointer, "is not " + types(rule), "");
            case "enum" -> notListed(message, pointer, rule);
            case "const" -> Mistake.body(pointer, "is not " + rule, "write " + rule.asText());
            case "pattern" -> Mistake.body(pointer, "does not match " + rule.asText(), "");
            case "minLength" -> Mistake.body(pointer, "is shorter than " + characters(rule), "");
            case "maxLength" -> Mistake.body(pointer, "is longer than " + characters(rule), "");
            case "minimum" -> Mistake.body(pointer, "is less than " + rule, "write " + rule + " or more");
            case "maximum" -> Mistake.body(pointer, "is more than " + rule, "write " + rule + " or less");
            case "minItems" -> Mistake.body(pointer, "has fewer than " + rule + " items", "");
            case "maxItems" -> Mistake.body(pointer, "has more than " + rule + " items", "");
            case "uniqueItems" -> Mistake.body(pointer, "has an item twice", "");
            case "minProperties" -> Mistake.body(pointer, "has fewer than " + rule + " fields", "");
            case "maxProperties" -> Mistake.body(pointer, "has more than " + rule + " fields", "");
            case "format" -> Mistake.body(pointer, "is not a " + rule.asText(), "");
            case "oneOf", "anyOf" -> Mistake.body(pointer, "is none of the forms that the contract gives for it", "");
            default -> Mistake.body(pointer, "does not fit the contract (" + message.getType() + ")", "");
        };
    }

    private static Mistake unknownField(ValidationMessage message, String pointer, JsonNode document) {
        String field = String.valueOf(message.getProperty());
        List<String> known = siblings(message, document);
        Optional<String> meant = Suggestion.closest(field, known);
        String cure = meant.map(word -> "did you mean " + word + "?")
                .orElse(known.isEmpty() ? "leave it out" : "write one of " + listed(known));
        return Mistake.body(pointer + "/" + ContractOperation.escape(field), "is not a known field", cure);
    }

    /** The fields of the schema that refused one: its node is one level above the keyword that the message names. */
    private static List<String> siblings(ValidationMessage message, JsonNode document) {
        String location = message.getSchemaLocation().getFragment().toString();
        int end = location.lastIndexOf('/');
        JsonNode owner = document.at(location.substring(location.indexOf('/'), Math.max(end, location.indexOf('/'))));
        List<String> names = new ArrayList<>();
        owner.path("properties").fieldNames().forEachRemaining(names::add);
        return names;
    }

    private static Mistake notListed(ValidationMessage message, String pointer, JsonNode rule) {
        List<String> words = StreamSupport.stream(rule.spliterator(), false)
                .map(JsonNode::asText)
                .toList();
        JsonNode given = message.getInstanceNode();
        Optional<String> meant =
                given != null && given.isTextual() ? Suggestion.closest(given.asText(), words) : Optional.empty();
        return Mistake.body(
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
