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
import io.osmhub.core.problem.ProblemFinding;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One document with its name in messages: a file's name, or kind and name of an object. */
public record SourceDocument(String source, DocumentNode root) {
    /** A document of the API, without positions. */
    public static SourceDocument of(String source, JsonNode json) {
        return new SourceDocument(source, node(json));
    }

    private static DocumentNode node(JsonNode json) {
        JsonNodeType type = json.getNodeType();
        return switch (type) {
            case OBJECT -> {
                List<DocumentNode.Field> fields = new ArrayList<>(json.size());
                for (Map.Entry<String, JsonNode> field : json.properties()) {
                    fields.add(new DocumentNode.Field(field.getKey(), node(field.getValue()), SourcePosition.NONE));
                }
                yield new DocumentNode.Fields(fields, SourcePosition.NONE);
            }
            case ARRAY -> {
                List<DocumentNode> items = new ArrayList<>(json.size());
                json.forEach(item -> items.add(node(item)));
                yield new DocumentNode.Items(items, SourcePosition.NONE);
            }
            case STRING -> new DocumentNode.Scalar(DocumentNode.Kind.TEXT, json.textValue(), SourcePosition.NONE);
            case BOOLEAN -> new DocumentNode.Scalar(DocumentNode.Kind.BOOL, json.asText(), SourcePosition.NONE);
            case NUMBER ->
                new DocumentNode.Scalar(
                        json.isIntegralNumber() ? DocumentNode.Kind.INTEGER : DocumentNode.Kind.DECIMAL,
                        json.toString(),
                        SourcePosition.NONE);
            case NULL, MISSING -> new DocumentNode.Scalar(DocumentNode.Kind.NULL, "", SourcePosition.NONE);
            case BINARY, POJO -> throw new IllegalArgumentException("not JSON: " + type);
        };
    }

    /** A part of a document without its positions. */
    public static JsonNode json(DocumentNode node) {
        return switch (node) {
            case DocumentNode.Fields fields -> {
                ObjectNode object = JsonNodeFactory.instance.objectNode();
                fields.fields().forEach(field -> object.set(field.name(), json(field.value())));
                yield object;
            }
            case DocumentNode.Items items -> {
                ArrayNode array = JsonNodeFactory.instance.arrayNode();
                items.nodes().forEach(item -> array.add(json(item)));
                yield array;
            }
            case DocumentNode.Scalar(DocumentNode.Kind kind, String text, SourcePosition _) ->
                switch (kind) {
                    case NULL -> NullNode.getInstance();
                    case BOOL -> BooleanNode.valueOf(text.equals("true"));
                    case INTEGER -> BigIntegerNode.valueOf(new BigInteger(text));
                    case DECIMAL -> DecimalNode.valueOf(new BigDecimal(text));
                    case TEXT -> TextNode.valueOf(text);
                };
        };
    }

    /** The value at a field path; null if missing. */
    public @Nullable DocumentNode find(String field) {
        Locator locator = new Locator(field);
        locator.in(root);
        return locator.found;
    }

    /** Position of a field, or of the nearest existing parent. */
    public SourcePosition positionOf(String field) {
        SourcePosition found = new Locator(field).in(root);
        return found.isKnown() ? found : root.position();
    }

    /** Position of a finding's field in this document's text, or of the nearest existing parent. */
    public SourcePosition positionOf(ProblemFinding finding) {
        String field = finding.field();
        if (field.isEmpty()) {
            return new SourcePosition(finding.line(), finding.column());
        }
        SourcePosition found = new Locator(field).in(root);
        if (!found.isKnown()) {
            // Messages abbreviate the long path in a MachineDeployment.
            found = new Locator("spec.template.spec." + field).in(root);
        }
        return found.isKnown() ? found : root.position();
    }

    /**
     * Follows a field path such as {@code spec.files[3].content}, {@code metadata.annotations[a.b/c]} or {@code annotation a.b/c}.
     */
    private static final class Locator {
        private static final String ANNOTATION = "annotation ";
        private final String path;
        private int at;

        /** Set when the whole path exists. */
        private @Nullable DocumentNode found;

        Locator(String path) {
            this.path = path.startsWith(ANNOTATION)
                    ? "metadata.annotations[" + path.substring(ANNOTATION.length()) + "]"
                    : path;
        }

        SourcePosition in(DocumentNode root) {
            DocumentNode node = root;
            SourcePosition position = SourcePosition.NONE;
            while (at < path.length() && path.charAt(at) != ' ') {
                DocumentNode.@Nullable Field field = null;
                if (path.charAt(at) == '[') {
                    int end = path.indexOf(']', at);
                    if (end < 0) {
                        return position;
                    }
                    String key = path.substring(at + 1, end);
                    at = end + 1;
                    if (node instanceof DocumentNode.Items(List<DocumentNode> nodes, SourcePosition ignored)) {
                        int index = index(key);
                        if (index < 0 || index >= nodes.size()) {
                            return position;
                        }
                        node = nodes.get(index);
                        position = node.position();
                        continue;
                    }
                    field = node instanceof DocumentNode.Fields fields ? fields.field(key) : null;
                } else {
                    String name = name();
                    field = node instanceof DocumentNode.Fields fields ? fields.field(name) : null;
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
