package io.osmhub.core.document;

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
    private final DocumentNode.@Nullable Fields object;
    private final String path;
    private final FindingsCollector mistakes;
    private final boolean strict;
    private final Set<String> known = new LinkedHashSet<>();

    private ObjectFieldReader(
            DocumentNode.@Nullable Fields object, String path, FindingsCollector mistakes, boolean strict) {
        this.object = object;
        this.path = path;
        this.mistakes = mistakes;
        this.strict = strict;
    }

    /** Reads a node that must be an object; {@code path} is empty for a document's root. */
    public static ObjectFieldReader of(DocumentNode node, String path, FindingsCollector mistakes) {
        return of(node, path, mistakes, true);
    }

    private static ObjectFieldReader of(DocumentNode node, String path, FindingsCollector mistakes, boolean strict) {
        if (node instanceof DocumentNode.Fields fields) {
            return new ObjectFieldReader(fields, path, mistakes, strict);
        }
        mistakes.add(path, "must be an object, not " + node.describe(), "");
        return new ObjectFieldReader(null, path, mistakes, strict);
    }

    /**
     * The same object as stored by the API server, whose schema has checked it: here and below, missing and unknown fields are
     * not mistakes.
     */
    public ObjectFieldReader lenient() {
        return new ObjectFieldReader(object, path, mistakes, false);
    }

    public FindingsCollector mistakes() {
        return mistakes;
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
        DocumentNode node = object == null ? null : object.get(field);
        return node instanceof DocumentNode.Scalar(DocumentNode.Kind kind, String text, SourcePosition at)
                        && kind == DocumentNode.Kind.NULL
                ? null
                : node;
    }

    /** A required string. */
    public String requiredText(String field) {
        if (!has(field)) {
            reportMissing(field);
        }
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
        if (node instanceof DocumentNode.Scalar scalar) {
            if (scalar.kind() != DocumentNode.Kind.TEXT) {
                mistakes.add(at, "must be a string, not " + scalar.describe(), "put it in quotes");
            }
            return scalar.text();
        }
        mistakes.add(at, "must be a string, not " + node.describe(), "");
        return "";
    }

    public boolean bool(String field, boolean otherwise) {
        Boolean value = bool(field);
        return value == null ? otherwise : value;
    }

    @SuppressWarnings("NullAway") // three states: true, false, left out
    public @Nullable Boolean bool(String field) {
        DocumentNode node = value(field);
        if (node == null) {
            return null;
        }
        if (node instanceof DocumentNode.Scalar scalar && scalar.kind() == DocumentNode.Kind.BOOL) {
            return scalar.text().equals("true");
        }
        mistakes.add(path(field), "must be a boolean, not " + node.describe(), "write true or false");
        return null;
    }

    /** An integer in a range; null if left out or invalid. */
    public @Nullable Integer integer(String field, int least, int most) {
        DocumentNode node = value(field);
        if (node == null) {
            return null;
        }
        if (node instanceof DocumentNode.Scalar scalar && scalar.kind() == DocumentNode.Kind.INTEGER) {
            try {
                int value = Integer.parseInt(scalar.text());
                if (value >= least && value <= most) {
                    return value;
                }
            } catch (NumberFormatException e) {
                // Beyond 32 bits, so also beyond the range.
            }
            mistakes.add(path(field), scalar.text() + " is out of range", "use " + least + " to " + most);
            return null;
        }
        mistakes.add(path(field), "must be a whole number, not " + node.describe(), "");
        return null;
    }

    /** One of the given words; {@code otherwise} if left out or invalid. */
    public <T> T readChoice(String field, T otherwise, List<T> values, Function<T, String> wireName) {
        String text = text(field);
        T value = text == null ? null : readChoice(text, path(field), values, wireName);
        return value == null ? otherwise : value;
    }

    /** A list of some of the given words without invalid ones; empty if left out. */
    public <T> List<T> readChoices(String field, List<T> values, Function<T, String> wireName) {
        return items(field, (node, at) -> Optional.ofNullable(readChoice(text(node, at), at, values, wireName)))
                .stream()
                .flatMap(Optional::stream)
                .toList();
    }

    private <T> @Nullable T readChoice(String text, String at, List<T> values, Function<T, String> wireName) {
        List<String> names = values.stream().map(wireName).toList();
        int index = names.indexOf(text);
        if (index >= 0) {
            return values.get(index);
        }
        String suggestion = FindingsCollector.suggestClosest(text, names);
        mistakes.add(
                at,
                "\"" + text + "\" is unknown",
                suggestion.isEmpty() ? "use one of " + String.join(", ", names) : suggestion);
        return null;
    }

    /** An object; null if left out. */
    public @Nullable ObjectFieldReader object(String field) {
        DocumentNode node = value(field);
        return node == null ? null : of(node, path(field), mistakes, strict);
    }

    /** An object; if left out, all of its fields count as left out. */
    public ObjectFieldReader objectOrEmpty(String field) {
        ObjectFieldReader reader = object(field);
        return reader == null ? new ObjectFieldReader(null, path(field), mistakes, strict) : reader;
    }

    /** A required object. */
    public ObjectFieldReader requiredObject(String field) {
        if (!has(field)) {
            reportMissing(field);
        }
        return objectOrEmpty(field);
    }

    /** A list of objects; empty if left out. */
    public <T> List<T> objects(String field, Function<ObjectFieldReader, T> read) {
        return items(field, (node, at) -> read.apply(of(node, at, mistakes, strict)));
    }

    public List<String> texts(String field) {
        return items(field, this::text);
    }

    private <T> List<T> items(String field, BiFunction<DocumentNode, String, T> read) {
        DocumentNode node = value(field);
        if (node == null) {
            return List.of();
        }
        if (!(node instanceof DocumentNode.Items(List<DocumentNode> nodes, SourcePosition at))) {
            mistakes.add(path(field), "must be a list, not " + node.describe(), "");
            return List.of();
        }
        List<T> values = new ArrayList<>(nodes.size());
        for (int i = 0; i < nodes.size(); i++) {
            values.add(read.apply(nodes.get(i), path(field) + "[" + i + "]"));
        }
        return values;
    }

    public Map<String, String> textMap(String field) {
        return map(field, this::text);
    }

    /** A map in the order of the text; empty if left out. */
    public <T> Map<String, T> map(String field, BiFunction<DocumentNode, String, T> read) {
        ObjectFieldReader object = object(field);
        return object == null ? Map.of() : object.entries(read);
    }

    /** All fields of this object, as a map. */
    public <T> Map<String, T> entries(BiFunction<DocumentNode, String, T> read) {
        if (object == null) {
            return Map.of();
        }
        Map<String, T> values = new LinkedHashMap<>();
        for (DocumentNode.Field field : object.fields()) {
            known.add(field.name());
            values.put(field.name(), read.apply(field.value(), path + "[" + field.name() + "]"));
        }
        return Collections.unmodifiableMap(values);
    }

    /** A map of strings inside a map. */
    public Map<String, String> textMap(DocumentNode node, String at) {
        return of(node, at, mistakes, strict).entries(this::text);
    }

    public void reportMissing(String field) {
        if (strict) {
            mistakes.add(path(field), "is missing", "");
        }
    }

    /** Reports the fields that were never read. Must be called last. */
    public void reportUnknownFields() {
        if (object == null || !strict) {
            return;
        }
        for (DocumentNode.Field field : object.fields()) {
            if (!known.contains(field.name())) {
                mistakes.add(
                        path(field.name()), "unknown field", FindingsCollector.suggestClosest(field.name(), known));
            }
        }
    }
}
