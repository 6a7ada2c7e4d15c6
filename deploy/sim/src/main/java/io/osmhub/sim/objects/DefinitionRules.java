package io.osmhub.sim.objects;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.sim.json.JsonTrees;
import io.osmhub.sim.status.ApiError.Cause;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** CustomResourceDefinitions: names and versions. */
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
        String wanted = JsonTrees.text(spec, "names", "plural") + "." + JsonTrees.text(spec, "group");
        String name = JsonTrees.text(written, "metadata", "name");
        if (!name.equals(wanted)) {
            causes.add(new Cause(
                    "metadata.name",
                    "FieldValueInvalid",
                    "Invalid value: \"%s\": must be spec.names.plural+\".\"+spec.group".formatted(name)));
        }
        if (JsonTrees.text(spec, "scope").isEmpty()) {
            causes.add(new Cause("spec.scope", "FieldValueRequired", "Required value"));
        }
        int stored = 0;
        for (JsonNode version : spec.path("versions")) {
            stored += version.path("storage").asBoolean() ? 1 : 0;
            if (version.path("schema").path("openAPIV3Schema").isMissingNode()) {
                causes.add(new Cause(
                        "spec.versions[%s].schema.openAPIV3Schema".formatted(JsonTrees.text(version, "name")),
                        "FieldValueRequired",
                        "Required value: schemas are required"));
            }
        }
        if (stored != 1) {
            causes.add(new Cause(
                    "spec.versions",
                    "FieldValueInvalid",
                    "Invalid value: must have exactly one version marked as storage version"));
        }
        if (old != null && !JsonTrees.text(old, "spec", "scope").equals(JsonTrees.text(spec, "scope"))) {
            causes.add(new Cause("spec.scope", "FieldValueInvalid", "Invalid value: field is immutable"));
        }
        return causes;
    }
}
