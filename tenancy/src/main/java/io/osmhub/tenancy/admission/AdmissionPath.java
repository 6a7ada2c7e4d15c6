package io.osmhub.tenancy.admission;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * Where one worker cluster asks. API servers do not sign in to webhooks, so the path says who asks: its last but one segment is made
 * of the UID of the WorkerCluster, which nobody can guess and only those know who may read that WorkerCluster, or the webhook
 * configuration in that worker cluster.
 */
public final class AdmissionPath {
    /** The peer's path of the MachineDeployment webhook, and the end of every tenant's. */
    public static final String MACHINE_DEPLOYMENTS = "/mutate-v1alpha1-machinedeployment";

    private static final int SEGMENT_BYTES = 16;

    private AdmissionPath() {}

    /** Path below the URL at which worker clusters reach the hub. */
    public static String of(String namespace, String name, String uid) {
        return "/" + namespace + "/" + name + "/" + segment(uid) + MACHINE_DEPLOYMENTS;
    }

    /** 32 hex digits from which the UID cannot be found. */
    public static String segment(String uid) {
        try {
            byte[] digest =
                    MessageDigest.getInstance("SHA-256").digest(("osmhub.io/admission\n" + uid).getBytes(UTF_8));
            return HexFormat.of().formatHex(digest, 0, SEGMENT_BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
