package io.osmhub.core.document;

import io.osmhub.core.emit.json.JsonWriter;

/** Writes part of a document as compact JSON. */
public final class JsonText {
    private JsonText() {}

    public static String of(Node node) {
        StringBuilder out = new StringBuilder();
        write(node, out);
        return out.toString();
    }

    private static void write(Node node, StringBuilder out) {
        switch (node) {
            case Node.Scalar scalar -> {
                switch (scalar.kind()) {
                    case NULL -> out.append("null");
                    case BOOL, INTEGER, DECIMAL -> out.append(scalar.text());
                    case TEXT -> out.append(JsonWriter.quote(scalar.text()));
                }
            }
            case Node.Items items -> {
                char separator = '[';
                for (Node item : items.nodes()) {
                    out.append(separator);
                    write(item, out);
                    separator = ',';
                }
                out.append(items.nodes().isEmpty() ? "[]" : "]");
            }
            case Node.Fields object -> {
                char separator = '{';
                for (Node.Field field : object.fields()) {
                    out.append(separator).append(JsonWriter.quote(field.name())).append(':');
                    write(field.value(), out);
                    separator = ',';
                }
                out.append(object.fields().isEmpty() ? "{}" : "}");
            }
        }
    }
}
