package io.osmhub.sim.patch;

import java.util.Map;
import java.util.Set;

/** Which lists of the built-in kinds are merged element by element, by the field that identifies an element. All others are replaced whole. */
public final class MergeKeys {
    private static final Map<String, String> KEYS = Map.of(
            "metadata.ownerReferences", "uid",
            "secrets", "name",
            "imagePullSecrets", "name",
            "status.conditions", "type",
            "status.addresses", "type",
            "webhooks", "name",
            "spec.template.spec.containers", "name",
            "spec.template.spec.volumes", "name");

    private static final Set<String> SETS = Set.of("metadata.finalizers");

    private MergeKeys() {}

    /** The identifying field of the elements at a path such as {@code metadata.ownerReferences}; empty when the list is replaced whole. */
    public static String of(String path) {
        return KEYS.getOrDefault(path, "");
    }

    /** Whether the list at a path is a set of texts. */
    public static boolean isSet(String path) {
        return SETS.contains(path);
    }
}
