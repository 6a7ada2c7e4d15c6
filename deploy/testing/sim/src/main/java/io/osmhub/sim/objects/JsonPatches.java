package io.osmhub.sim.objects;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.zjsonpatch.JsonPatch;
import io.fabric8.zjsonpatch.JsonPatchException;
import java.util.Map;
import java.util.Set;

/** JSON patch (RFC 6902) and JSON merge patch (RFC 7396). No method changes its arguments. */
public final class JsonPatches {
    private static final Set<String> OPERATIONS = Set.of("add", "replace", "remove", "test", "copy", "move");
    // The library ignores an absent target.
    private static final Set<String> NEEDS_TARGET = Set.of("replace", "remove");

    private JsonPatches() {}

    /** Applies a JSON patch. A malformed patch is a bad request; one that does not fit the object is unprocessable. */
    public static ObjectNode applyJsonPatch(ObjectNode target, JsonNode patch) {
        if (!patch.isArray()) {
            throw ApiError.badRequest("error decoding patch: a JSON patch is an array of operations");
        }
        JsonNode result = target.deepCopy();
        for (JsonNode operation : patch) {
            String name = JsonTrees.text(operation, "op");
            if (!OPERATIONS.contains(name)) {
                throw ApiError.badRequest("error decoding patch: unexpected kind: " + name);
            }
            try {
                JsonNode current = result.at(JsonTrees.text(operation, "path"));
                if (NEEDS_TARGET.contains(name) && current.isMissingNode()) {
                    throw ApiError.unprocessable();
                }
                // As in the library of the real server, a test for null passes if the field is absent.
                boolean testsForNull = name.equals("test") && JsonTrees.isNull(operation.path("value"));
                if (!testsForNull || !JsonTrees.isNull(current)) {
                    result = JsonPatch.apply(JsonTrees.array().add(operation), result);
                }
            } catch (JsonPatchException | IllegalArgumentException | ClassCastException doesNotFit) {
                throw ApiError.unprocessable();
            }
        }
        if (result instanceof ObjectNode object) {
            return object;
        }
        throw ApiError.unprocessable();
    }

    /** Applies a merge patch. */
    public static ObjectNode applyMergePatch(ObjectNode target, ObjectNode patch) {
        ObjectNode result = target.deepCopy();
        for (Map.Entry<String, JsonNode> field : patch.properties()) {
            String name = field.getKey();
            if (field.getValue().isNull()) {
                result.remove(name);
            } else if (field.getValue() instanceof ObjectNode nested) {
                ObjectNode into = result.get(name) instanceof ObjectNode existing ? existing : JsonTrees.object();
                result.set(name, applyMergePatch(into, nested));
            } else {
                result.set(name, field.getValue().deepCopy());
            }
        }
        return result;
    }
}
