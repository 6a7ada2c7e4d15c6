package io.osmhub.core.plan;

import io.osmhub.core.bootstrap.SourceAnnotations;
import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.plan.StoredSecret.SecretRole;
import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The annotations that record who owns an object. Added when writing, not when rendering.
 *
 * @param owner {@code namespace/name} of the MachineDeployment
 * @param tenant {@code namespace/name} of the WorkerCluster
 */
public record OwnershipAnnotations(String owner, String uid, String tenant, HubIdentity hub) {
    /** {@code namespace/name} of the MachineDeployment. */
    public static final String OWNER = "osmhub.io/machine-deployment";
    /** Distinguishes a recreated MachineDeployment from the old one of the same name. */
    public static final String UID = "osmhub.io/machine-deployment-uid";

    public static final String TENANT = "osmhub.io/tenant";
    /** {@link HubIdentity#id} of the hub that wrote it. */
    public static final String HUB_ID = "osmhub.io/hub-id";

    /** On every object of the hub in a worker cluster. */
    public static final Map<String, String> LABELS = Map.of("app.kubernetes.io/managed-by", "osm-hub");

    /** Selects objects with {@link #LABELS}. */
    public static final String SELECTOR = "app.kubernetes.io/managed-by=osm-hub";

    static OwnershipAnnotations of(MachineDeployment machineDeployment, Facts.Tenant tenant) {
        return new OwnershipAnnotations(
                owner(machineDeployment),
                machineDeployment.uid(),
                tenant.namespace() + "/" + tenant.workerCluster(),
                tenant.hub());
    }

    /** The value of {@link #OWNER} on the objects of a MachineDeployment. */
    public static String owner(MachineDeployment machineDeployment) {
        return machineDeployment.namespace() + "/" + machineDeployment.name();
    }

    /** For an object in the worker cluster. */
    public SortedMap<String, String> workerAnnotations() {
        SortedMap<String, String> annotations = new TreeMap<>(configAnnotations());
        annotations.put(TENANT, tenant);
        if (!hub.id().isEmpty()) {
            annotations.put(HUB_ID, hub.id());
        }
        return Collections.unmodifiableSortedMap(annotations);
    }

    /** For the OperatingSystemConfig, whose namespace identifies the tenant. */
    public SortedMap<String, String> configAnnotations() {
        SortedMap<String, String> annotations = new TreeMap<>();
        annotations.put(OWNER, owner);
        annotations.put(UID, uid);
        return Collections.unmodifiableSortedMap(annotations);
    }

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

        /** Ownership of another object than a Secret of {@code cloud-init-settings}; of a token, with this MachineDeployment's key. */
        static Ownership of(OwnershipAnnotations marks, StoredObject object) {
            Map<String, String> annotations = object.annotations();
            return switch (object) {
                case StoredConfig _ -> of(marks, annotations, hasSourceAnnotations(annotations));
                // A token of another MachineDeployment has another name, so it need not be adopted.
                case StoredToken _ ->
                    marks.owner().equals(annotations.getOrDefault(OWNER, marks.owner()))
                            ? of(marks, annotations, true)
                            : FOREIGN;
                // Only the hub writes grants, so one without a mark is foreign.
                case StoredGrant _, StoredSecret _ -> of(marks, annotations, false);
            };
        }

        private static Ownership of(OwnershipAnnotations marks, Map<String, String> annotations, boolean peersShape) {
            String owner = annotations.get(OwnershipAnnotations.OWNER);
            if (marks.hub().isOther(annotations.get(OwnershipAnnotations.HUB_ID))) {
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

        /** Describes the writer of a foreign object, for messages. */
        static String describeWriter(OwnershipAnnotations marks, StoredObject object) {
            String hub = object.annotations().get(HUB_ID);
            return marks.hub().isOther(hub)
                    ? "the hub " + hub
                    : Objects.requireNonNullElse(object.lastWriter(), "an unknown writer");
        }
    }
}
