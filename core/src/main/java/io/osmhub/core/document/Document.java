package io.osmhub.core.document;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BigIntegerNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.DecimalNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.JsonNodeType;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.osmhub.core.problem.Finding;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One document and what messages call it: a file's name, or kind and name of an object. */
public record Document(String source, Node root) {
    /** A document of the API: no part of it has a position. */
    public static Document of(String source, JsonNode json) {
        return new Document(source, node(json));
    }

    private static Node node(JsonNode json) {
        JsonNodeType type = json.getNodeType();
        return switch (type) {
            case OBJECT -> {
                List<Node.Field> fields = new ArrayList<>(json.size());
                for (Map.Entry<String, JsonNode> field : json.properties()) {
                    fields.add(new Node.Field(field.getKey(), node(field.getValue()), Position.NONE));
                }
                yield new Node.Fields(fields, Position.NONE);
            }
            case ARRAY -> {
                List<Node> items = new ArrayList<>(json.size());
                json.forEach(item -> items.add(node(item)));
                yield new Node.Items(items, Position.NONE);
            }
            case STRING -> new Node.Scalar(Node.Kind.TEXT, json.textValue(), Position.NONE);
            case BOOLEAN -> new Node.Scalar(Node.Kind.BOOL, json.asText(), Position.NONE);
            case NUMBER ->
                new Node.Scalar(
                        json.isIntegralNumber() ? Node.Kind.INTEGER : Node.Kind.DECIMAL,
                        json.toString(),
                        Position.NONE);
            case NULL, MISSING -> new Node.Scalar(Node.Kind.NULL, "", Position.NONE);
            case BINARY, POJO -> throw new IllegalArgumentException("no JSON: " + type);
        };
    }

    /** A part of a document without its positions. */
    public static JsonNode json(Node node) {
        return switch (node) {
            case Node.Fields fields -> {
                ObjectNode object = JsonNodeFactory.instance.objectNode();
                fields.fields().forEach(field -> object.set(field.name(), json(field.value())));
                yield object;
            }
            case Node.Items items -> {
                ArrayNode array = JsonNodeFactory.instance.arrayNode();
                items.nodes().forEach(item -> array.add(json(item)));
                yield array;
            }
            case Node.Scalar(Node.Kind kind, String text, Position _) ->
                switch (kind) {
                    case NULL -> NullNode.getInstance();
                    case BOOL -> BooleanNode.valueOf(text.equals("true"));
                    case INTEGER -> BigIntegerNode.valueOf(new BigInteger(text));
                    case DECIMAL -> DecimalNode.valueOf(new BigDecimal(text));
                    case TEXT -> TextNode.valueOf(text);
                };
        };
    }

    /** The value at a field path; null when it is not there. */
    public @Nullable Node find(String field) {
        Locator locator = new Locator(field);
        locator.in(root);
        return locator.found;
    }

    /** Where a field stands; the nearest part around it that is there. */
    public Position positionOf(String field) {
        Position found = new Locator(field).in(root);
        return found.known() ? found : root.position();
    }

    /** Where the field of a finding stands in this document's text; the nearest part around it that is there. */
    public Position positionOf(Finding finding) {
        String field = finding.field();
        if (field.isEmpty()) {
            return new Position(finding.line(), finding.column());
        }
        Position found = new Locator(field).in(root);
        if (!found.known()) {
            // Messages shorten the long way into a MachineDeployment.
            found = new Locator("spec.template.spec." + field).in(root);
        }
        return found.known() ? found : root.position();
    }

    /** Walks a field path such as {@code spec.files[3].content}, {@code metadata.annotations[a.b/c]} or {@code annotation a.b/c}. */
    private static final class Locator {
        private static final String ANNOTATION = "annotation ";
        private final String path;
        private int at;

        /** Set when the whole path was walked. */
        private @Nullable Node found;

        Locator(String path) {
            this.path = path.startsWith(ANNOTATION)
                    ? "metadata.annotations[" + path.substring(ANNOTATION.length()) + "]"
                    : path;
        }

        Position in(Node root) {
            Node node = root;
            Position position = Position.NONE;
            while (at < path.length() && path.charAt(at) != ' ') {
                Node.@Nullable Field field = null;
                if (path.charAt(at) == '[') {
                    int end = path.indexOf(']', at);
                    if (end < 0) {
                        return position;
                    }
                    String key = path.substring(at + 1, end);
                    at = end + 1;
                    if (node instanceof Node.Items(List<Node> nodes, Position ignored)) {
                        int index = index(key);
                        if (index < 0 || index >= nodes.size()) {
                            return position;
                        }
                        node = nodes.get(index);
                        position = node.position();
                        continue;
                    }
                    field = node instanceof Node.Fields fields ? fields.field(key) : null;
                } else {
                    String name = name();
                    field = node instanceof Node.Fields fields ? fields.field(name) : null;
                }
                if (field == null) {
                    return position;
                }
                node = field.value();
                position = field.position();
            }
            found = node;
            return position;
        }

        private String name() {
            int start = path.charAt(at) == '.' ? at + 1 : at;
            int end = start;
            while (end < path.length() && ".[ ".indexOf(path.charAt(end)) < 0) {
                end++;
            }
            at = end;
            return path.substring(start, end);
        }

        private static int index(String text) {
            int value = 0;
            for (int i = 0; i < text.length(); i++) {
                int digit = text.charAt(i) - '0';
                if (digit < 0 || digit > 9 || value > 1_000_000) {
                    return -1;
                }
                value = value * 10 + digit;
            }
            return text.isEmpty() ? -1 : value;
        }
    }
}
