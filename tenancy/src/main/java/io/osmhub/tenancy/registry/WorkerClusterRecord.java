package io.osmhub.tenancy.registry;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.core.problem.ProblemObject;
import io.osmhub.core.schema.DurationFormat;
import io.osmhub.core.workercluster.WorkerClusterSpec;
import io.osmhub.core.workercluster.WorkerClusterStatus;
import io.osmhub.tenancy.management.ObjectMetadata;
import io.osmhub.tenancy.management.WireJson;
import io.osmhub.workersync.apiserver.Resource;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Comparator;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A WorkerCluster as read from the management cluster.
 *
 * @param spec registration fields; null if invalid, as an object stored under an older schema may be
 * @param settings {@code spec} as written, for its settings
 * @param status last written by the hub; null if none
 * @param clusterId last observed UID of the worker cluster's {@code kube-system}; empty if it was never reached
 */
public record WorkerClusterRecord(
        ObjectMetadata head,
        @Nullable WorkerClusterSpec spec,
        JsonNode settings,
        @Nullable WorkerClusterStatus status,
        String clusterId) {
    /** Set while objects of the hub are in the worker cluster. */
    public static final String FINALIZER = "osmhub.io/worker-cleanup";

    /** How it was registered; absent if a user created it. */
    public static final String REGISTERED_BY = "osmhub.io/registered-by";

    /** When the kubeconfig Secret went missing; stored in the object, so that a restart does not delay removal. */
    public static final String SECRET_MISSING_SINCE = "osmhub.io/secret-missing-since";

    /** Any new value requests a reconnect and a resync. */
    public static final String RECONCILE_REQUESTED = "osmhub.io/reconcile-requested-at";

    /** Any new value requests renewal of the scoped credential. */
    public static final String RENEW_REQUESTED = "osmhub.io/renew-requested-at";

    /** The cluster UID that a user accepts after the cluster behind a kubeconfig was replaced. */
    public static final String ACCEPT_CLUSTER_ID = "osmhub.io/accept-cluster-id";

    /**
     * Name of OSM's Lease in {@code kube-system} of a worker cluster that was adopted from OSM, or where KKP runs OSM; the hub holds
     * it while it writes.
     */
    public static final String ADOPTED_LEASE = "osmhub.io/adopted-lease";

    /** Replicas of OSM's controller before it was adopted; empty if KKP's default applied. */
    public static final String ADOPTED_REPLICAS = "osmhub.io/adopted-replicas";

    private static final Duration USUAL_CLEANUP = Duration.ofMinutes(2);
    private static final Duration LONGEST_CLEANUP = Duration.ofHours(1);
    // No tenant can be registered again before all WorkerClusters of a deleted definition are released.
    private static final Duration CLEANUP_WITH_DEFINITION = Duration.ofSeconds(10);

    /** By age, then by name. */
    public static final Comparator<WorkerClusterRecord> OLDEST_FIRST = Comparator.comparing(
                    (WorkerClusterRecord record) -> record.head().creationTimestamp())
            .thenComparing(WorkerClusterRecord::namespace)
            .thenComparing(WorkerClusterRecord::name);

    public static WorkerClusterRecord of(JsonNode object) {
        WorkerClusterStatus status = WireJson.as(WorkerClusterStatus.class, object.path("status"));
        return new WorkerClusterRecord(
                ObjectMetadata.of(object),
                WireJson.as(WorkerClusterSpec.class, object.path("spec")),
                object.path("spec"),
                status,
                status == null || status.clusterID() == null ? "" : status.clusterID());
    }

    /** This metadata with the other fields of an earlier version; null if there is none. */
    WorkerClusterRecord withContentOf(@Nullable WorkerClusterRecord earlier) {
        return earlier == null
                ? this
                : new WorkerClusterRecord(
                        head, earlier.spec(), earlier.settings(), earlier.status(), earlier.clusterId());
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

    /** For messages. */
    public ProblemObject describe() {
        return ProblemObject.of("WorkerCluster", name());
    }

    /** Variables of messages. */
    public Map<String, String> variables() {
        return Map.of("tenant", namespace(), "wc", name());
    }

    public String annotation(String key) {
        return head.annotations().getOrDefault(key, "");
    }

    /** Null while the Secret exists, or if the annotation is absent or invalid. */
    public @Nullable Instant secretMissingSince() {
        try {
            return Instant.parse(annotation(SECRET_MISSING_SINCE));
        } catch (DateTimeParseException e) {
            return null;
        }
    }

    /**
     * Time until its removal gives up on leftovers in the worker cluster; zero if it is over.
     *
     * @param withDefinition whether the definition of WorkerClusters is being deleted, which limits the time
     */
    public Duration untilRelease(Instant now, boolean withDefinition) {
        Duration wanted = spec == null ? null : DurationFormat.parse(spec.cleanupTimeout());
        Duration longest = withDefinition ? CLEANUP_WITH_DEFINITION : LONGEST_CLEANUP;
        Duration timeout = wanted == null ? USUAL_CLEANUP : wanted;
        Instant deleted = Objects.requireNonNullElse(head.deletionTimestamp(), Instant.EPOCH);
        Duration left = Duration.between(now, deleted.plus(timeout.compareTo(longest) > 0 ? longest : timeout));
        return left.isNegative() ? Duration.ZERO : left;
    }

    /** An unstored WorkerCluster, for a hub configured by flags. */
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

    /** A new WorkerCluster to store, without a spec. */
    public static ObjectNode newObject(String namespace, String name, RegistrationSource by) {
        ObjectNode object = WireJson.object();
        object.put("apiVersion", Resource.WORKER_CLUSTERS.apiVersion()).put("kind", "WorkerCluster");
        ObjectNode metadata = object.putObject("metadata");
        metadata.put("namespace", namespace).put("name", name);
        metadata.putObject("annotations").put(REGISTERED_BY, by.wireName());
        return object;
    }

    /** Name of the kubeconfig Secret; empty if not set. */
    public String secretName() {
        return spec == null || spec.kubeconfigSecretRef() == null
                ? ""
                : spec.kubeconfigSecretRef().name();
    }

    /** How a WorkerCluster was registered: value of {@link WorkerClusterRecord#REGISTERED_BY}. */
    public enum RegistrationSource {
        SECRET("Secret"),
        API("API"),
        CLI("CLI"),
        KKP("KKP"),
        CLUSTER_API("ClusterAPI");

        private final String wireName;

        RegistrationSource(String word) {
            this.wireName = word;
        }

        public String wireName() {
            return wireName;
        }
    }
}
