package io.osmhub.sim.patch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.sim.json.JsonTrees;
import io.osmhub.sim.status.ApiError;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** JSON patch, RFC 6902. A patch that is malformed is a bad request; one that does not fit the object is unprocessable. */
public final class JsonPatch {
    private JsonPatch() {}

    /** The patched object; the target is not changed. */
    public static ObjectNode apply(ObjectNode target, JsonNode patch) {
        if (!patch.isArray()) {
            throw ApiError.badRequest("error decoding patch: a JSON patch is an array of operations");
        }
        ObjectNode result = target.deepCopy();
        for (JsonNode operation : patch) {
            apply(result, operation, JsonTrees.text(operation, "op"), pointer(operation, "path"));
        }
        return result;
    }

    private static void apply(ObjectNode target, JsonNode operation, String op, List<String> path) {
        switch (op) {
            case "add" -> add(target, path, value(operation));
            case "replace" -> {
                remove(target, path);
                add(target, path, value(operation));
            }
            case "remove" -> remove(target, path);
            case "test" -> test(target, path, operation.path("value"));
            case "copy" ->
                add(target, path, require(target, pointer(operation, "from")).deepCopy());
            case "move" -> {
                List<String> from = pointer(operation, "from");
                JsonNode moved = require(target, from).deepCopy();
                remove(target, from);
                add(target, path, moved);
            }
            default -> throw ApiError.badRequest("error decoding patch: unexpected kind: " + op);
        }
    }

    private static void test(ObjectNode target, List<String> path, JsonNode wanted) {
        JsonNode found = find(target, path);
        boolean nothingWanted = wanted.isNull() || wanted.isMissingNode();
        boolean holds = found == null || found.isNull() ? nothingWanted : found.equals(wanted);
        if (!holds) {
            throw ApiError.unprocessable();
        }
    }

    private static JsonNode value(JsonNode operation) {
        if (!operation.has("value")) {
            throw ApiError.unprocessable();
        }
        return operation.get("value").deepCopy();
    }

    private static void add(ObjectNode target, List<String> path, JsonNode value) {
        if (path.isEmpty()) {
            target.removeAll();
            target.setAll((ObjectNode) value);
            return;
        }
        String last = path.getLast();
        JsonNode parent = require(target, path.subList(0, path.size() - 1));
        if (parent instanceof ObjectNode object) {
            object.set(last, value);
        } else if (parent instanceof ArrayNode array) {
            int index = last.equals("-") ? array.size() : index(last, array.size());
            array.insert(index, value);
        } else {
            throw ApiError.unprocessable();
        }
    }

    private static void remove(ObjectNode target, List<String> path) {
        JsonNode parent = path.isEmpty() ? null : find(target, path.subList(0, path.size() - 1));
        if (parent instanceof ObjectNode object && object.has(path.getLast())) {
            object.remove(path.getLast());
        } else if (parent instanceof ArrayNode array) {
            array.remove(index(path.getLast(), array.size() - 1));
        } else {
            throw ApiError.unprocessable();
        }
    }

    private static JsonNode require(ObjectNode target, List<String> path) {
        JsonNode found = find(target, path);
        if (found == null) {
            throw ApiError.unprocessable();
        }
        return found;
    }

    private static @Nullable JsonNode find(ObjectNode target, List<String> path) {
        JsonNode node = target;
        for (String step : path) {
            if (node instanceof ArrayNode array) {
                node = step.matches("\\d{1,6}") ? array.path(Integer.parseInt(step)) : array.path(-1);
            } else {
                node = node.path(step);
            }
        }
        return node.isMissingNode() ? null : node;
    }

    private static int index(String text, int max) {
        int index = text.matches("\\d{1,6}") ? Integer.parseInt(text) : -1;
        if (index < 0 || index > max) {
            throw ApiError.unprocessable();
        }
        return index;
    }

    private static List<String> pointer(JsonNode operation, String field) {
        String text = JsonTrees.text(operation, field);
        if (text.isEmpty()) {
            return List.of();
        }
        return Arrays.stream(text.substring(1).split("/", -1))
                .map(step -> step.replace("~1", "/").replace("~0", "~"))
                .toList();
    }
}
