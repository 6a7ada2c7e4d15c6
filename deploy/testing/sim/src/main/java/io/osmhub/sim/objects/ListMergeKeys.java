package io.osmhub.sim.objects;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The lists of a kind that are merged element by element, and the fields that identify an element; all others are replaced completely.
 * A path names the fields down to a list, without indices: {@code status.conditions}.
 */
public final class ListMergeKeys {
    private static final Map<String, List<String>> OF_METADATA = Map.of("metadata.ownerReferences", List.of("uid"));

    private static final Map<String, List<String>> OF_BUILT_INS = Map.of(
            "metadata.ownerReferences", List.of("uid"),
            "secrets", List.of("name"),
            "status.conditions", List.of("type"),
            "status.addresses", List.of("type"),
            "webhooks", List.of("name"),
            "spec.template.spec.containers", List.of("name"),
            "spec.template.spec.volumes", List.of("name"));

    public static final ListMergeKeys BUILT_IN = new ListMergeKeys(OF_BUILT_INS, null);

    private final Map<String, List<String>> known;
    private final @Nullable JsonNode schema;

    private ListMergeKeys(Map<String, List<String>> known, @Nullable JsonNode schema) {
        this.known = known;
        this.schema = schema;
    }

    /** The lists that a custom kind's schema declares with {@code x-kubernetes-list-type}. */
    public static ListMergeKeys of(JsonNode schema) {
        return new ListMergeKeys(OF_METADATA, schema);
    }

    /** The key fields of the elements at a path; empty if the list is not of type map. */
    public List<String> keys(String path) {
        List<String> keys = known.get(path);
        if (keys != null) {
            return keys;
        }
        JsonNode list = declared(path);
        boolean map = JsonTrees.text(list, "x-kubernetes-list-type").equals("map");
        return map ? JsonTrees.texts(list.path("x-kubernetes-list-map-keys")) : List.of();
    }

    /** Whether the elements of the keyed list at a path are owned completely, not field by field. */
    public boolean ownsWholeElements(String path) {
        return path.equals("metadata.ownerReferences") || path.equals("secrets");
    }

    /** Whether the list at a path is a set of values. */
    public boolean isSet(String path) {
        return path.equals("metadata.finalizers")
                || JsonTrees.text(declared(path), "x-kubernetes-list-type").equals("set");
    }

    private JsonNode declared(String path) {
        JsonNode node = schema == null ? JsonTrees.object() : schema;
        for (String step : path.split("\\.")) {
            while (node.has("items")) {
                node = node.path("items");
            }
            JsonNode property = node.path("properties").path(step);
            node = property.isMissingNode() ? node.path("additionalProperties") : property;
        }
        return node;
    }
}
