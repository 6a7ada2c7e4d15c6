package io.osmhub.core.plan;

import io.osmhub.core.machine.MachineDeployment;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The annotations that record who owns an object. Added when writing, not when rendering.
 *
 * @param owner {@code namespace/name} of the MachineDeployment
 * @param tenant {@code namespace/name} of the WorkerCluster
 */
public record OwnershipAnnotations(String owner, String uid, String tenant, String hubId) {
    /** {@code namespace/name} of the MachineDeployment. */
    public static final String OWNER = "osmhub.io/machine-deployment";
    /** Distinguishes a recreated MachineDeployment from the old one of the same name. */
    public static final String UID = "osmhub.io/machine-deployment-uid";

    public static final String TENANT = "osmhub.io/tenant";
    /** UID of {@code kube-system} of the management cluster. */
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
                tenant.hubId());
    }

    /** The value of {@link #OWNER} on the objects of a MachineDeployment. */
    public static String owner(MachineDeployment machineDeployment) {
        return machineDeployment.namespace() + "/" + machineDeployment.name();
    }

    /** For an object in the worker cluster. */
    public SortedMap<String, String> workerAnnotations() {
        SortedMap<String, String> annotations = new TreeMap<>(configAnnotations());
        annotations.put(TENANT, tenant);
        annotations.put(HUB_ID, hubId);
        return Collections.unmodifiableSortedMap(annotations);
    }

    /** For the OperatingSystemConfig, whose namespace identifies the tenant. */
    public SortedMap<String, String> configAnnotations() {
        SortedMap<String, String> annotations = new TreeMap<>();
        annotations.put(OWNER, owner);
        annotations.put(UID, uid);
        return Collections.unmodifiableSortedMap(annotations);
    }
}
