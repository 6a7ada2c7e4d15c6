package io.osmhub.sim.objects;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.sim.objects.ApiError.Cause;
import io.osmhub.sim.objects.ResourceType.ScalePaths;
import io.osmhub.sim.objects.ResourceType.TableColumn;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** CustomResourceDefinitions: their rules, and the kinds that they define. */
final class DefinitionRules implements KindRules {
    @Override
    public void prepare(@Nullable ObjectNode old, ObjectNode written) {
        ObjectNode spec = JsonTrees.child(written, "spec");
        ObjectNode names = JsonTrees.child(spec, "names");
        String kind = JsonTrees.text(names, "kind");
        if (JsonTrees.text(names, "singular").isEmpty()) {
            names.put("singular", kind.toLowerCase(Locale.ROOT));
        }
        if (JsonTrees.text(names, "listKind").isEmpty()) {
            names.put("listKind", kind + "List");
        }
        if (!spec.has("conversion")) {
            spec.putObject("conversion").put("strategy", "None");
        }
    }

    @Override
    public List<Cause> check(@Nullable ObjectNode old, ObjectNode written) {
        List<Cause> causes = new ArrayList<>();
        JsonNode spec = written.path("spec");
        String name = JsonTrees.text(written, "metadata", "name");
        if (!name.equals(JsonTrees.text(spec, "names", "plural") + "." + JsonTrees.text(spec, "group"))) {
            causes.add(Cause.invalid("metadata.name", "\"" + name + "\": must be spec.names.plural+\".\"+spec.group"));
        }
        String scope = JsonTrees.text(spec, "scope");
        if (scope.isEmpty()) {
            causes.add(Cause.required("spec.scope"));
        }
        int stored = 0;
        for (JsonNode version : spec.path("versions")) {
            stored += version.path("storage").asBoolean() ? 1 : 0;
            if (schema(version).isMissingNode()) {
                causes.add(new Cause(
                        "spec.versions[%s].schema.openAPIV3Schema".formatted(JsonTrees.text(version, "name")),
                        "FieldValueRequired",
                        "Required value: schemas are required"));
            }
        }
        if (stored != 1) {
            causes.add(Cause.invalid("spec.versions", "must have exactly one version marked as storage version"));
        }
        if (old != null && !JsonTrees.text(old, "spec", "scope").equals(scope)) {
            causes.add(Cause.invalid("spec.scope", "field is immutable"));
        }
        return causes;
    }

    /** Writes the status that the API server sets once the kind is served. */
    static void establish(ObjectNode definition, String now) {
        JsonNode spec = definition.path("spec");
        ObjectNode status = JsonTrees.child(definition, "status");
        status.set("acceptedNames", spec.path("names").deepCopy());
        ArrayNode conditions = status.putArray("conditions");
        addCondition(conditions, "NamesAccepted", "NoConflicts", "no conflicts found", now);
        addCondition(conditions, "Established", "InitialNamesAccepted", "the initial names have been accepted", now);
        List<String> stored = new ArrayList<>(JsonTrees.texts(status.path("storedVersions")));
        for (JsonNode version : spec.path("versions")) {
            String name = JsonTrees.text(version, "name");
            if (version.path("storage").asBoolean() && !stored.contains(name)) {
                stored.add(name);
            }
        }
        status.set("storedVersions", JsonTrees.arrayOf(stored));
    }

    private static void addCondition(ArrayNode conditions, String type, String reason, String message, String now) {
        conditions
                .addObject()
                .put("type", type)
                .put("status", "True")
                .put("lastTransitionTime", now)
                .put("reason", reason)
                .put("message", message);
    }

    /** Serves the definition's kinds from now on. */
    static void serve(JsonNode definition, ResourceCatalog catalog) {
        JsonNode spec = definition.path("spec");
        List<ResourceType> types = new ArrayList<>();
        for (JsonNode version : spec.path("versions")) {
            if (version.path("served").asBoolean()) {
                types.add(type(definition, version));
            }
        }
        catalog.define(key(definition), types);
    }

    static ResourceKey key(JsonNode definition) {
        return new ResourceKey(
                JsonTrees.text(definition, "spec", "group"), JsonTrees.text(definition, "spec", "names", "plural"));
    }

    private static ResourceType type(JsonNode definition, JsonNode version) {
        JsonNode names = JsonTrees.at(definition, "spec", "names");
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
        JsonNode subresources = version.path("subresources");
        JsonNode scale = subresources.path("scale");
        return new ResourceType(
                key(definition),
                JsonTrees.text(version, "name"),
                JsonTrees.text(names, "singular"),
                JsonTrees.text(names, "kind"),
                JsonTrees.text(definition, "spec", "scope").equals("Namespaced"),
                subresources.has("status"),
                scale.isObject()
                        ? new ScalePaths(
                                JsonTrees.text(scale, "specReplicasPath"), JsonTrees.text(scale, "statusReplicasPath"))
                        : null,
                true,
                false,
                JsonTrees.texts(names.path("shortNames")),
                columns.isEmpty() ? List.of(TableColumn.AGE) : columns,
                new CustomResourceSchema(schema(version)));
    }

    private static JsonNode schema(JsonNode version) {
        return JsonTrees.at(version, "schema", "openAPIV3Schema");
    }
}
