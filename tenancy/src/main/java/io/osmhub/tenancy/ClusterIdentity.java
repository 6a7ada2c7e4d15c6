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
        Diagnosis other = other(record, state);
        Standing.Refused refused = state.clusterId().isEmpty()
                ? null
                // What nobody has accepted yet is no claim: it would keep others from a cluster that this one does not
                // use.
                : other != null
                        ? claims.standing(record, state.clusterId())
                        : claim(record, state.clusterId(), claims, lookAgain);
        return new ClusterIdentity(
                refused == null ? peer(state) : new Diagnosis(refused.reason(), refused.message()), other);
    }

    boolean isServed() {
        return obstacle == null && other == null;
    }

    boolean isDuplicate() {
        return obstacle != null && obstacle.reason() == Reason.WorkerClusterDuplicate;
    }

    /** For who is served with a cluster that another tenant's API server claims to be. */
    static Diagnosis contested(WorkerClusterRecord holder, String clusterId) {
        return new Diagnosis(
                Reason.WorkerClusterContested,
                Message.of(
                        Reason.WorkerClusterContested,
                        Map.of("tenant", holder.namespace(), "wc", holder.name(), "id", clusterId)));
    }

    private static Standing.@Nullable Refused claim(
            WorkerClusterRecord record, String clusterId, ClusterClaims claims, Consumer<String> lookAgain) {
        ClusterClaims.Outcome outcome = claims.claim(record, clusterId);
        if (outcome.changed()) {
            claims.rivals(record.uid(), clusterId).forEach(rival -> lookAgain.accept(rival.namespace()));
        }
        return outcome.refused();
    }

    private static @Nullable Diagnosis peer(LinkState state) {
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
