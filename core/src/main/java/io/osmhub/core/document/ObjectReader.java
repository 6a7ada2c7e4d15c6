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
 * Reads the fields of one object. Nothing is thrown: each mistake is collected with its field path and a default stands in,
 * so that reading goes on. A null counts as left out, as it does for the API server.
 */
public final class ObjectReader {
    private final Node.@Nullable Fields object;
    private final String path;
    private final Mistakes mistakes;
    private final Set<String> known = new LinkedHashSet<>();

    private ObjectReader(Node.@Nullable Fields object, String path, Mistakes mistakes) {
        this.object = object;
        this.path = path;
        this.mistakes = mistakes;
    }

    /** Reads a node that should be an object; {@code path} is empty for a document's root. */
    public static ObjectReader of(Node node, String path, Mistakes mistakes) {
        if (node instanceof Node.Fields fields) {
            return new ObjectReader(fields, path, mistakes);
        }
        mistakes.add(path, "must be an object, not " + node.describe(), "");
        return new ObjectReader(null, path, mistakes);
    }

    public Mistakes mistakes() {
        return mistakes;
    }

    /** Path of the object, or of one of its fields. */
    public String path(String field) {
        return path.isEmpty() ? field : field.isEmpty() ? path : path + "." + field;
    }

    /** Whether the field is there and not null. */
    public boolean has(String field) {
        return value(field) != null;
    }

    /** The node of a field; null when it is left out or null. */
    public @Nullable Node value(String field) {
        known.add(field);
        Node node = object == null ? null : object.get(field);
        return node instanceof Node.Scalar(Node.Kind kind, String text, Position at) && kind == Node.Kind.NULL
                ? null
                : node;
    }

    /** A string that must be there. */
    public String requiredText(String field) {
        if (!has(field)) {
            missing(field);
        }
        return text(field, "");
    }

    public String text(String field, String otherwise) {
        String text = text(field);
        return text == null ? otherwise : text;
    }

    public @Nullable String text(String field) {
        Node node = value(field);
        return node == null ? null : text(node, path(field));
    }

    private String text(Node node, String at) {
        if (node instanceof Node.Scalar scalar) {
            if (scalar.kind() != Node.Kind.TEXT) {
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

    @SuppressWarnings("NullAway") // three states are the point: true, false, left out
    public @Nullable Boolean bool(String field) {
        Node node = value(field);
        if (node == null) {
            return null;
        }
        if (node instanceof Node.Scalar scalar && scalar.kind() == Node.Kind.BOOL) {
            return scalar.text().equals("true");
        }
        mistakes.add(path(field), "must be a boolean, not " + node.describe(), "write true or false");
        return null;
    }

    /** A whole number in a range; null when it is left out or wrong. */
    public @Nullable Integer integer(String field, int least, int most) {
        Node node = value(field);
        if (node == null) {
            return null;
        }
        if (node instanceof Node.Scalar scalar && scalar.kind() == Node.Kind.INTEGER) {
            try {
                int value = Integer.parseInt(scalar.text());
                if (value >= least && value <= most) {
                    return value;
                }
            } catch (NumberFormatException e) {
                // Beyond 32 bits, so beyond the range too.
            }
            mistakes.add(path(field), scalar.text() + " is out of range", "use " + least + " to " + most);
            return null;
        }
        mistakes.add(path(field), "must be a whole number, not " + node.describe(), "");
        return null;
    }

    /** One of the given words; {@code otherwise} when it is left out or none of them. */
    public <T> T oneOf(String field, T otherwise, List<T> values, Function<T, String> wireName) {
        String text = text(field);
        T value = text == null ? null : oneOf(text, path(field), values, wireName);
        return value == null ? otherwise : value;
    }

    /** A list of some of the given words; empty when it is left out, and without those that are none of them. */
    public <T> List<T> eachOf(String field, List<T> values, Function<T, String> wireName) {
        return items(field, (node, at) -> Optional.ofNullable(oneOf(text(node, at), at, values, wireName))).stream()
                .flatMap(Optional::stream)
                .toList();
    }

    private <T> @Nullable T oneOf(String text, String at, List<T> values, Function<T, String> wireName) {
        List<String> names = values.stream().map(wireName).toList();
        int index = names.indexOf(text);
        if (index >= 0) {
            return values.get(index);
        }
        String suggestion = Mistakes.didYouMean(text, names);
        mistakes.add(
                at,
                "\"" + text + "\" is not known",
                suggestion.isEmpty() ? "use one of " + String.join(", ", names) : suggestion);
        return null;
    }

    /** An object; null when it is left out. */
    public @Nullable ObjectReader object(String field) {
        Node node = value(field);
        return node == null ? null : of(node, path(field), mistakes);
    }

    /** An object whose fields all count as left out when it is left out itself. */
    public ObjectReader objectOrEmpty(String field) {
        ObjectReader reader = object(field);
        return reader == null ? new ObjectReader(null, path(field), mistakes) : reader;
    }

    /** An object that must be there. */
    public ObjectReader requiredObject(String field) {
        if (!has(field)) {
            missing(field);
        }
        return objectOrEmpty(field);
    }

    /** A list of objects; empty when it is left out. */
    public <T> List<T> objects(String field, Function<ObjectReader, T> read) {
        return items(field, (node, at) -> read.apply(of(node, at, mistakes)));
    }

    public List<String> texts(String field) {
        return items(field, this::text);
    }

    private <T> List<T> items(String field, BiFunction<Node, String, T> read) {
        Node node = value(field);
        if (node == null) {
            return List.of();
        }
        if (!(node instanceof Node.Items(List<Node> nodes, Position at))) {
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

    /** A map in the order of the text; empty when it is left out. */
    public <T> Map<String, T> map(String field, BiFunction<Node, String, T> read) {
        ObjectReader object = object(field);
        return object == null ? Map.of() : object.entries(read);
    }

    /** All fields of this object, as a map. */
    public <T> Map<String, T> entries(BiFunction<Node, String, T> read) {
        if (object == null) {
            return Map.of();
        }
        Map<String, T> values = new LinkedHashMap<>();
        for (Node.Field field : object.fields()) {
            known.add(field.name());
            values.put(field.name(), read.apply(field.value(), path + "[" + field.name() + "]"));
        }
        return Collections.unmodifiableMap(values);
    }

    /** A map of strings inside a map. */
    public Map<String, String> textMap(Node node, String at) {
        return of(node, at, mistakes).entries(this::text);
    }

    public void missing(String field) {
        mistakes.add(path(field), "is missing", "");
    }

    /** Reports the fields that nobody asked for. Called last. */
    public void refuseUnknown() {
        if (object == null) {
            return;
        }
        for (Node.Field field : object.fields()) {
            if (!known.contains(field.name())) {
                mistakes.add(path(field.name()), "unknown field", Mistakes.didYouMean(field.name(), known));
            }
        }
    }
}
