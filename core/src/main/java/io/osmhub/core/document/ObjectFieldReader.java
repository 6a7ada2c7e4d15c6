package io.osmhub.core.document;

import io.osmhub.core.document.DocumentNode.Kind;
import io.osmhub.core.problem.SourcePosition;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reads the fields of one object. Throws nothing: each mistake is collected with its field path and a default is returned, so that
 * reading continues. A null counts as left out, as for the API server.
 */
public final class ObjectFieldReader {
    private static final DocumentNode.Fields EMPTY = new DocumentNode.Fields(List.of(), SourcePosition.NONE);

    private final DocumentNode.Fields object;
    private final String path;
    private final FindingsCollector findings;
    private final Strictness strictness;
    private final Set<String> known = new LinkedHashSet<>();

    private ObjectFieldReader(
            @Nullable DocumentNode node, String path, FindingsCollector findings, Strictness strictness) {
        this.object = node instanceof DocumentNode.Fields fields ? fields : EMPTY;
        this.path = path;
        this.findings = findings;
        this.strictness = strictness;
        if (node != null && object != node && !(strictness == Strictness.IGNORING_CASE && isNull(node))) {
            findings.add(path, "must be an object, not " + node.describe(), "");
        }
    }

    /** How an object and the objects below it are read. */
    private enum Strictness {
        STRICT,
        /** Missing and unknown fields are not mistakes. */
        LENIENT,
        /** As in Go: the case of names is ignored, the last of equal names wins, and null is the empty value. */
        IGNORING_CASE
    }

    /** Reads a node that must be an object; {@code path} is empty for a document's root. */
    public static ObjectFieldReader of(DocumentNode node, String path, FindingsCollector findings) {
        return new ObjectFieldReader(node, path, findings, Strictness.STRICT);
    }

    /** Reads JSON as Go's {@code encoding/json} does: the case of names is ignored, and null is the empty value. */
    public static ObjectFieldReader ofGoJson(DocumentNode node, String path, FindingsCollector findings) {
        return new ObjectFieldReader(node, path, findings, Strictness.IGNORING_CASE);
    }

    /**
     * The same object as stored by the API server, whose schema has checked it: here and below, missing and unknown fields are
     * not mistakes.
     */
    public ObjectFieldReader lenient() {
        return new ObjectFieldReader(object, path, findings, Strictness.LENIENT);
    }

    public FindingsCollector mistakes() {
        return findings;
    }

    /** Path of the object, or of one of its fields. */
    public String path(String field) {
        return path.isEmpty() ? field : field.isEmpty() ? path : path + "." + field;
    }

    /** Whether the field exists and is not null. */
    public boolean has(String field) {
        return value(field) != null;
    }

    /** The node of a field; null if left out or null. */
    public @Nullable DocumentNode value(String field) {
        known.add(field);
        DocumentNode node = object.get(field);
        if (strictness == Strictness.IGNORING_CASE) {
            for (DocumentNode.Field candidate : object.fields()) {
                node = candidate.name().equalsIgnoreCase(field) ? candidate.value() : node;
            }
        }
        return node == null || isNull(node) ? null : node;
    }

    private static boolean isNull(DocumentNode node) {
        return node instanceof DocumentNode.Scalar scalar && scalar.kind() == Kind.NULL;
    }

    /** A required string. */
    public String requiredText(String field) {
        reportMissing(field);
        return text(field, "");
    }

    public String text(String field, String otherwise) {
        String text = text(field);
        return text == null ? otherwise : text;
    }

    public @Nullable String text(String field) {
        DocumentNode node = value(field);
        return node == null ? null : text(node, path(field));
    }

    private String text(DocumentNode node, String at) {
        DocumentNode.Scalar scalar = node instanceof DocumentNode.Scalar found ? found : null;
        boolean empty = strictness == Strictness.IGNORING_CASE && isNull(node);
        if (!empty && (scalar == null || scalar.kind() != Kind.TEXT)) {
            findings.add(at, "must be a string, not " + node.describe(), scalar == null ? "" : "put it in quotes");
        }
        return scalar == null ? "" : scalar.text();
    }

    public boolean bool(String field, boolean otherwise) {
        Boolean value = bool(field);
        return value == null ? otherwise : value;
    }

    @SuppressWarnings("NullAway") // three states: true, false, left out
    public @Nullable Boolean bool(String field) {
        String text = scalar(field, Kind.BOOL, "a boolean", "write true or false");
        return text == null ? null : Boolean.valueOf(text);
    }

    /** An integer in a range; null if left out or invalid. */
    public @Nullable Integer integer(String field, int least, int most) {
        String text = scalar(field, Kind.INTEGER, "a whole number", "");
        if (text == null) {
            return null;
        }
        try {
            int value = Integer.parseInt(text);
            if (value >= least && value <= most) {
                return value;
            }
        } catch (NumberFormatException e) {
            // Beyond 32 bits, so also beyond the range.
        }
        findings.add(path(field), text + " is out of range", "use " + least + " to " + most);
        return null;
    }

