package io.osmhub.workersync.fake;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** JSON Patch (RFC 6902): test, add, replace, remove. */
final class JsonPatch {
    private JsonPatch() {}

    /** A {@code test} operation failed. */
    static final class TestFailed extends Exception {
        private static final long serialVersionUID = 1L;
    }

    static ObjectNode apply(ObjectNode object, JsonNode patch) throws TestFailed {
        for (JsonNode step : patch) {
            JsonPointer path = JsonPointer.compile(step.path("path").asText());
            JsonNode parent = object.at(path.head());
            String last = path.last().getMatchingProperty();
            switch (step.path("op").asText()) {
                case "test" -> {
                    // As in an API server, absent is null.
                    JsonNode found = object.at(path);
                    if (!(found.isMissingNode() ? NullNode.instance : found).equals(step.path("value"))) {
                        throw new TestFailed();
                    }
                }
                case "add", "replace" -> {
                    switch (parent) {
                        case ObjectNode in -> in.set(last, step.path("value"));
                        case ArrayNode in when last.equals("-") -> in.add(step.path("value"));
                        case ArrayNode in -> in.insert(Integer.parseInt(last), step.path("value"));
                        default -> throw new TestFailed();
                    }
                }
                case "remove" -> {
                    switch (parent) {
                        case ObjectNode in -> in.remove(last);
                        case ArrayNode in -> in.remove(Integer.parseInt(last));
                        default -> throw new TestFailed();
                    }
                }
                default -> throw new IllegalArgumentException("unknown step: " + step);
            }
        }
        return object;
    }
}
