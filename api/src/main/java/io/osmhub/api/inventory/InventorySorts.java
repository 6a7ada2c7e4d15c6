package io.osmhub.api.inventory;

import io.osmhub.api.paging.Pager;
import io.osmhub.api.paging.SortOrders;
import java.time.Instant;
import java.util.Comparator;
import java.util.function.LongSupplier;

/** The orders of each list: sort fields, default order and tie-break. */
final class InventorySorts {
    final Pager<TenantRow> tenants;
    final Pager<ProfileRow> profiles;
    final Pager<ConfigRow> configs;
    final Pager<MachineDeploymentRow> deployments;
    final Pager<ProblemRow> problems;

    InventorySorts(LocalTenantCache live, LongSupplier nanoTime) {
        tenants = new Pager<>(tenants(live), nanoTime);
        profiles = new Pager<>(profiles(), nanoTime);
        configs = new Pager<>(configs(), nanoTime);
        deployments = new Pager<>(deployments(live), nanoTime);
        problems = new Pager<>(problems(), nanoTime);
    }

    private static SortOrders<TenantRow> tenants(LocalTenantCache live) {
        return new SortOrders<>(
                        "-state,namespace",
                        Comparator.comparing(TenantRow::namespace).thenComparing(TenantRow::name))
                .by("state", row -> SeverityOrder.of(row.state()))
                .by("name", TenantRow::name)
                .by("namespace", TenantRow::namespace)
                .by("machineDeployments", TenantRow::total)
                .by("kubernetesVersion", row -> StatusParser.version(row.kubernetesVersion()))
                .by("credentialsExpireAt", TenantRow::credentialsExpireAt)
                .byLive("shortestToken", live::firstTokenEnd)
                .by("lastSyncTime", TenantRow::lastSyncTime)
                .by("createdAt", row -> row.record().head().creationTimestamp());
    }

    private static SortOrders<ProfileRow> profiles() {
        return new SortOrders<>(
                        "namespace,name",
                        Comparator.comparing(ProfileRow::namespace).thenComparing(ProfileRow::name))
                .by("name", ProfileRow::name)
                .by("namespace", ProfileRow::namespace)
                .by("osName", ProfileRow::osName)
                .by("version", row -> StatusParser.version(row.profile().version()))
                .by("valid", row -> SeverityOrder.of(row.valid()))
                .by("usedBy", ProfileRow::users)
                .by("createdAt", row -> row.profile().createdAt());
    }

    private static SortOrders<ConfigRow> configs() {
        return new SortOrders<>(
                        "namespace,name",
                        Comparator.comparing(ConfigRow::namespace).thenComparing(ConfigRow::name))
                .by("name", ConfigRow::name)
                .by("namespace", ConfigRow::namespace)
                .by("newNodes", row -> SeverityOrder.of(row.newNodes()))
                .by("profile", ConfigRow::profile)
                .by("renderedAt", ConfigRow::renderedAt)
                .by("bootstrapBytes", ConfigRow::bootstrapBytes)
                .by("createdAt", row -> row.listed().createdAt());
    }

    private static SortOrders<MachineDeploymentRow> deployments(LocalTenantCache live) {
        return new SortOrders<>(
                        "-newNodes,tenant,namespace",
                        Comparator.comparing(MachineDeploymentRow::namespace)
                                .thenComparing(MachineDeploymentRow::machineNamespace)
                                .thenComparing(MachineDeploymentRow::name))
                .by("newNodes", row -> SeverityOrder.of(row.newNodes()))
                .by("name", MachineDeploymentRow::name)
                .by("namespace", MachineDeploymentRow::machineNamespace)
                .by("tenant", MachineDeploymentRow::namespace)
                .by("profile", MachineDeploymentRow::profile)
                .byLive("kubeletVersion", live::kubeletVersion)
                .byLive("tokenExpiresAt", live::tokenEnd)
                .by("createdAt", MachineDeploymentRow::createdAt);
    }

    private static SortOrders<ProblemRow> problems() {
        return new SortOrders<>(
                        "-severity,-affected,since",
                        Comparator.comparing((ProblemRow row) -> row.subject().tenant())
                                .thenComparing(row -> row.subject().workerCluster())
                                .thenComparing(row -> row.subject().kind())
                                .thenComparing(row -> row.subject().namespace())
                                .thenComparing(row -> row.subject().name())
                                .thenComparing(row -> row.reason().wireName())
                                .thenComparing(InventorySorts::end))
                .by("severity", row -> SeverityOrder.of(row.reason().severity()))
                .by("affected", ProblemRow::affected)
                .by("since", ProblemRow::since)
                .by("reason", row -> row.reason().wireName())
                .by("tenant", ProblemRow::namespace)
                .by("actor", row -> row.reason().actor().wireName());
    }

    /** The same problem may have been resolved several times. */
    private static Instant end(ProblemRow row) {
        return row.resolvedAt() == null ? Instant.MAX : row.resolvedAt();
    }
}
