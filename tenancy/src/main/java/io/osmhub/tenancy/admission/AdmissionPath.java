package io.osmhub.tenancy.admission;

import io.osmhub.core.model.Sha256;

/**
 * Webhook path of one worker cluster. API servers do not authenticate to webhooks, so the path identifies the caller: its second
 * to last segment is derived from the WorkerCluster's UID. It cannot be guessed; only readers of the WorkerCluster or of the
 * webhook configuration know it.
 */
public final class AdmissionPath {
    /** OSM's path of the MachineDeployment webhook; every tenant's path ends with it. */
    public static final String MACHINE_DEPLOYMENTS = "/mutate-v1alpha1-machinedeployment";

    private static final int SEGMENT_BYTES = 16;

    private AdmissionPath() {}

    /** Path relative to the URL at which worker clusters reach the hub. */
    public static String of(String namespace, String name, String uid) {
        return "/" + namespace + "/" + name + "/" + segment(uid) + MACHINE_DEPLOYMENTS;
    }

    /** 32 hex digits that do not reveal the UID. */
    public static String segment(String uid) {
        return Sha256.hex("osmhub.io/admission\n" + uid, SEGMENT_BYTES);
    }
}
