package io.osmhub.api.inventory;

import io.osmhub.api.paging.TableRow;
import io.osmhub.api.registration.WorkerClusterMapper;
import io.osmhub.core.osc.OperatingSystemConfigStatus.NewNodes;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.workercluster.WorkerClusterStatus;
import io.osmhub.core.workercluster.WorkerClusterStatus.State;
import io.osmhub.tenancy.registry.WorkerClusterRecord;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A worker cluster in a list.
 *
 * @param counts MachineDeployments by state of new nodes, in the order of {@link NewNodes}
 * @param reasons of its open problems
 * @param profiles used by its MachineDeployments, as namespace/name
 */
record TenantRow(WorkerClusterRecord record, int[] counts, Set<Reason> reasons, Set<String> profiles, String words)
        implements TableRow {
    static TenantRow of(WorkerClusterRecord record, int[] counts, Set<Reason> reasons, Set<String> profiles) {
        return new TenantRow(
                record,
                counts,
                Set.copyOf(reasons),
                Set.copyOf(profiles),
                SearchTerms.of(
                        List.of(record.namespace(), record.name()),
                        record.head().labels().values()));
    }

    @Override
    public String namespace() {
        return record.namespace();
    }

    String name() {
        return record.name();
    }

    @Override
    public Map<String, String> labels() {
        return record.head().labels();
    }

    @Override
    public boolean matchesText(String text) {
        return words.contains(text) || reasons.stream().anyMatch(reason -> SearchTerms.containsReason(reason, text));
    }

    State state() {
        return WorkerClusterMapper.stateOf(record);
    }

    int count(NewNodes newNodes) {
        return counts[newNodes.ordinal()];
    }

    /** All MachineDeployments with a profile: the tenant's own count, or the number known here if that is higher. */
    int total() {
        WorkerClusterStatus status = record.status();
        int told = status == null
                        || status.machineDeployments() == null
                        || status.machineDeployments().total() == null
                ? 0
                : status.machineDeployments().total();
        return Math.max(told, Arrays.stream(counts).sum());
    }

    @Nullable String kubernetesVersion() {
        WorkerClusterStatus status = record.status();
        return status == null ? null : status.kubernetesVersion();
    }

    /** As stored: RFC 3339 in UTC to the second, which sorts as text. */
    @Nullable String credentialsExpireAt() {
        WorkerClusterStatus status = record.status();
        return status == null ? null : status.credentialsExpireAt();
    }

    @Nullable String lastSyncTime() {
        WorkerClusterStatus status = record.status();
        return status == null ? null : status.lastSyncTime();
    }

    boolean usesProfile(String wanted) {
        return profiles.contains(wanted)
                || wanted.indexOf('/') < 0 && profiles.stream().anyMatch(profile -> profile.endsWith("/" + wanted));
    }
}
