package io.osmhub.sim.objects;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.sim.json.JsonTrees;
import io.osmhub.sim.resource.ResourceCatalog;
import io.osmhub.sim.resource.ResourceKey;
import io.osmhub.sim.resource.ResourceType;
import io.osmhub.sim.resource.ResourceType.ScalePaths;
import io.osmhub.sim.resource.ResourceType.Traits;
import io.osmhub.sim.resource.TableColumn;
import io.osmhub.sim.schema.CustomResourceSchema;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Serves what CustomResourceDefinitions define. */
final class DefinitionServing {
    private DefinitionServing() {}

    /** Puts into a definition's status what the real server writes there once the kind is served. */
    static void establish(ObjectNode definition, String now) {
        JsonNode spec = definition.path("spec");
        ObjectNode status = JsonTrees.child(definition, "status");
        status.set("acceptedNames", spec.path("names").deepCopy());
        ArrayNode conditions = status.putArray("conditions");
        condition(conditions, "NamesAccepted", "NoConflicts", "no conflicts found", now);
        condition(conditions, "Established", "InitialNamesAccepted", "the initial names have been accepted", now);
        List<String> stored = new ArrayList<>(JsonTrees.texts(status.path("storedVersions")));
        for (JsonNode version : spec.path("versions")) {
            String name = JsonTrees.text(version, "name");
            if (version.path("storage").asBoolean() && !stored.contains(name)) {
                stored.add(name);
            }
        }
        status.set("storedVersions", JsonTrees.arrayOf(stored));
    }

    /** Serves the definition's kinds from now on. */
    static void serve(JsonNode definition, ResourceCatalog catalog) {
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
                JsonTrees.text(definition, "spec", "group"), JsonTrees.text(definition, "spec", "names", "plural"));
    }

    private static ResourceType type(JsonNode spec, JsonNode version) {
        JsonNode names = spec.path("names");
        List<TableColumn> columns = new ArrayList<>();
        for (JsonNode column : version.path("additionalPrinterColumns")) {
            columns.add(new TableColumn(
                    JsonTrees.text(column, "name"),
                    JsonTrees.text(column, "type"),
                    JsonTrees.text(column, "format"),
                    JsonTrees.text(column, "description"),
                    column.path("priority").asInt(),
                    JsonTrees.text(column, "jsonPath")));
        }
        if (columns.isEmpty()) {
            columns.add(TableColumn.age());
        }
        Traits traits = new Traits(
                JsonTrees.text(spec, "scope").equals("Namespaced"),
                version.path("subresources").has("status"),
                scale(version.path("subresources").path("scale")),
                false,
                true,
                false,
                JsonTrees.texts(names.path("shortNames")),
                columns,
                new CustomResourceSchema(version.path("schema").path("openAPIV3Schema")));
        return new ResourceType(
                JsonTrees.text(spec, "group"),
                JsonTrees.text(version, "name"),
                JsonTrees.text(names, "plural"),
                JsonTrees.text(names, "singular"),
                JsonTrees.text(names, "kind"),
                traits);
    }

    private static @Nullable ScalePaths scale(JsonNode scale) {
        return scale.isObject()
                ? new ScalePaths(JsonTrees.text(scale, "specReplicasPath"), JsonTrees.text(scale, "statusReplicasPath"))
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
