package io.osmhub.sim.objects;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.sim.json.JsonTrees;

/** Preconditions of a deletion, each empty when not asked for. Propagation is not among them: dependents always follow in the background. */
public record DeleteOptions(String uid, String resourceVersion, boolean dryRun) {
    /** No conditions. */
    public static final DeleteOptions NONE = new DeleteOptions("", "", false);

    /** Reads the body of a DELETE request. */
    public static DeleteOptions of(JsonNode body, boolean dryRun) {
        return new DeleteOptions(
                JsonTrees.text(body, "preconditions", "uid"),
                JsonTrees.text(body, "preconditions", "resourceVersion"),
                dryRun || !body.path("dryRun").isEmpty());
    }
}