    private @Nullable String scalar(String field, Kind kind, String expected, String cure) {
        DocumentNode node = value(field);
        if (node instanceof DocumentNode.Scalar scalar && scalar.kind() == kind) {
            return scalar.text();
        }
        if (node != null) {
            findings.add(path(field), "must be " + expected + ", not " + node.describe(), cure);
        }
        return null;
    }

    /** One of the given words; {@code otherwise} if left out or invalid. */
    public <T> T readChoice(String field, T otherwise, List<T> values, Function<T, String> wireName) {
        String text = text(field);
        return text == null
                ? otherwise
                : readChoice(text, path(field), values, wireName).orElse(otherwise);
    }

    /** A list of some of the given words without invalid ones; empty if left out. */
    public <T> List<T> readChoices(String field, List<T> values, Function<T, String> wireName) {
        return items(field, (node, at) -> readChoice(text(node, at), at, values, wireName)).stream()
                .flatMap(Optional::stream)
                .toList();
    }

    private <T> Optional<T> readChoice(String text, String at, List<T> values, Function<T, String> wireName) {
        List<String> names = values.stream().map(wireName).toList();
        int index = names.indexOf(text);
        if (index < 0) {
            String suggestion = FindingsCollector.suggestClosest(text, names);
            String cure = suggestion.isEmpty() ? "use one of " + String.join(", ", names) : suggestion;
            findings.add(at, "\"" + text + "\" is unknown", cure);
        }
        return index < 0 ? Optional.empty() : Optional.of(values.get(index));
    }

    /** An object; null if left out. */
    public @Nullable ObjectFieldReader object(String field) {
        return has(field) ? objectOrEmpty(field) : null;
    }

    /** An object; if left out, all of its fields count as left out. */
    public ObjectFieldReader objectOrEmpty(String field) {
        return new ObjectFieldReader(value(field), path(field), findings, strictness);
    }

    /** The object at a path of names separated by points; missing ones count as empty. */
    public ObjectFieldReader at(String fields) {
        ObjectFieldReader below = this;
        for (String field : fields.split("\\.")) {
            below = below.objectOrEmpty(field);
        }
        return below;
    }

    /** A required object. */
    public ObjectFieldReader requiredObject(String field) {
        reportMissing(field);
        return objectOrEmpty(field);
    }

    /** A list of objects; empty if left out. */
    public <T> List<T> objects(String field, Function<ObjectFieldReader, T> read) {
        return items(field, (node, at) -> read.apply(new ObjectFieldReader(node, at, findings, strictness)));
    }

    public List<String> texts(String field) {
        return items(field, this::text);
    }

    private <T> List<T> items(String field, BiFunction<DocumentNode, String, T> read) {
        DocumentNode node = value(field);
        List<T> values = new ArrayList<>();
        if (node instanceof DocumentNode.Items items) {
            for (DocumentNode item : items.nodes()) {
                values.add(read.apply(item, path(field) + "[" + values.size() + "]"));
            }
        } else if (node != null) {
            findings.add(path(field), "must be a list, not " + node.describe(), "");
        }
        return values;
    }

    public Map<String, String> textMap(String field) {
        return map(field, this::text);
    }

    /** A map of strings inside a map. */
    public Map<String, String> textMap(DocumentNode node, String at) {
        return new ObjectFieldReader(node, at, findings, strictness).entries(this::text);
    }

    /** A map in the order of the text; empty if left out. */
    public <T> Map<String, T> map(String field, BiFunction<DocumentNode, String, T> read) {
        return objectOrEmpty(field).entries(read);
    }

    /** All fields of this object, as a map. */
    public <T> Map<String, T> entries(BiFunction<DocumentNode, String, T> read) {
        Map<String, T> values = new LinkedHashMap<>();
        for (DocumentNode.Field field : object.fields()) {
            known.add(field.name());
            values.put(field.name(), read.apply(field.value(), path + "[" + field.name() + "]"));
        }
        return Collections.unmodifiableMap(values);
    }

    /** Reports a field that is left out. */
    public void reportMissing(String field) {
        if (strictness == Strictness.STRICT && !has(field)) {
            findings.add(path(field), "is missing", "");
        }
    }

    /** Reports the fields that were never read. Must be called last. */
    public void reportUnknownFields() {
        reportUnknownFields(findings);
    }

    /** Reports the fields that were never read, apart from the other mistakes. Must be called last. */
    public void reportUnknownFields(FindingsCollector unknown) {
        for (DocumentNode.Field field : strictness == Strictness.LENIENT ? EMPTY.fields() : object.fields()) {
            boolean isKnown = strictness == Strictness.IGNORING_CASE
                    ? known.stream().anyMatch(field.name()::equalsIgnoreCase)
                    : known.contains(field.name());
            if (!isKnown) {
                unknown.add(path(field.name()), "unknown field", FindingsCollector.suggestClosest(field.name(), known));
            }
        }
    }
}
