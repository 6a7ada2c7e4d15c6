package io.osmhub.api.inventory;

import io.osmhub.api.paging.Row;
import io.osmhub.api.schema.ObjectRef;
import io.osmhub.api.schema.SearchResult;
import io.osmhub.core.osc.OperatingSystemConfigStatus;
import io.osmhub.core.osc.OperatingSystemConfigStatus.PublishedSecret;
import io.osmhub.core.resource.Copies;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Finds objects by a name that somebody has at hand. A machine is found by its MachineDeployment: its name begins with it, as those
 * of its MachineSet do.
 */
final class Finder {
    private static final String TOKEN = "bootstrap-token-";

    /** How well a name fits; the first is the best. */
    private enum Fit {
        EXACT,
        BEGINS,
        /** The text is the name of something that belongs to it. */
        MEMBER,
        CONTAINS
    }

    /** Something that fits; shown only if it is among the best. */
    private record Found(Fit fit, String kind, Row row, String name, Supplier<SearchResult.Match> match) {}

    private static final Comparator<Found> BEST_FIRST = Comparator.comparing(Found::fit)
            .thenComparingInt(found -> found.name().length())
            .thenComparing(Found::kind)
            .thenComparing(found -> found.row().namespace())
            .thenComparing(Found::name)
            .thenComparingLong(found -> found.row().fingerprint());

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
                found.add(new Found(fit, "WorkerCluster", row, row.name(), () -> workerCluster(row)));
            }
        }
        for (ProfileRow row : holdings.profiles().all()) {
            Fit fit = fit(row.name(), text);
            if (fit != null && sight.profiles().sees(row.namespace())) {
                found.add(new Found(fit, "OperatingSystemProfile", row, row.name(), () -> profile(row)));
            }
        }
        for (DeploymentRow row : holdings.deployments().all()) {
            if (sight.configurations().sees(row.namespace())) {
                add(found, row, text);
            }
        }
        found.sort(BEST_FIRST);
        return new SearchResult(
                found.stream().limit(limit).map(one -> one.match().get()).toList());
    }

    private static void add(List<Found> found, DeploymentRow row, String text) {
        Fit fit = fit(row.name(), text);
        if (fit == null && text.length() > row.name().length() && text.startsWith(row.name() + "-")) {
            fit = Fit.MEMBER;
        }
        if (fit != null) {
            found.add(new Found(fit, "MachineDeployment", row, row.name(), () -> deployment(row)));
        }
        OperatingSystemConfigStatus status =
                row.config() == null ? null : row.config().status();
        // Who types a MachineDeployment's name wants that, and not its five secrets.
        if (status != null && (fit == null || fit == Fit.MEMBER) && mayNameASecret(text, row.name())) {
            Copies.stream(status.secrets()).forEach(secret -> {
                Fit ofSecret = fit(secret.name(), text);
                if (ofSecret != null) {
                    found.add(new Found(ofSecret, "Secret", row, secret.name(), () -> secret(row, secret)));
                }
            });
        }
    }

    /** Names of secrets go on where that of the MachineDeployment ends; those of tokens have nothing of it. */
    private static boolean mayNameASecret(String text, String deployment) {
        for (int dash = text.indexOf('-'); dash >= 0; dash = text.indexOf('-', dash + 1)) {
            int shared = Math.min(dash, Math.min(3, deployment.length()));
            if (text.regionMatches(dash - shared, deployment, deployment.length() - shared, shared)) {
                return true;
            }
        }
        return TOKEN.startsWith(text) || text.startsWith(TOKEN);
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
