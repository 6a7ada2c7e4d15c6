package io.osmhub.api.contract;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.osmhub.api.problem.RequestError;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A parameter of an operation.
 *
 * @param in part of the request
 * @param type of the value, or of the items of a list
 * @param list whether it is a comma-separated list
 * @param defaultValue as it would be sent; empty if there is none
 */
public record ContractParameter(
        RequestError.RequestPart in,
        String name,
        boolean required,
        Type type,
        boolean list,
        Optional<String> defaultValue,
        String example,
        String description,
        ContractSchemaValidator schema) {
    private static final Pattern INTEGER = Pattern.compile("-?(0|[1-9][0-9]{0,17})");
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    /** Type of a value. */
    public enum Type {
        STRING,
        INTEGER,
        BOOLEAN
    }

    static ContractParameter read(ContractOperation.ContractNode place, ContractSchemas schemas) {
        JsonNode node = place.node();
        ContractOperation.ContractNode declared = place.child("schema");
        ContractOperation.ContractNode schema = declared.resolveReference();
        boolean list = schema.node().path("type").asText().equals("array");
        String type = list
                ? schema.child("items").resolveReference().node().path("type").asText()
                : schema.node().path("type").asText();
        JsonNode defaultValue = schema.node().path("default");
        JsonNode example = node.path("example");
        return new ContractParameter(
                RequestError.RequestPart.valueOf(node.path("in").asText().toUpperCase(Locale.ROOT)),
                node.path("name").asText(),
                node.path("required").asBoolean(),
                switch (type) {
                    case "integer" -> Type.INTEGER;
                    case "boolean" -> Type.BOOLEAN;
                    default -> Type.STRING;
                },
                list,
                defaultValue.isMissingNode() ? Optional.empty() : Optional.of(defaultValue.asText()),
                example.isArray() ? String.join(",", place.child("example").texts()) : example.asText(),
                node.path("description").asText(),
                schemas.getSchema(declared.pointer()));
    }

    boolean isIn(RequestError.RequestPart part) {
        return in == part;
    }

    /** The items of a raw value. */
    List<String> splitValue(String sent) {
        return list ? Arrays.asList(sent.split(",", -1)) : List.of(sent);
    }

    /** Errors of a raw value; empty if it is valid. */
    List<RequestError> validate(String sent) {
        JsonNode value;
        if (list) {
            ArrayNode items = NODES.arrayNode();
            splitValue(sent).forEach(item -> items.add(node(item)));
            value = items;
        } else {
            value = node(sent);
        }
        return schema.validate(value).stream()
                .map(mistake -> new RequestError(in, name, "", null, named(mistake.detail()), mistake.cure()))
                .distinct()
                .toList();
    }

    private String named(String detail) {
        return name + " " + detail;
    }

    /** Parsed as the schema's type if possible; else as text, which the schema rejects. */
    private JsonNode node(String item) {
        return switch (type) {
            case INTEGER ->
                INTEGER.matcher(item).matches() ? LongNode.valueOf(Long.parseLong(item)) : TextNode.valueOf(item);
            case BOOLEAN ->
                item.equals("true") || item.equals("false")
                        ? BooleanNode.valueOf(item.equals("true"))
                        : TextNode.valueOf(item);
            case STRING -> TextNode.valueOf(item);
        };
    }
}
