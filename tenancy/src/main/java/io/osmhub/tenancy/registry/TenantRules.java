package io.osmhub.tenancy.registry;

import io.osmhub.core.model.LabelSelector;
import io.osmhub.core.problem.Message;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.workercluster.WorkerClusterSpec;
import io.osmhub.tenancy.namespace.NamespaceRecord;
import java.util.Collection;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Who may be a tenant. Pure.
 *
 * @param namespaceSelector which namespaces may hold a tenant
 * @param hubNamespace the hub's own
 * @param single the hub serves the management cluster itself, as its own worker
 */
public record TenantRules(LabelSelector namespaceSelector, String hubNamespace, boolean single) {
    /**
     * Decides about one WorkerCluster.
     *
     * @param namespace null when it is not known (any more)
     * @param neighbours all WorkerClusters of the same namespace; it may be among them
     */
    public Standing decide(
            WorkerClusterRecord record,
            @Nullable NamespaceRecord namespace,
            Collection<WorkerClusterRecord> neighbours) {
        if (!isOurs(record, namespace)) {
            return new Standing.NotOurs();
        }
        if (record.head().beingDeleted()) {
            return new Standing.Leaving();
        }
        WorkerClusterRecord oldest =
                neighbours.stream().min(WorkerClusterRecord.OLDEST_FIRST).orElse(record);
        if (!oldest.uid().equals(record.uid()) && WorkerClusterRecord.OLDEST_FIRST.compare(oldest, record) < 0) {
            return refused(
                    Reason.TenantNamespaceTaken,
                    Map.of("tenant", record.namespace(), "wc", record.name(), "wc2", oldest.name()));
        }
        WorkerClusterSpec spec = record.spec();
        if (spec != null
                && spec.target() == WorkerClusterSpec.Target.MANAGEMENT_CLUSTER
                && !(single && record.namespace().equals(hubNamespace))) {
            return refused(
                    Reason.LocalTargetRefused,
                    Map.of("tenant", record.namespace(), "wc", record.name(), "namespace", hubNamespace));
        }
        return new Standing.Served();
    }

    /** What holds our finalizer is cleaned up, even when its namespace is not meant (any more). */
    private boolean isOurs(WorkerClusterRecord record, @Nullable NamespaceRecord namespace) {
        if (single) {
            return record.namespace().equals(hubNamespace);
        }
        return record.head().beingDeleted() && record.head().hasFinalizer(WorkerClusterRecord.FINALIZER)
                || namespaceSelector.requirements().isEmpty()
                || namespace != null && namespaceSelector.matches(namespace.labels());
    }

    /**
     * Whether the worker cluster behind a WorkerCluster is another tenant's already. Whose it was first keeps it: an API server says
     * itself which UID it has, and may say another one's, so neither age nor a claim takes it from who is served. Only where that is
     * not decided yet the older registration has it. The decision of an operator takes precedence: the first API server may have lied.
     *
     * @param clusterId UID of the worker's {@code kube-system}, as just seen
     * @param owner namespace whose an operator decided it to be; null without a decision
     * @param holders WorkerClusters that are served with it, or whose status says that they were; the record may be among them
     * @param claimants WorkerClusters whose API server says that UID, whatever came of it; the record may be among them
     */
    public static Standing.@Nullable Refused duplicate(
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
        return refused(
                Reason.WorkerClusterDuplicate,
                Map.of("tenant", record.namespace(), "wc", record.name(), "id", clusterId));
    }

    private static Standing.Refused refused(Reason reason, Map<String, String> values) {
        return new Standing.Refused(reason, Message.of(reason, values));
    }
}
