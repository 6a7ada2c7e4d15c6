package io.osmhub.api.inventory;

import io.osmhub.core.osc.OperatingSystemConfigStatus.NewNodes;
import io.osmhub.core.plan.Decision;
import io.osmhub.core.resource.Condition;
import io.osmhub.core.resource.NullableCollections;
import io.osmhub.core.workercluster.WorkerClusterStatus.OpenProblem;
import io.osmhub.tenancy.TenantView;
import io.osmhub.workersync.SyncStatus;
import io.osmhub.workersync.reconcile.MachineDeploymentState;
import io.osmhub.workersync.watch.ObjectKey;
import io.osmhub.workersync.watch.WatchedMachineDeployment.Replicas;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What only the replica that serves a tenant knows of it, as the others receive it. Contains no credential.
 *
 * @param replica that serves the tenant
 * @param problems all open ones if the WorkerCluster does not list all; otherwise empty
 */
record LiveTenantValues(
        String replica,
        String namespace,
        String workerCluster,
        List<OpenProblem> problems,
        List<LiveMachineDeployment> machineDeployments) {
    /**
     * Of one MachineDeployment. Most are null before its first run.
     *
     * @param conditions while it has no OperatingSystemConfig that shows them; otherwise empty
     * @param desired null if unknown, as is {@code ready}
     */
    record LiveMachineDeployment(
            String namespace,
            String name,
            @Nullable String uid,
            @Nullable Instant createdAt,
            @Nullable String kubeletVersion,
            @Nullable String revision,
            @Nullable Instant tokenEnd,
            @Nullable NewNodes newNodes,
            List<Condition> conditions,
            @Nullable String profile,
            @Nullable Integer desired,
            @Nullable Integer ready) {
        LiveMachineDeployment {
            conditions = List.copyOf(conditions);
        }

        private static LiveMachineDeployment of(
                ObjectKey key, @Nullable MachineDeploymentState state, @Nullable Replicas replicas) {
            Decision.TokenInUse token = state == null ? null : state.token();
            return new LiveMachineDeployment(
                    key.namespace(),
                    key.name(),
                    state == null ? null : state.uid(),
                    state == null ? null : state.createdAt(),
                    state == null ? null : state.kubeletVersion(),
                    state == null ? null : state.revision(),
                    token == null ? null : token.expiration(),
                    state == null ? null : state.newNodes(),
                    state == null ? List.of() : state.report().conditions(),
                    state == null ? null : state.report().profile(),
                    replicas == null ? null : Integer.valueOf(replicas.desired()),
                    replicas == null ? null : Integer.valueOf(replicas.ready()));
        }
    }

    /** End of the token that expires first; null without tokens. */
    @Nullable Instant firstTokenEnd() {
        return machineDeployments.stream()
                .map(LiveMachineDeployment::tokenEnd)
                .filter(Objects::nonNull)
                .min(Comparator.naturalOrder())
                .orElse(null);
    }

    static LiveTenantValues of(String replica, TenantView view) {
        SyncStatus sync = view.sync();
        Map<ObjectKey, MachineDeploymentState> states = new HashMap<>();
        Map<ObjectKey, Replicas> replicas = sync == null ? Map.of() : sync.replicas();
        if (sync != null) {
            sync.machineDeployments().forEach(state -> states.put(state.key(), state));
        }
        Set<ObjectKey> keys = new HashSet<>(states.keySet());
        keys.addAll(replicas.keySet());
        long listed = NullableCollections.stream(view.status().problems()).count();
        return new LiveTenantValues(
                replica,
                view.namespace(),
                view.name(),
                view.problems().size() > listed ? view.problems() : List.of(),
                keys.stream()
                        .sorted(Comparator.comparing(ObjectKey::toString))
                        .map(key -> LiveMachineDeployment.of(key, states.get(key), replicas.get(key)))
                        .toList());
    }
}
