package io.osmhub.sim.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.sim.objects.JsonTrees;
import io.osmhub.sim.objects.ResourceType;
import io.osmhub.sim.objects.ResourceType.TableColumn;
import io.osmhub.sim.objects.StoredObject;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.format.DateTimeParseException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Objects as the rows that {@code kubectl get} prints. */
record ObjectTables(InstantSource clock) {
    /** The part of JSONPath that printer columns use: {@code .a.b}, {@code ['a']}, {@code [0]}, {@code [?(@.type=="Ready")]}. */
    private static final Pattern STEP = Pattern.compile(
            "\\.((?:[^.\\[\\\\]|\\\\.)+)|\\[['\"]([^'\"]*)['\"]\\]|\\[(\\d+|\\*)\\]|\\[\\?\\(@\\.([^=!<> ]+)\\s*==\\s*[\"']([^\"']*)[\"']\\)\\]");

    private static final TableColumn NAME =
            new TableColumn("Name", "string", "name", "Name must be unique within a namespace.", 0, ".metadata.name");

    /** A table of these objects. {@code include} is kubectl's parameter: {@code None}, {@code Metadata} or {@code Object}. */
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
            define(definitions, NAME);
            type.columns().forEach(column -> define(definitions, column));
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
        type.columns().forEach(column -> addCell(cells, column, find(tree, column.path())));
        switch (include) {
            case "None" -> {}
            case "Object" -> row.set("object", JsonTrees.readOwn(type.whole(object.body())));
            default -> row.set("object", ResponseEncoding.partial(object));
        }
        return row;
    }

    private void addCell(ArrayNode cells, TableColumn column, JsonNode found) {
        boolean absent = found.isMissingNode() || found.isNull();
        if (column.format().equals("count")) {
            cells.add(found.size());
        } else if (column.type().equals("date")) {
            cells.add(absent ? "<unknown>" : age(found.asText()));
        } else if (column.type().equals("string")) {
            cells.add(absent ? "" : found.isValueNode() ? found.asText() : found.toString());
        } else {
            cells.add(absent ? null : found);
        }
    }

    /** The node at a path; a missing node if there is none, or if the path is not supported. */
    private static JsonNode find(JsonNode tree, String path) {
        Matcher step = STEP.matcher(path);
        JsonNode node = tree;
        for (int at = 0; at < path.length(); at = step.end()) {
            if (!step.find(at) || step.start() != at) {
                return MissingNode.getInstance();
            }
            node = follow(node, step);
        }
        return node;
    }

    private static JsonNode follow(JsonNode node, Matcher step) {
        if (step.group(1) != null) {
            return node.path(step.group(1).replace("\\", ""));
        }
        if (step.group(2) != null) {
            return node.path(step.group(2));
        }
        if (step.group(3) != null) {
            return node.path(step.group(3).equals("*") ? 0 : Integer.parseInt(step.group(3)));
        }
        for (JsonNode element : node) {
            if (JsonTrees.text(element, step.group(4).split("\\.")).equals(step.group(5))) {
                return element;
            }
        }
        return MissingNode.getInstance();
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
        long minutes = seconds / 60;
        if (seconds < 120) {
            return seconds + "s";
        }
        if (minutes < 180) {
            return minutes + "m" + (minutes < 10 && seconds % 60 > 0 ? seconds % 60 + "s" : "");
        }
        long hours = minutes / 60;
        return hours < 48 ? hours + "h" : hours / 24 + "d";
    }
}
