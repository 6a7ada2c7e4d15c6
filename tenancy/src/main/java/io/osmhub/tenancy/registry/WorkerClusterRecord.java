package io.osmhub.tenancy.registry;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.core.workercluster.WorkerClusterSpec;
import io.osmhub.core.workercluster.WorkerClusterStatus;
import io.osmhub.tenancy.wire.ObjectHead;
import io.osmhub.tenancy.wire.WireJson;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * A WorkerCluster as found in the management cluster.
 *
 * @param spec what concerns the registration; null when it does not have the form of a spec, as an object may that was stored
 *     under an older schema
 * @param settings {@code spec} as it was written, for the settings in it
 * @param status what the hub wrote last; null when it wrote nothing yet
 * @param clusterId UID of the worker cluster's {@code kube-system} as last seen; empty when it was never reached
 */
public record WorkerClusterRecord(
        ObjectHead head,
        @Nullable WorkerClusterSpec spec,
        JsonNode settings,
        @Nullable WorkerClusterStatus status,
        String clusterId) {
    /** Held while there is something of the hub in the worker cluster. */
    public static final String FINALIZER = "osmhub.io/worker-cleanup";

    /** How it was registered; absent when a person wrote it. */
    public static final String REGISTERED_BY = "osmhub.io/registered-by";

    /** Since when the Secret with the kubeconfig is missing; kept on the object, so that a restart does not change when it is removed. */
    public static final String SECRET_MISSING_SINCE = "osmhub.io/secret-missing-since";

    /** Any new text means: connect again and look at everything. */
    public static final String RECONCILE_REQUESTED = "osmhub.io/reconcile-requested-at";

    /** Any new text means: renew the scoped credential now. */
    public static final String RENEW_REQUESTED = "osmhub.io/renew-requested-at";

    /** The cluster UID that a person accepts after the cluster behind a kubeconfig was exchanged. */
    public static final String ACCEPT_CLUSTER_ID = "osmhub.io/accept-cluster-id";

    /** The older one comes first; of two of one second, the one whose name does. */
    public static final Comparator<WorkerClusterRecord> OLDEST_FIRST = Comparator.comparing(
                    (WorkerClusterRecord record) -> record.head().creationTimestamp())
            .thenComparing(WorkerClusterRecord::namespace)
            .thenComparing(WorkerClusterRecord::name);

    /** Reads the object. */
    public static WorkerClusterRecord of(JsonNode object) {
        WorkerClusterStatus status = WireJson.as(WorkerClusterStatus.class, object.path("status"));
        return new WorkerClusterRecord(
                ObjectHead.of(object),
                WireJson.as(WorkerClusterSpec.class, object.path("spec")),
                object.path("spec"),
                status,
                status == null || status.clusterID() == null ? "" : status.clusterID());
    }

    public String namespace() {
        return head.namespace();
    }

    public String name() {
        return head.name();
    }

    public String uid() {
        return head.uid();
    }

    /** What messages call it. */
    public String describe() {
        return "WorkerCluster " + name();
    }

    public String annotation(String key) {
        return head.annotations().getOrDefault(key, "");
    }

    /** Null while the Secret is there, or its absence was not noted, or not in a way that can be read. */
    public @Nullable Instant secretMissingSince() {
        try {
            return Instant.parse(annotation(SECRET_MISSING_SINCE));
        } catch (DateTimeParseException e) {
            return null;
        }
    }

    /** The same with a worker cluster that was seen just now. */
    public WorkerClusterRecord withClusterId(String seen) {
        return new WorkerClusterRecord(head, spec, settings, status, seen);
    }

    /** A WorkerCluster that is nowhere stored, for a hub that serves what its operator's flags say. */
    public static WorkerClusterRecord fixed(String namespace, String name) {
        ObjectNode object = WireJson.object();
        object.putObject("metadata")
                .put("namespace", namespace)
                .put("name", name)
                .put("uid", "fixed")
                .putArray("finalizers")
                .add(FINALIZER);
        object.putObject("spec");
        return of(object);
    }

    /** Name of the Secret with the kubeconfig; empty when it names none. */
    public String secretName() {
        return spec == null || spec.kubeconfigSecretRef() == null
                ? ""
                : spec.kubeconfigSecretRef().name();
    }
}
