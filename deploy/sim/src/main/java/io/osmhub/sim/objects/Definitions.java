package io.osmhub.sim.objects;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.sim.json.Json;
import io.osmhub.sim.resource.Catalog;
import io.osmhub.sim.resource.PrinterColumn;
import io.osmhub.sim.resource.ResourceKey;
import io.osmhub.sim.resource.ResourceType;
import io.osmhub.sim.resource.ResourceType.ScalePaths;
import io.osmhub.sim.resource.ResourceType.Traits;
import io.osmhub.sim.schema.Schema;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Serves what CustomResourceDefinitions define. */
final class Definitions {
    private Definitions() {}

    /** Puts into a definition's status what the real server writes there once the kind is served. */
    static void establish(ObjectNode definition, String now) {
        JsonNode spec = definition.path("spec");
        ObjectNode status = Json.child(definition, "status");
        status.set("acceptedNames", spec.path("names").deepCopy());
        ArrayNode conditions = status.putArray("conditions");
        condition(conditions, "NamesAccepted", "NoConflicts", "no conflicts found", now);
        condition(conditions, "Established", "InitialNamesAccepted", "the initial names have been accepted", now);
        List<String> stored = new ArrayList<>(Json.texts(status.path("storedVersions")));
        for (JsonNode version : spec.path("versions")) {
            String name = Json.text(version, "name");
            if (version.path("storage").asBoolean() && !stored.contains(name)) {
                stored.add(name);
            }
        }
        status.set("storedVersions", Json.arrayOf(stored));
    }

    /** Serves the definition's kinds from now on. */
    static void serve(JsonNode definition, Catalog catalog) {
        JsonNode spec = definition.path("spec");
        List<ResourceType> types = new ArrayList<>();
        for (JsonNode version : spec.path("versions")) {
            if (version.path("served").asBoolean()) {
                types.add(type(spec, version));
            }
        }
        catalog.define(key(definition), types);
    }

    static ResourceKey key(JsonNode definition) {
        return new ResourceKey(
                Json.text(definition, "spec", "group"), Json.text(definition, "spec", "names", "plural"));
    }

    private static ResourceType type(JsonNode spec, JsonNode version) {
        JsonNode names = spec.path("names");
        List<PrinterColumn> columns = new ArrayList<>();
        for (JsonNode column : version.path("additionalPrinterColumns")) {
            columns.add(new PrinterColumn(
                    Json.text(column, "name"),
                    Json.text(column, "type"),
                    Json.text(column, "format"),
                    Json.text(column, "description"),
                    column.path("priority").asInt(),
                    Json.text(column, "jsonPath")));
        }
        if (columns.isEmpty()) {
            columns.add(PrinterColumn.age());
        }
        Traits traits = new Traits(
                Json.text(spec, "scope").equals("Namespaced"),
                version.path("subresources").has("status"),
                scale(version.path("subresources").path("scale")),
                false,
                true,
                false,
                Json.texts(names.path("shortNames")),
                columns,
                new Schema(version.path("schema").path("openAPIV3Schema")));
        return new ResourceType(
                Json.text(spec, "group"),
                Json.text(version, "name"),
                Json.text(names, "plural"),
                Json.text(names, "singular"),
                Json.text(names, "kind"),
                traits);
    }

    private static @Nullable ScalePaths scale(JsonNode scale) {
        return scale.isObject()
                ? new ScalePaths(Json.text(scale, "specReplicasPath"), Json.text(scale, "statusReplicasPath"))
                : null;
    }

    private static void condition(ArrayNode conditions, String type, String reason, String message, String now) {
        conditions
                .addObject()
                .put("type", type)
                .put("status", "True")
                .put("lastTransitionTime", now)
                .put("reason", reason)
                .put("message", message);
    }
}
