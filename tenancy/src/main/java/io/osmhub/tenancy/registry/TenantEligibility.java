package io.osmhub.tenancy.registry;

import io.osmhub.core.model.LabelSelector;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.workercluster.WorkerClusterSpec;
import io.osmhub.tenancy.management.NamespaceCache.NamespaceRecord;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * Decides which WorkerClusters may be served. Pure.
 *
 * @param namespaceSelector namespaces that may contain a tenant
 * @param hubNamespace the hub's own
 * @param single the hub serves the management cluster itself as worker cluster
 */
public record TenantEligibility(LabelSelector namespaceSelector, String hubNamespace, boolean single) {
    /**
     * Decides about one WorkerCluster.
     *
     * @param namespace null if it does not exist or is unknown
     * @param neighbours all WorkerClusters of the same namespace, possibly including this one
     */
    public RegistrationState decide(
            WorkerClusterRecord record,
            @Nullable NamespaceRecord namespace,
            Collection<WorkerClusterRecord> neighbours) {
        if (!isManaged(record, namespace)) {
            return new RegistrationState.Unmanaged();
        }
        if (record.head().isBeingDeleted()) {
            return new RegistrationState.Deleting();
        }
        WorkerClusterRecord oldest =
                neighbours.stream().min(WorkerClusterRecord.OLDEST_FIRST).orElse(record);
        if (!oldest.uid().equals(record.uid()) && WorkerClusterRecord.OLDEST_FIRST.compare(oldest, record) < 0) {
            return new RegistrationState.Refused(
                    Reason.TenantNamespaceTaken.with(record.variables(), "wc2", oldest.name()));
        }
        WorkerClusterSpec spec = record.spec();
        if (spec != null
                && spec.target() == WorkerClusterSpec.Target.MANAGEMENT_CLUSTER
                && !(single && record.namespace().equals(hubNamespace))) {
            return new RegistrationState.Refused(
                    Reason.LocalTargetRefused.with(record.variables(), "namespace", hubNamespace));
        }
        return new RegistrationState.Served();
    }

    /** Objects with the hub's finalizer are cleaned up even if their namespace is no longer selected. */
    private boolean isManaged(WorkerClusterRecord record, @Nullable NamespaceRecord namespace) {
        if (single) {
            return record.namespace().equals(hubNamespace);
        }
        return record.head().isBeingDeleted() && record.head().hasFinalizer(WorkerClusterRecord.FINALIZER)
                || namespaceSelector.requirements().isEmpty()
                || namespace != null && namespaceSelector.matches(namespace.labels());
    }

    /**
     * Whether the worker cluster already belongs to another tenant. The first one served keeps it: API servers report their own
     * UID and may lie, so neither age nor a claim takes it from a served tenant. If none was served, the older registration gets
     * it. An operator's assignment takes precedence, because the first API server may have lied.
     *
     * @param clusterId UID of the worker's {@code kube-system}, as just observed
     * @param owner namespace to which an operator assigned it; null without an assignment
     * @param holders WorkerClusters that are or were served with it, possibly including this one
     * @param claimants WorkerClusters whose API server reports that UID, possibly including this one
     */
    public static @Nullable Problem duplicate(
            WorkerClusterRecord record,
            String clusterId,
            @Nullable String owner,
            Collection<WorkerClusterRecord> holders,
            Collection<WorkerClusterRecord> claimants) {
        boolean holds = holders.stream().anyMatch(other -> other.uid().equals(record.uid()));
        boolean taken;
        if (owner != null) {
            taken = !owner.equals(record.namespace());
        } else if (holds || holders.isEmpty()) {
            taken = (holds ? holders : claimants)
                    .stream().anyMatch(other -> WorkerClusterRecord.OLDEST_FIRST.compare(other, record) < 0);
        } else {
            taken = true;
        }
        if (clusterId.isEmpty() || !taken) {
            return null;
        }
        return Reason.WorkerClusterDuplicate.with(record.variables(), "id", clusterId);
    }

    /** How the hub treats one WorkerCluster. */
    public sealed interface RegistrationState {
        /** It is the tenant of its namespace. */
        record Served() implements RegistrationState {}

        /** Being deleted: cleaned up, then released. */
        record Deleting() implements RegistrationState {}

        /** It may not be served; the reason goes into its status. */
        record Refused(Problem why) implements RegistrationState {}

        /** Not in a namespace of this hub: it is not changed, not even its status. */
        record Unmanaged() implements RegistrationState {}
    }
}
