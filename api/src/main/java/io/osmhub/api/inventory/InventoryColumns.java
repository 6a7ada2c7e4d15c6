package io.osmhub.api.inventory;

import io.osmhub.api.paging.ListColumns;
import io.osmhub.core.osc.OperatingSystemConfigStatus.NewNodes;
import io.osmhub.core.problem.Actor;
import io.osmhub.core.problem.Category;
import io.osmhub.core.problem.Severity;
import io.osmhub.core.resource.Condition;
import io.osmhub.core.workercluster.WorkerClusterStatus.State;

/** The columns of each list. Labels of a MachineDeployment are those of its WorkerCluster: the hub does not store its own. */
final class InventoryColumns {
    static final ListColumns<ProfileRow> PROFILES = new ListColumns<>(
                    "namespace,name", ProfileRow::namespace, ProfileRow::name)
            .sort("name", ProfileRow::name)
            .sort("namespace", ProfileRow::namespace)
            .sort("osName", ProfileRow::osName)
            .sort("version", row -> StatusParser.version(row.profile().version()))
            .sort("valid", row -> SeverityOrder.of(row.valid()))
            .sort("usedBy", ProfileRow::users)
            .sort("createdAt", row -> row.profile().createdAt())
            .filter("osName", (row, osName) -> osName.equals(row.osName()))
            .filter("valid", Condition.Status.class, (row, valid) -> valid == row.valid())
            // By the visibility of rows, because it depends on the caller.
            .filter("usedIn", (row, namespace) -> true);

    static final ListColumns<ConfigRow> CONFIGURATIONS = new ListColumns<>(
                    "namespace,name", ConfigRow::namespace, ConfigRow::name)
            .sort("name", ConfigRow::name)
            .sort("namespace", ConfigRow::namespace)
            .sort("newNodes", row -> SeverityOrder.of(row.newNodes()))
            .sort("profile", ConfigRow::profile)
            .sort("renderedAt", ConfigRow::renderedAt)
            .sort("bootstrapBytes", ConfigRow::bootstrapBytes)
            .sort("createdAt", row -> row.listed().createdAt())
            .filter("profile", ConfigRow::usesProfile)
            .filter("ready", Condition.Status.class, (row, ready) -> ready == row.ready())
            .filter("osName", (row, osName) -> osName.equals(row.osName()))
            .filter("cloudProvider", (row, provider) -> provider.equals(row.cloudProvider()));

    static final ListColumns<ProblemRow> PROBLEMS = new ListColumns<ProblemRow>(
                    "-severity,-affected,since",
                    ProblemRow::namespace,
                    row -> row.subject().workerCluster(),
                    row -> row.subject().kind(),
                    row -> row.subject().namespace(),
                    row -> row.subject().name(),
                    row -> row.reason().wireName(),
                    // The same problem may have been resolved several times.
                    ProblemRow::resolvedAt)
            .sort("severity", row -> SeverityOrder.of(row.reason().severity()))
            .sort("affected", ProblemRow::affected)
            .sort("since", ProblemRow::since)
            .sort("resolvedAt", ProblemRow::resolvedAt)
            .sort("reason", row -> row.reason().wireName())
            .sort("tenant", ProblemRow::namespace)
            .sort("actor", row -> row.problem().actor().wireName())
            // Resolved problems are another table.
            .filter("state", (row, state) -> true)
            .filter(
                    "severity",
                    Severity.class,
                    (row, severity) -> severity == row.reason().severity())
            .filter("actor", Actor.class, (row, actor) -> actor == row.problem().actor())
            .filter(
                    "category",
                    Category.class,
                    (row, category) -> category == row.reason().category())
            .filter("cause", (row, cause) -> cause.equals(row.cause()))
            .filterReason((row, reason) -> reason == row.reason());

    final ListColumns<TenantRow> workerClusters;
    final ListColumns<MachineDeploymentRow> machineDeployments;

    InventoryColumns(LiveTenantCache live) {
        workerClusters = new ListColumns<>("-state,namespace", TenantRow::namespace, TenantRow::name)
                .sort("state", row -> SeverityOrder.of(row.state()))
                .sort("name", TenantRow::name)
                .sort("namespace", TenantRow::namespace)
                .sort("machineDeployments", TenantRow::total)
                .sort("kubernetesVersion", row -> StatusParser.version(row.kubernetesVersion()))
                .sort("credentialsExpireAt", TenantRow::credentialsExpireAt)
                .sort("shortestToken", live::firstTokenEnd)
                .sort("lastSyncTime", TenantRow::lastSyncTime)
                .sort("createdAt", row -> row.record().head().creationTimestamp())
                .filter("state", State.class, (row, state) -> state == row.state())
                .filter("newNodes", NewNodes.class, (row, newNodes) -> row.count(newNodes) > 0)
                .filterReason((row, reason) -> row.reasons().contains(reason))
                .filter("kubernetesVersion", (row, minor) -> StatusParser.isOfMinor(row.kubernetesVersion(), minor))
                .filter("profile", TenantRow::usesProfile);
        machineDeployments = new ListColumns<>(
                        "-newNodes,tenant,namespace",
                        MachineDeploymentRow::namespace,
                        MachineDeploymentRow::machineNamespace,
                        MachineDeploymentRow::name)
                .sort("newNodes", row -> SeverityOrder.of(row.newNodes()))
                .sort("name", MachineDeploymentRow::name)
                .sort("namespace", MachineDeploymentRow::machineNamespace)
                .sort("tenant", MachineDeploymentRow::namespace)
                .sort("profile", MachineDeploymentRow::profile)
                .sort("kubeletVersion", live::kubeletVersion)
                .sort("tokenExpiresAt", live::tokenEnd)
                .sort("createdAt", MachineDeploymentRow::createdAt)
                .filter("newNodes", NewNodes.class, (row, newNodes) -> newNodes == row.newNodes())
                .filterReason((row, reason) -> reason == row.reason())
                .filter("profile", MachineDeploymentRow::usesProfile)
                .filter("cloudProvider", (row, provider) -> provider.equals(row.cloudProvider()));
    }
}
