package io.osmhub.core.plan;

import io.osmhub.core.bootstrap.SourceAnnotations;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Who owns an object under the names of a MachineDeployment. */
enum Ownership {
    /** This MachineDeployment. */
    OWNED,
    /** A deleted MachineDeployment of this hub with the same name, or with another name that gives the same object names. */
    PREVIOUS,
    /** Not marked, but in the form that OSM writes. */
    OSM,
    /** Another writer; never changed or deleted. */
    FOREIGN;

    static Ownership of(OwnershipAnnotations marks, StoredSecret secret, SecretRole role) {
        boolean stamped =
                switch (role) {
                    case PROVISIONING, BOOTSTRAP -> hasSourceAnnotations(secret.annotations());
                    case KUBELET_BOOTSTRAP, EDGE_SCRIPT -> true;
                };
        boolean peers =
                stamped && secret.digests().size() == 1 && secret.digests().containsKey(role.dataKey());
        return of(marks, secret.annotations(), peers);
    }

    static Ownership of(OwnershipAnnotations marks, StoredConfig config) {
        return of(marks, config.annotations(), hasSourceAnnotations(config.annotations()));
    }

    /** Ownership of a token with this MachineDeployment's key. */
    static Ownership of(OwnershipAnnotations marks, StoredToken token) {
        String owner = token.annotations().get(OwnershipAnnotations.OWNER);
        // A token of another MachineDeployment has another name, so it need not be adopted.
        return owner != null && !owner.equals(marks.owner()) ? FOREIGN : of(marks, token.annotations(), true);
    }

    /** Only the hub writes grants, so one without a mark is foreign. */
    static Ownership of(OwnershipAnnotations marks, StoredGrant grant) {
        return of(marks, grant.annotations(), false);
    }

    private static Ownership of(OwnershipAnnotations marks, Map<String, String> annotations, boolean peersShape) {
        String owner = annotations.get(OwnershipAnnotations.OWNER);
        if (anotherHub(marks, annotations)) {
            return FOREIGN;
        }
        if (owner == null) {
            return peersShape ? OSM : FOREIGN;
        }
        return owner.equals(marks.owner())
                        && annotations
                                .getOrDefault(OwnershipAnnotations.UID, marks.uid())
                                .equals(marks.uid())
                ? OWNED
                : PREVIOUS;
    }

    /** Whether it has OSM's annotations. */
    static boolean hasSourceAnnotations(Map<String, String> annotations) {
        return annotations.containsKey(SourceAnnotations.REVISION)
                && annotations.containsKey(SourceAnnotations.ANNOTATIONS_HASH)
                && annotations.containsKey(SourceAnnotations.PROFILE_VERSION);
    }

    private static boolean anotherHub(OwnershipAnnotations marks, Map<String, String> annotations) {
        return !annotations
                .getOrDefault(OwnershipAnnotations.HUB_ID, marks.hubId())
                .equals(marks.hubId());
    }

    /** Describes the writer of a foreign object, for messages. */
    static String describeWriter(
            OwnershipAnnotations marks, Map<String, String> annotations, @Nullable String lastWriter) {
        if (anotherHub(marks, annotations)) {
            return "the hub " + annotations.get(OwnershipAnnotations.HUB_ID);
        }
        return lastWriter == null ? "an unknown writer" : lastWriter;
    }
}
