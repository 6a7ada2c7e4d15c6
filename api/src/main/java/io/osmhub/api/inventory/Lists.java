package io.osmhub.api.inventory;

import io.osmhub.api.paging.Pager;
import io.osmhub.api.paging.Sorts;
import java.time.Instant;
import java.util.Comparator;
import java.util.function.LongSupplier;

/** The orders of each list: sort fields, what comes without asking, and what decides between equals. */
final class Lists {
    final Pager<TenantRow> tenants;
    final Pager<ProfileRow> profiles;
    final Pager<ConfigRow> configs;
    final Pager<DeploymentRow> deployments;
    final Pager<ProblemRow> problems;

    Lists(Live live, LongSupplier nanoTime) {
        tenants = new Pager<>(tenants(live), nanoTime);
        profiles = new Pager<>(profiles(), nanoTime);
        configs = new Pager<>(configs(), nanoTime);
        deployments = new Pager<>(deployments(live), nanoTime);
        problems = new Pager<>(problems(), nanoTime);
    }

    private static Sorts<TenantRow> tenants(Live live) {
        return new Sorts<>(
                        "-state,namespace",
                        Comparator.comparing(TenantRow::namespace).thenComparing(TenantRow::name))
                .by("state", row -> Harm.of(row.state()))
                .by("name", TenantRow::name)
                .by("namespace", TenantRow::namespace)
                .by("machineDeployments", TenantRow::total)
                .by("kubernetesVersion", row -> Stored.version(row.kubernetesVersion()))
                .by("credentialsExpireAt", TenantRow::credentialsExpireAt)
                .byPassing("shortestToken", live::firstTokenEnd)
                .by("lastSyncTime", TenantRow::lastSyncTime)
                .by("createdAt", row -> row.record().head().creationTimestamp());
    }

    private static Sorts<ProfileRow> profiles() {
        return new Sorts<>(
                        "namespace,name",
                        Comparator.comparing(ProfileRow::namespace).thenComparing(ProfileRow::name))
                .by("name", ProfileRow::name)
                .by("namespace", ProfileRow::namespace)
                .by("osName", ProfileRow::osName)
                .by("version", row -> Stored.version(row.profile().version()))
                .by("valid", row -> Harm.of(row.valid()))
                .by("usedBy", ProfileRow::users)
                .by("createdAt", row -> row.profile().createdAt());
    }

    private static Sorts<ConfigRow> configs() {
        return new Sorts<>(
                        "namespace,name",
                        Comparator.comparing(ConfigRow::namespace).thenComparing(ConfigRow::name))
                .by("name", ConfigRow::name)
                .by("namespace", ConfigRow::namespace)
                .by("newNodes", row -> Harm.of(row.newNodes()))
                .by("profile", ConfigRow::profile)
                .by("renderedAt", ConfigRow::renderedAt)
                .by("bootstrapBytes", ConfigRow::bootstrapBytes)
                .by("createdAt", row -> row.listed().createdAt());
    }

    private static Sorts<DeploymentRow> deployments(Live live) {
        return new Sorts<>(
                        "-newNodes,tenant,namespace",
                        Comparator.comparing(DeploymentRow::namespace)
                                .thenComparing(DeploymentRow::machineNamespace)
                                .thenComparing(DeploymentRow::name))
                .by("newNodes", row -> Harm.of(row.newNodes()))
                .by("name", DeploymentRow::name)
                .by("namespace", DeploymentRow::machineNamespace)
                .by("tenant", DeploymentRow::namespace)
                .by("profile", DeploymentRow::profile)
                .byPassing("kubeletVersion", live::kubeletVersion)
                .byPassing("tokenExpiresAt", live::tokenEnd)
                .by("createdAt", DeploymentRow::createdAt);
    }

    private static Sorts<ProblemRow> problems() {
        return new Sorts<>(
                        "-severity,-affected,since",
                        Comparator.comparing((ProblemRow row) -> row.about().tenant())
                                .thenComparing(row -> row.about().workerCluster())
                                .thenComparing(row -> row.about().kind())
                                .thenComparing(row -> row.about().namespace())
                                .thenComparing(row -> row.about().name())
                                .thenComparing(row -> row.reason().word())
                                .thenComparing(Lists::end))
                .by("severity", row -> Harm.of(row.reason().severity()))
                .by("affected", ProblemRow::affected)
                .by("since", ProblemRow::since)
                .by("reason", row -> row.reason().word())
                .by("tenant", ProblemRow::namespace)
                .by("actor", row -> row.reason().actor().word());
    }

    /** The same problem may have ended more than once. */
    private static Instant end(ProblemRow row) {
        return row.resolvedAt() == null ? Instant.MAX : row.resolvedAt();
    }
}
