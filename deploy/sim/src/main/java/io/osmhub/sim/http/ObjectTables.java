package io.osmhub.sim.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.sim.json.JsonTrees;
import io.osmhub.sim.resource.ResourceType;
import io.osmhub.sim.resource.TableColumn;
import io.osmhub.sim.store.StoredObject;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.format.DateTimeParseException;
import java.util.Locale;

/** Objects as the rows that {@code kubectl get} prints. */
final class ObjectTables {
    private final InstantSource clock;

    ObjectTables(InstantSource clock) {
        this.clock = clock;
    }

    /** A table of these objects. {@code include} is what kubectl asks for: {@code Unchanged}, {@code Metadata} or {@code Object}. */
    ObjectNode table(
            ResourceType type,
            Iterable<StoredObject> objects,
            ObjectNode listMetadata,
            String include,
            boolean headers) {
        ObjectNode table = JsonTrees.object();
        table.put("kind", "Table").put("apiVersion", "meta.k8s.io/v1").set("metadata", listMetadata);
        ArrayNode definitions = table.putArray("columnDefinitions");
        if (headers) {
            define(
                    definitions,
                    new TableColumn("Name", "string", "name", "Name must be unique within a namespace.", 0, ""));
            type.traits().columns().forEach(column -> define(definitions, column));
        }
        ArrayNode rows = table.putArray("rows");
        objects.forEach(object -> rows.add(row(type, object, include)));
        return table;
    }

    private static void define(ArrayNode definitions, TableColumn column) {
        definitions
                .addObject()
                .put("name", column.name())
                .put("type", column.type().equals("date") ? "string" : column.type())
                .put("format", column.format().equals("count") ? "" : column.format())
                .put("description", column.description())
                .put("priority", column.priority());
    }

    private ObjectNode row(ResourceType type, StoredObject object, String include) {
        ObjectNode tree = object.tree();
        ObjectNode row = JsonTrees.object();
        ArrayNode cells = row.putArray("cells").add(object.name());
        type.traits().columns().forEach(column -> cells.add(cell(tree, column)));
        switch (include) {
            case "None" -> {}
            case "Object" -> row.set("object", JsonTrees.readOwn(type.whole(object.body())));
            default -> {
                ObjectNode partial = row.putObject("object");
                partial.put("kind", "PartialObjectMetadata").put("apiVersion", "meta.k8s.io/v1");
                partial.set("metadata", tree.get("metadata"));
            }
        }
        return row;
    }

    private JsonNode cell(ObjectNode tree, TableColumn column) {
        JsonNode found = ColumnPath.find(tree, column.path());
        if (column.format().equals("count")) {
            return JsonTrees.array().add(found.size()).get(0);
        }
        if (found.isMissingNode() || found.isNull()) {
            return column.type().equals("string") || column.type().equals("date")
                    ? JsonTrees.array()
                            .add(column.type().equals("date") ? "<unknown>" : "")
                            .get(0)
                    : JsonTrees.array().addNull().get(0);
        }
        if (column.type().equals("date")) {
            return JsonTrees.array().add(age(found.asText())).get(0);
        }
        if (column.type().equals("string")) {
            return JsonTrees.array()
                    .add(found.isValueNode() ? found.asText() : found.toString())
                    .get(0);
        }
        return found;
    }

    private String age(String timestamp) {
        try {
            return formatAge(Duration.between(Instant.parse(timestamp), clock.instant()));
        } catch (DateTimeParseException noTime) {
            return "<invalid>";
        }
    }

    private static String formatAge(Duration age) {
        long seconds = Math.max(0, age.toSeconds());
        if (seconds < 120) {
            return seconds + "s";
        }
        long minutes = seconds / 60;
        if (minutes < 10) {
            return seconds % 60 == 0 ? minutes + "m" : String.format(Locale.ROOT, "%dm%ds", minutes, seconds % 60);
        }
        if (minutes < 180) {
            return minutes + "m";
        }
        long hours = minutes / 60;
        return hours < 48 ? hours + "h" : hours / 24 + "d";
    }
}
