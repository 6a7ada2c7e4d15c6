package io.osmhub.api.inventory;

import io.osmhub.api.inventory.LiveTenantValues.LiveMachineDeployment;
import io.osmhub.api.paging.TableRow;
import io.osmhub.core.osc.OperatingSystemConfigStatus.NewNodes;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.Reason.LinkName;
import io.osmhub.core.status.Chain;
import io.osmhub.core.status.Chain.LinkState;
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
 * @param cause why new nodes cannot join as intended; null if they can
 * @param profile that it uses, as namespace/name; its name alone if it cannot be used, empty if unknown
 */
record MachineDeploymentRow(
        TenantContext place,
        String name,
        String machineNamespace,
        @Nullable ConfigRow config,
        NewNodes newNodes,
        @Nullable RowCause cause,
        String profile)
        implements TableRow {
    /**
     * Common values of a tenant's rows.
     *
     * @param labels of the WorkerCluster
     * @param connected whether objects in the worker cluster are known
     * @param words search texts common to all rows
     */
    record TenantContext(
            String namespace, String workerCluster, Map<String, String> labels, boolean connected, String words) {
        static TenantContext of(String namespace, String workerCluster, Map<String, String> labels, boolean connected) {
            return new TenantContext(
                    namespace,
                    workerCluster,
                    labels,
                    connected,
                    SearchTerms.of(List.of(namespace, workerCluster), labels.values()));
        }
    }

    /** The problem of the row or its tenant that breaks the first link; {@code since} is null if unknown. */
    record RowCause(
            Reason reason,
            @Nullable Instant since,
            @Nullable LinkName link) {
        static RowCause of(ProblemRow problem) {
            Instant since = problem.since();
            return new RowCause(
                    problem.reason(),
                    since.equals(Instant.EPOCH) ? null : since,
                    problem.problem().link());
        }
    }

    /** Identifies a MachineDeployment. */
    record MachineDeploymentKey(String tenant, String namespace, String name) {}

    /** Of a published one. */
    static MachineDeploymentRow of(TenantContext place, ConfigRow config, String profile) {
        return new MachineDeploymentRow(
                place, config.deploymentName(), config.deploymentNamespace(), config, config.newNodes(), null, profile);
    }

    /** The same with its cause, and the profile that the cause names in full. */
    MachineDeploymentRow with(RowCause found, String named) {
        return new MachineDeploymentRow(place, name, machineNamespace, config, newNodes, found, named);
    }

    @Nullable Reason reason() {
        return cause == null ? null : cause.reason();
    }

    @Nullable Instant since() {
        return cause == null ? null : cause.since();
    }

    /** The state of each link, equal on every page. {@code values} are null if no replica has told them. */
    List<LinkState> links(@Nullable LiveMachineDeployment values) {
        Chain chain = config == null && values != null
                ? new Chain(values.conditions(), List.of(), place.connected())
                : Chain.of(config == null ? null : config.status(), place.connected());
        return chain.states(cause == null ? null : cause.link());
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
                || SearchTerms.containsReason(reason(), text);
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
