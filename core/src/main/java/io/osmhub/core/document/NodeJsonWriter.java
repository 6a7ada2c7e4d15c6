package io.osmhub.core.document;

import io.osmhub.core.emit.json.JsonWriter;

/** Writes part of a document as compact JSON. */
public final class NodeJsonWriter {
    private NodeJsonWriter() {}

    public static String write(DocumentNode node) {
        StringBuilder out = new StringBuilder();
        write(node, out);
        return out.toString();
    }

    private static void write(DocumentNode node, StringBuilder out) {
        switch (node) {
            case DocumentNode.Scalar scalar -> {
                switch (scalar.kind()) {
                    case NULL -> out.append("null");
                    case BOOL, INTEGER, DECIMAL -> out.append(scalar.text());
                    case TEXT -> out.append(JsonWriter.quote(scalar.text()));
                }
            }
            case DocumentNode.Items items -> {
                char separator = '[';
                for (DocumentNode item : items.nodes()) {
                    out.append(separator);
                    write(item, out);
                    separator = ',';
                }
                out.append(items.nodes().isEmpty() ? "[]" : "]");
            }
            case DocumentNode.Fields object -> {
                char separator = '{';
                for (DocumentNode.Field field : object.fields()) {
                    out.append(separator).append(JsonWriter.quote(field.name())).append(':');
                    write(field.value(), out);
                    separator = ',';
                }
                out.append(object.fields().isEmpty() ? "{}" : "}");
            }
        }
    }
}
