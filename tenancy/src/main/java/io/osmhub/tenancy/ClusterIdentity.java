package io.osmhub.tenancy;

import io.osmhub.core.plan.Diagnosis;
import io.osmhub.core.problem.Message;
import io.osmhub.core.problem.Reason;
import io.osmhub.tenancy.link.LinkState;
import io.osmhub.tenancy.registry.Standing;
import io.osmhub.tenancy.registry.WorkerClusterRecord;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Whether the cluster that a tenant's kubeconfig leads to is the tenant's to be served.
 *
 * @param obstacle why nothing is written to it; null when nothing keeps the hub from it
 * @param other that another cluster answers than before; null when it is the same
 */
record ClusterIdentity(
        @Nullable Diagnosis obstacle, @Nullable Diagnosis other) {
    static final ClusterIdentity UNKNOWN = new ClusterIdentity(null, null);

    /** @param lookAgain takes the namespaces of tenants for which the answer may be another now */
    static ClusterIdentity of(
            WorkerClusterRecord record, LinkState state, ClusterClaims claims, Consumer<String> lookAgain) {
        return new ClusterIdentity(obstacle(record, state, claims, lookAgain), other(record, state));
    }

    boolean isServed() {
        return obstacle == null && other == null;
    }

    private static @Nullable Diagnosis obstacle(
            WorkerClusterRecord record, LinkState state, ClusterClaims claims, Consumer<String> lookAgain) {
        if (!state.clusterId().isEmpty()) {
            Standing.Refused refused = claims.claim(record, state.clusterId());
            if (refused != null) {
                return new Diagnosis(refused.reason(), refused.message());
            }
            claims.younger(record, state.clusterId()).forEach(younger -> lookAgain.accept(younger.namespace()));
        }
        // The peer at work would undo what the hub does; nothing is written beside it.
        return state.problems().stream()
                .filter(problem -> problem.reason() == Reason.PeerControllerActive)
                .findFirst()
                .orElse(null);
    }

    /** Nobody has said that the other cluster is the right one. */
    private static @Nullable Diagnosis other(WorkerClusterRecord record, LinkState state) {
        String before = record.clusterId();
        boolean same = before.isEmpty() || state.clusterId().isEmpty() || before.equals(state.clusterId());
        if (same || record.annotation(WorkerClusterRecord.ACCEPT_CLUSTER_ID).equals(state.clusterId())) {
            return null;
        }
        return new Diagnosis(
                Reason.ClusterIdentityChanged,
                Message.of(
                        Reason.ClusterIdentityChanged,
                        Map.of(
                                "tenant", record.namespace(),
                                "wc", record.name(),
                                "endpoint", state.endpoint(),
                                "id", before,
                                "id2", state.clusterId())));
    }
}
