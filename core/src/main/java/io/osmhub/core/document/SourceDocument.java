package io.osmhub.core.document;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.util.JsonRecyclerPools;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BigIntegerNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.DecimalNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.JsonNodeType;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.ProblemObject;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.SourcePosition;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One document with what it is for messages: a file, or an object.
 *
 * @param lines of the whole text, to find lines of a text field in it, for example of a template; empty without a text
 */
public record SourceDocument(ProblemObject source, DocumentNode root, List<String> lines) {
    private static final String ANNOTATION = "annotation ";
    private static final Pattern STEP = Pattern.compile("\\[([^]]*)]|\\.?([^.\\[ ]+)");
    private static final ObjectMapper JSON = JsonMapper.builder(JsonFactory.builder()
                    // Buffers are shared between threads, because a virtual thread lives for one rendering only.
                    .recyclerPool(JsonRecyclerPools.sharedConcurrentDequePool())
                    .build())
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
            .build();

    public SourceDocument {
        lines = List.copyOf(lines);
    }

    public SourceDocument(ProblemObject source, DocumentNode root) {
        this(source, root, List.of());
    }

    /** All documents of a file with their lines. Empty ones are left out, and a {@code List} is replaced by its items. */
    public static List<SourceDocument> readAll(String file, String text, Reason reason) {
        List<String> lines = text.lines().toList();
        return YamlDocumentReader.read(file, text, reason).stream()
                .flatMap(document -> document.withoutList().stream())
                .map(root -> new SourceDocument(ProblemObject.input(file), root, lines))
                .toList();
    }

    private List<DocumentNode> withoutList() {
        return text("kind").endsWith("List") && find("items") instanceof DocumentNode.Items items
                ? items.nodes()
                : List.of(root);
    }

    /** A document of the API, without positions. */
    public static SourceDocument of(ProblemObject source, JsonNode json) {
        return new SourceDocument(source, node(json));
    }

    /** Parses JSON text, without positions; null if it is not JSON. Numbers keep their digits. */
    public static @Nullable DocumentNode parseJson(String text) {
        try {
            JsonNode json = JSON.readTree(text);
            return json.isMissingNode() ? null : node(json);
        } catch (JsonProcessingException e) {
            // Its message quotes the text, which may be a credential.
            return null;
        }
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

    /** A part of a document as compact JSON text. */
    public static String jsonText(DocumentNode node) {
        return json(node).toString();
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
        return locate(field).node;
    }

    /** A scalar as text; empty if missing. */
    public String text(String field) {
        return find(field) instanceof DocumentNode.Scalar scalar ? scalar.text() : "";
    }

    /** Position of a field, or of the nearest existing parent. */
    public SourcePosition positionOf(String field) {
        SourcePosition found = locate(field).position;
        return found.isKnown() ? found : root.position();
    }

    /** A node, null if missing, and the position of its field or of the nearest existing parent's. */
    private record Located(@Nullable DocumentNode node, SourcePosition position) {}

    /** Follows a path such as {@code spec.files[3].content (label)}, {@code metadata.annotations[a.b/c]} or {@code annotation a.b/c}. */
    private Located locate(String field) {
        String path = field.startsWith(ANNOTATION)
                ? "metadata.annotations[" + field.substring(ANNOTATION.length()) + "]"
                : field;
        DocumentNode node = root;
        SourcePosition position = SourcePosition.NONE;
        Matcher step = STEP.matcher(path);
        int start = 0;
        while (start < path.length() && step.find(start) && step.start() == start) {
            String name = step.group(1) == null ? step.group(2) : step.group(1);
            if (node instanceof DocumentNode.Items items) {
                int index = name.matches("[0-9]{1,7}") ? Integer.parseInt(name) : Integer.MAX_VALUE;
                if (index >= items.nodes().size()) {
                    return new Located(null, position);
                }
                node = items.nodes().get(index);
                position = node.position();
            } else {
                DocumentNode.Field found = node instanceof DocumentNode.Fields fields ? fields.field(name) : null;
                if (found == null) {
                    return new Located(null, position);
                }
                node = found.value();
                position = found.position();
            }
            start = step.end();
        }
        boolean isWhole = start == path.length() || path.charAt(start) == ' ';
        return new Located(isWhole ? node : null, position);
    }

    /** Position of a finding in the file, or of the nearest existing parent. */
    public SourcePosition positionOf(Problem finding) {
        SourcePosition inField = finding.position();
        if (finding.field().isEmpty()) {
            return inField.line() > 0 ? new SourcePosition(inField.line(), inField.column()) : root.position();
        }
        SourcePosition field = locate(finding.field()).position;
        if (!field.isKnown()) {
            // Messages abbreviate the long path in a MachineDeployment.
            field = positionOf("spec.template.spec." + finding.field());
        }
        DocumentNode.Scalar text = inField.line() > 0 ? textAt(finding.field()) : null;
        return text == null || !text.position().isKnown() ? field : inText(text.position(), inField);
    }

    /** The text in which a finding counts lines: the field's, or for a file of a profile or an extension its content. */
    private DocumentNode.@Nullable Scalar textAt(String field) {
        DocumentNode node = find(field);
        if (node instanceof DocumentNode.Fields) {
            String content = field.split(" ", 2)[0] + ".content";
            node = find(content) instanceof DocumentNode.Scalar text ? text : find(content + ".inline.data");
        }
        return node instanceof DocumentNode.Scalar scalar ? scalar : null;
    }

    /** Position of a line of a text: exact in a literal block, else the start of the text. */
    private SourcePosition inText(SourcePosition start, SourcePosition inField) {
        if (start.line() > lines.size() || !lines.get(start.line() - 1).startsWith("|", start.column() - 1)) {
            return start;
        }
        // A block's indentation is that of its first non-blank line.
        int indent = lines.stream()
                .skip(start.line())
                .filter(line -> !line.isBlank())
                .findFirst()
                .map(line -> line.length() - line.stripLeading().length())
                .orElse(0);
        return new SourcePosition(start.line() + inField.line(), indent + Math.max(1, inField.column()));
    }
}
