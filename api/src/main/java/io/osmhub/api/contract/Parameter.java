package io.osmhub.api.contract;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.osmhub.api.problem.Mistake;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A parameter of an operation.
 *
 * @param in part of the request that it is sent in
 * @param type of the value, or of the items of a list
 * @param list whether it is several values separated by commas
 * @param defaultValue as it would be sent; empty when there is none
 */
public record Parameter(
        Mistake.In in,
        String name,
        boolean required,
        Type type,
        boolean list,
        Optional<String> defaultValue,
        String example,
        String description,
        CheckedSchema schema) {
    private static final Pattern INTEGER = Pattern.compile("-?(0|[1-9][0-9]{0,17})");
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    /** What a value is read as. */
    public enum Type {
        STRING,
        INTEGER,
        BOOLEAN
    }

    static Parameter read(ContractOperation.Place place, Schemas schemas) {
        JsonNode node = place.node();
        ContractOperation.Place declared = place.to("schema");
        ContractOperation.Place schema = declared.resolved();
        boolean list = schema.node().path("type").asText().equals("array");
        String type = list
                ? schema.to("items").resolved().node().path("type").asText()
                : schema.node().path("type").asText();
        JsonNode defaultValue = schema.node().path("default");
        JsonNode example = node.path("example");
        return new Parameter(
                Mistake.In.valueOf(node.path("in").asText().toUpperCase(Locale.ROOT)),
                node.path("name").asText(),
                node.path("required").asBoolean(),
                switch (type) {
                    case "integer" -> Type.INTEGER;
                    case "boolean" -> Type.BOOLEAN;
                    default -> Type.STRING;
                },
                list,
                defaultValue.isMissingNode() ? Optional.empty() : Optional.of(defaultValue.asText()),
                example.isArray() ? String.join(",", place.to("example").texts()) : example.asText(),
                node.path("description").asText(),
                schemas.at(declared.pointer(), declared.node()));
    }

    /** Whether it is sent in this part. */
    boolean isIn(Mistake.In part) {
        return in == part;
    }

    /** The parts of a value that was sent. */
    List<String> parts(String sent) {
        return list ? Arrays.asList(sent.split(",", -1)) : List.of(sent);
    }

    /** What is wrong with a value that was sent; empty when it fits. */
    List<Mistake> check(String sent) {
        JsonNode value;
        if (list) {
            ArrayNode items = NODES.arrayNode();
            parts(sent).forEach(item -> items.add(node(item)));
            value = items;
        } else {
            value = node(sent);
        }
        return schema.mistakes(value).stream()
                .map(mistake -> new Mistake(in, name, "", null, named(mistake.detail()), mistake.cure()))
                .distinct()
                .toList();
    }

    private String named(String detail) {
        return name + " " + detail;
    }

    /** As the schema's type where it can be read as that; else as text, which the schema then refuses. */
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
