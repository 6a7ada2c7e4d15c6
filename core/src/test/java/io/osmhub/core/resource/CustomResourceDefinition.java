package io.osmhub.core.resource;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.core.schema.OpenApiSchemaWriter;
import io.osmhub.core.schema.Schema;
import java.util.List;
import java.util.Locale;

/**
 * A kind of the hub, as registered in the management cluster.
 *
 * @param plural lower-case plural, the name in URLs and of the definition
 * @param columns of {@code kubectl get}, after the name
 * @param selectableFields paths for field selectors
 * @param schema of the whole object
 */
public record CustomResourceDefinition(
        String group,
        String version,
        String kind,
        String plural,
        String shortName,
        List<PrinterColumn> columns,
        List<String> selectableFields,
        Schema.ObjectSchema schema) {
    public CustomResourceDefinition {
        columns = List.copyOf(columns);
        selectableFields = List.copyOf(selectableFields);
    }

    /** Name of the definition object, for example {@code workerclusters.osmhub.io}. */
    public String name() {
        return plural + "." + group;
    }

    @Override
    public String toString() {
        return name();
    }

    /** The definition as an object for the API server. */
    public ObjectNode manifest() {
        ObjectNode manifest = JsonNodeFactory.instance.objectNode();
        manifest.put("apiVersion", "apiextensions.k8s.io/v1");
        manifest.put("kind", "CustomResourceDefinition");
        ObjectNode metadata = manifest.putObject("metadata");
        metadata.put("name", name());
        metadata.putObject("labels")
                .put("app.kubernetes.io/name", "osm-hub")
                .put("app.kubernetes.io/part-of", "osm-hub");
        metadata.putObject("annotations").put(SchemaRevision.ANNOTATION, Integer.toString(SchemaRevision.CURRENT));
        ObjectNode spec = manifest.putObject("spec");
        spec.put("group", group);
        spec.put("scope", "Namespaced");
        ObjectNode names = spec.putObject("names");
        names.put("kind", kind);
        names.put("listKind", kind + "List");
        names.put("plural", plural);
        names.put("singular", kind.toLowerCase(Locale.ROOT));
        names.putArray("shortNames").add(shortName);
        names.putArray("categories").add("osmhub");
        spec.putArray("versions").add(versionNode());
        return manifest;
    }

    private ObjectNode versionNode() {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        node.put("name", version);
        node.put("served", true);
        node.put("storage", true);
        node.putObject("subresources").putObject("status");
        if (!selectableFields.isEmpty()) {
            ArrayNode fields = node.putArray("selectableFields");
            selectableFields.forEach(path -> fields.addObject().put("jsonPath", path));
        }
        ArrayNode printed = node.putArray("additionalPrinterColumns");
        for (PrinterColumn column : columns) {
            ObjectNode entry = printed.addObject();
            entry.put("name", column.name());
            entry.put("type", column.type());
            entry.put("jsonPath", column.jsonPath());
            if (column.wide()) {
                entry.put("priority", 1);
            }
            if (!column.description().isEmpty()) {
                entry.put("description", column.description());
            }
        }
        node.putObject("schema").set("openAPIV3Schema", OpenApiSchemaWriter.write(schema));
        return node;
    }
}
