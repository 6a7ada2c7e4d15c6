package io.osmhub.api.inventory;

import io.osmhub.api.paging.TableRow;
import io.osmhub.core.osc.OperatingSystemConfigStatus.NewNodes;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.resource.Condition;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A MachineDeployment in a list.
 *
 * @param place the tenant's worker cluster, shared by all its rows
 * @param config null until its first rendering succeeds
 * @param reason why new nodes cannot join as intended; null if they can
 * @param since start of that problem; null if unknown
 * @param profile that it uses, as namespace/name; its name alone if it cannot be used, empty if unknown
 */
record MachineDeploymentRow(
        TenantContext place,
        String name,
        String machineNamespace,
        @Nullable ConfigRow config,
        NewNodes newNodes,
        @Nullable Reason reason,
        @Nullable Instant since,
        String profile)
        implements TableRow {
    /**
     * Common values of a tenant's rows.
     *
     * @param labels of the WorkerCluster
     * @param words search texts common to all rows
     */
    record TenantContext(String namespace, String workerCluster, Map<String, String> labels, String words) {
        static TenantContext of(String namespace, String workerCluster, Map<String, String> labels) {
            return new TenantContext(
                    namespace,
                    workerCluster,
                    labels,
                    SearchTerms.of(List.of(namespace, workerCluster), labels.values()));
        }
    }

    /** Identifies a MachineDeployment. */
    record MachineDeploymentKey(String tenant, String namespace, String name) {}

    /**
     * A published one.
     *
     * @param since start of its or the tenant's problem; null without one
     */
    static MachineDeploymentRow of(
            TenantContext place,
            ConfigRow config,
            @Nullable Condition problem,
            @Nullable Instant since,
            String profile) {
        return new MachineDeploymentRow(
                place,
                config.deploymentName(),
                config.deploymentNamespace(),
                config,
                config.newNodes(),
                problem == null ? null : StatusParser.reason(problem.reason()),
                since,
                profile);
    }

    /** The same with the profile that its problem names in full. */
    MachineDeploymentRow withProfile(String named) {
        return new MachineDeploymentRow(place, name, machineNamespace, config, newNodes, reason, since, named);
    }

    MachineDeploymentKey key() {
        return new MachineDeploymentKey(place.namespace(), machineNamespace, name);
    }

    @Override
    public String namespace() {
        return place.namespace();
    }

    @Override
    public Map<String, String> labels() {
        return place.labels();
    }

    @Override
    public boolean matchesText(String text) {
        return place.words().contains(text)
                || name.toLowerCase(Locale.ROOT).contains(text)
                || machineNamespace.contains(text)
                || SearchTerms.containsReason(reason, text);
    }

    boolean usesProfile(String wanted) {
        return profile.equals(wanted) || profile.endsWith("/" + wanted);
    }

    String cloudProvider() {
        return config == null ? "" : config.cloudProvider();
    }

    @Nullable Instant createdAt() {
        return config == null ? null : config.listed().createdAt();
    }
}
