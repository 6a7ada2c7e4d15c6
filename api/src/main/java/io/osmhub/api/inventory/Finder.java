package io.osmhub.api.inventory;

import io.osmhub.api.schema.ObjectRef;
import io.osmhub.api.schema.SearchResult;
import io.osmhub.core.osc.OperatingSystemConfigStatus;
import io.osmhub.core.osc.OperatingSystemConfigStatus.PublishedSecret;
import io.osmhub.core.resource.Copies;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Finds objects by a name that somebody has at hand. A machine is found by its MachineDeployment: its name begins with it, as those
 * of its MachineSet do.
 */
final class Finder {
    /** How well a name fits; the first is the best. */
    private enum Fit {
        EXACT,
        BEGINS,
        /** The text is the name of something that belongs to it. */
        MEMBER,
        CONTAINS
    }

    private record Found(Fit fit, int length, SearchResult.Match match) {}

    private static final Comparator<Found> BEST_FIRST = Comparator.comparing(Found::fit)
            .thenComparingInt(Found::length)
            .thenComparing(found -> found.match().object().kind())
            .thenComparing(found -> String.valueOf(found.match().tenant()))
            .thenComparing(found -> String.valueOf(found.match().object().namespace()))
            .thenComparing(found -> found.match().object().name());

    private final Holdings holdings;
    private final Sight sight;

    Finder(Holdings holdings, Sight sight) {
        this.holdings = holdings;
        this.sight = sight;
    }

    SearchResult find(String asked, int limit) {
        String text = asked.strip().toLowerCase(Locale.ROOT);
        List<Found> found = new ArrayList<>();
        for (TenantRow row : holdings.tenants().all()) {
            Fit fit = best(fit(row.name(), text), fit(row.namespace(), text));
            if (fit != null && sight.workerClusters().sees(row.namespace())) {
                found.add(new Found(fit, row.name().length(), workerCluster(row)));
            }
        }
        for (ProfileRow row : holdings.profiles().all()) {
            Fit fit = fit(row.name(), text);
            if (fit != null && sight.profiles().sees(row.namespace())) {
                found.add(new Found(fit, row.name().length(), profile(row)));
            }
        }
        for (DeploymentRow row : holdings.deployments().all()) {
            if (sight.configurations().sees(row.namespace())) {
                add(found, row, text);
            }
        }
        found.sort(BEST_FIRST);
        return new SearchResult(found.stream().limit(limit).map(Found::match).toList());
    }

    private static void add(List<Found> found, DeploymentRow row, String text) {
        Fit fit = fit(row.name(), text);
        if (fit == null && text.length() > row.name().length() && text.startsWith(row.name() + "-")) {
            fit = Fit.MEMBER;
        }
        if (fit != null) {
            found.add(new Found(fit, row.name().length(), deployment(row)));
        }
        OperatingSystemConfigStatus status =
                row.config() == null ? null : row.config().status();
        // Who types a MachineDeployment's name wants that, and not its five secrets.
        if (status != null && fit == null || fit == Fit.MEMBER) {
            Copies.stream(status == null ? null : status.secrets()).forEach(secret -> {
                Fit ofSecret = fit(secret.name(), text);
                if (ofSecret != null) {
                    found.add(new Found(ofSecret, secret.name().length(), secret(row, secret)));
                }
            });
        }
    }

    private static @Nullable Fit best(@Nullable Fit one, @Nullable Fit other) {
        if (one == null || other == null) {
            return one == null ? other : one;
        }
        return one.compareTo(other) <= 0 ? one : other;
    }

    private static @Nullable Fit fit(String name, String text) {
        int at = name.indexOf(text);
        if (at < 0) {
            return null;
        }
        return at > 0 ? Fit.CONTAINS : name.length() == text.length() ? Fit.EXACT : Fit.BEGINS;
    }

    private static SearchResult.Match workerCluster(TenantRow row) {
        return new SearchResult.Match(
                new ObjectRef(ObjectRef.Cluster.MANAGEMENT, "WorkerCluster", row.namespace(), row.name()),
                row.namespace(),
                row.name(),
                "/api/v1/namespaces/" + row.namespace() + "/worker-clusters/" + row.name());
    }

    private static SearchResult.Match profile(ProfileRow row) {
        return new SearchResult.Match(
                new ObjectRef(ObjectRef.Cluster.MANAGEMENT, "OperatingSystemProfile", row.namespace(), row.name()),
                null,
                null,
                "/api/v1/namespaces/" + row.namespace() + "/osps/" + row.name());
    }

    private static SearchResult.Match deployment(DeploymentRow row) {
        return new SearchResult.Match(
                new ObjectRef(ObjectRef.Cluster.WORKER, "MachineDeployment", row.machineNamespace(), row.name()),
                row.namespace(),
                row.place().workerCluster(),
                path(row));
    }

    private static SearchResult.Match secret(DeploymentRow row, PublishedSecret secret) {
        return new SearchResult.Match(
                new ObjectRef(ObjectRef.Cluster.WORKER, "Secret", secret.namespace(), secret.name()),
                row.namespace(),
                row.place().workerCluster(),
                path(row));
    }

    private static String path(DeploymentRow row) {
        return "/api/v1/namespaces/" + row.namespace() + "/machine-deployments/" + row.machineNamespace() + "/"
                + row.name();
    }
}
