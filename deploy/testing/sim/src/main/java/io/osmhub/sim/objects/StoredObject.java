package io.osmhub.sim.objects;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * One object at one revision: JSON text without {@code kind} and {@code apiVersion}, because the trees of thousands of clusters would use
 * too much memory, and the fields for lookups. {@code namespace} is empty for a cluster-scoped object; {@code owners} are the UIDs of its
 * owner references. The body is shared and must not be changed.
 */
public record StoredObject(
        String namespace,
        String name,
        String uid,
        long revision,
        Map<String, String> labels,
        List<String> owners,
        byte[] body) {
    /** The metadata of the tree must be complete. */
    public static StoredObject of(ObjectNode tree, long revision) {
        ObjectNode bare = tree;
        if (tree.has("kind") || tree.has("apiVersion")) {
            bare = JsonTrees.object();
            bare.setAll(tree);
            bare.remove(List.of("kind", "apiVersion"));
        }
        JsonNode metadata = tree.path("metadata");
        List<String> owners = new ArrayList<>(0);
        for (JsonNode owner : metadata.path("ownerReferences")) {
            owners.add(JsonTrees.text(owner, "uid"));
        }
        return new StoredObject(
                JsonTrees.text(metadata, "namespace"),
                JsonTrees.text(metadata, "name"),
                JsonTrees.text(metadata, "uid"),
                revision,
                Map.copyOf(JsonTrees.textMap(metadata.path("labels"))),
                List.copyOf(owners),
                JsonTrees.bytes(bare));
    }

    /** A copy of the object, without {@code kind} and {@code apiVersion}. */
    public ObjectNode tree() {
        return JsonTrees.readOwn(body);
    }
}
