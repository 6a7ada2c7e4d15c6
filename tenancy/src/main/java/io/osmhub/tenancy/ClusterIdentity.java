package io.osmhub.tenancy;

import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.ReasonMessage;
import io.osmhub.tenancy.link.LinkState;
import io.osmhub.tenancy.registry.WorkerClusterRecord;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Whether the cluster behind a tenant's kubeconfig may be served for that tenant.
 *
 * @param obstacle why nothing is written to it; null if it may be served
 * @param other reports that the cluster's identity changed; null if it did not
 */
record ClusterIdentity(
        @Nullable ReasonMessage obstacle, @Nullable ReasonMessage other) {
    static final ClusterIdentity UNKNOWN = new ClusterIdentity(null, null);

    /** @param lookAgain receives the namespaces of tenants that may be affected */
    static ClusterIdentity of(
            WorkerClusterRecord record, LinkState state, ClusterClaims claims, Consumer<String> lookAgain) {
        ReasonMessage other = other(record, state);
        ReasonMessage refused = state.clusterId().isEmpty()
                ? null
                // An unaccepted cluster is not claimed: that would block it for others without using it.
                : other != null
                        ? claims.standing(record, state.clusterId())
                        : claim(record, state.clusterId(), claims, lookAgain);
        return new ClusterIdentity(refused == null ? peer(state) : refused, other);
    }

    boolean isServed() {
        return obstacle == null && other == null;
    }

    boolean isDuplicate() {
        return obstacle != null && obstacle.reason() == Reason.WorkerClusterDuplicate;
    }

    /** Warns a tenant whose cluster another tenant's API server claims to be. */
    static ReasonMessage contested(WorkerClusterRecord holder, String clusterId) {
        return Reason.WorkerClusterContested.with(holder.variables(), "id", clusterId);
    }

    private static @Nullable ReasonMessage claim(
            WorkerClusterRecord record, String clusterId, ClusterClaims claims, Consumer<String> lookAgain) {
        ClusterClaims.ClaimOutcome outcome = claims.claim(record, clusterId);
        if (outcome.changed()) {
            claims.rivals(record.uid(), clusterId).forEach(rival -> lookAgain.accept(rival.namespace()));
        }
        return outcome.refused();
    }

    private static @Nullable ReasonMessage peer(LinkState state) {
        // OSM is running and would revert the hub's writes, so the hub writes nothing.
        return state.problems().stream()
                .filter(problem -> problem.reason() == Reason.PeerControllerActive)
                .findFirst()
                .orElse(null);
    }

    /** No operator has accepted the other cluster. */
    private static @Nullable ReasonMessage other(WorkerClusterRecord record, LinkState state) {
        String before = record.clusterId();
        boolean same = before.isEmpty() || state.clusterId().isEmpty() || before.equals(state.clusterId());
        if (same || record.annotation(WorkerClusterRecord.ACCEPT_CLUSTER_ID).equals(state.clusterId())) {
            return null;
        }
        return Reason.ClusterIdentityChanged.with(
                record.variables(), "endpoint", state.endpoint(), "id", before, "id2", state.clusterId());
    }
}
