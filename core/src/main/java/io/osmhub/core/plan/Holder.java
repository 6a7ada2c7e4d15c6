package io.osmhub.core.plan;

import io.osmhub.core.bootstrap.Stamps;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Whose an object under the names of a MachineDeployment is. */
enum Holder {
    /** Written for this very MachineDeployment. */
    OURS,
    /** Written by this hub for one that is gone: of the same name, or of another that gives the same object names. */
    PREDECESSORS,
    /** Not marked, but of the shape that the peer gives to it. */
    PEERS,
    /** Somebody else's: it is neither changed nor deleted. */
    STRANGERS;

    static Holder of(Marks marks, StoredSecret secret, SecretRole role) {
        boolean stamped =
                switch (role) {
                    case PROVISIONING, BOOTSTRAP -> stamped(secret.annotations());
                    case KUBELET_BOOTSTRAP, EDGE_SCRIPT -> true;
                };
        boolean peers =
                stamped && secret.digests().size() == 1 && secret.digests().containsKey(role.dataKey());
        return of(marks, secret.annotations(), peers);
    }

    static Holder of(Marks marks, StoredConfig config) {
        return of(marks, config.annotations(), stamped(config.annotations()));
    }

    /** A token of this MachineDeployment's key. */
    static Holder of(Marks marks, StoredToken token) {
        String owner = token.annotations().get(Marks.OWNER);
        // A token of another MachineDeployment has a name of its own, so there is no need to take it over.
        return owner != null && !owner.equals(marks.owner()) ? STRANGERS : of(marks, token.annotations(), true);
    }

    /** Nobody but the hub makes such a one, so one without a mark is somebody else's. */
    static Holder of(Marks marks, StoredGrant grant) {
        return of(marks, grant.annotations(), false);
    }

    private static Holder of(Marks marks, Map<String, String> annotations, boolean peersShape) {
        String owner = annotations.get(Marks.OWNER);
        if (anotherHub(marks, annotations)) {
            return STRANGERS;
        }
        if (owner == null) {
            return peersShape ? PEERS : STRANGERS;
        }
        return owner.equals(marks.owner())
                        && annotations.getOrDefault(Marks.UID, marks.uid()).equals(marks.uid())
                ? OURS
                : PREDECESSORS;
    }

    /** Whether it has the peer's annotations. */
    static boolean stamped(Map<String, String> annotations) {
        return annotations.containsKey(Stamps.REVISION)
                && annotations.containsKey(Stamps.ANNOTATIONS_HASH)
                && annotations.containsKey(Stamps.PROFILE_VERSION);
    }

    private static boolean anotherHub(Marks marks, Map<String, String> annotations) {
        return !annotations.getOrDefault(Marks.HUB_ID, marks.hubId()).equals(marks.hubId());
    }

    /** Who wrote a stranger's object, for people. */
    static String writer(Marks marks, Map<String, String> annotations, @Nullable String lastWriter) {
        if (anotherHub(marks, annotations)) {
            return "the hub " + annotations.get(Marks.HUB_ID);
        }
        return lastWriter == null ? "an unknown writer" : lastWriter;
    }
}
