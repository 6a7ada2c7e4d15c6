package io.osmhub.api.inventory;

import io.osmhub.api.schema.ObjectRef;
import io.osmhub.api.schema.SearchResult;
import io.osmhub.core.osc.OperatingSystemConfigStatus;
import io.osmhub.core.osc.OperatingSystemConfigStatus.PublishedSecret;
import io.osmhub.core.problem.ProblemObject.Cluster;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.resource.Condition;
import io.osmhub.core.resource.NullableCollections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.PriorityQueue;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Finds objects by name. A machine is found by its MachineDeployment, whose name is a prefix of the machine's, as with its
 * MachineSets.
 */
final class ObjectSearch {
    private static final String TOKEN = "bootstrap-token-";

    /** Quality of a match, best first. */
    private enum MatchRank {
        EXACT,
        BEGINS,
        /** The text is the name of one of its dependent objects. */
        MEMBER,
        CONTAINS
    }

    /** A match; details are only read for the best. */
    private record RankedMatch(
            MatchRank fit, String kind, String place, String name, Supplier<SearchResult.Match> match) {}

    private static final Comparator<RankedMatch> BEST_FIRST = Comparator.comparing(RankedMatch::fit)
            .thenComparingInt(found -> found.name().length())
            .thenComparing(RankedMatch::kind)
            .thenComparing(RankedMatch::place)
            .thenComparing(RankedMatch::name);

    /** The best matches so far. A common word matches most of a large fleet, so a match that cannot be among the best costs nothing. */
    private static final class BestMatches {
        /** The head is the worst. */
        private final PriorityQueue<RankedMatch> best = new PriorityQueue<>(BEST_FIRST.reversed());

        private final int limit;

        BestMatches(int limit) {
            this.limit = limit;
        }

        boolean accepts(MatchRank fit, String name) {
            if (best.size() < limit) {
                return true;
            }
            RankedMatch worst = best.element();
            int difference = fit.compareTo(worst.fit());
            return difference < 0
                    || difference == 0 && name.length() <= worst.name().length();
        }

        void add(RankedMatch match) {
            best.add(match);
            if (best.size() > limit) {
                best.remove();
            }
        }

        List<SearchResult.Match> toList() {
            return best.stream()
                    .sorted(BEST_FIRST)
                    .map(one -> one.match().get())
                    .toList();
        }
    }

    private final InventoryTables tables;
    private final Visibility visibility;

    ObjectSearch(InventoryTables tables, Visibility visibility) {
        this.tables = tables;
        this.visibility = visibility;
    }

    SearchResult search(String asked, int limit) {
        String text = asked.strip().toLowerCase(Locale.ROOT);
        BestMatches found = new BestMatches(limit);
        for (TenantRow row : tables.tenants().all()) {
            MatchRank fit = best(fit(row.name(), text), fit(row.namespace(), text));
            if (fit != null && visibility.workerClusters().includes(row.namespace())) {
                found.add(new RankedMatch(fit, "WorkerCluster", row.namespace(), row.name(), () -> workerCluster(row)));
            }
        }
        for (ProfileRow row : tables.profiles().all()) {
            MatchRank fit = fit(row.name(), text);
            if (fit != null && visibility.profiles().includes(row.namespace())) {
                found.add(new RankedMatch(
                        fit, "OperatingSystemProfile", row.namespace(), row.name(), () -> profile(row)));
            }
        }
        for (MachineDeploymentRow row : tables.deployments().all()) {
            if (visibility.configurations().includes(row.namespace())) {
                add(found, row, text);
            }
        }
        return new SearchResult(found.toList());
    }

    private static void add(BestMatches found, MachineDeploymentRow row, String text) {
        MatchRank fit = fit(row.name(), text);
        if (fit == null && text.length() > row.name().length() && text.startsWith(row.name() + "-")) {
            fit = MatchRank.MEMBER;
        }
        if (fit != null && found.accepts(fit, row.name())) {
            found.add(new RankedMatch(fit, "MachineDeployment", place(row), row.name(), () -> deployment(row)));
        }
        OperatingSystemConfigStatus status =
                row.config() == null ? null : row.config().status();
        // A search for a MachineDeployment's name means the MachineDeployment, not its five secrets.
        if (status != null && (fit == null || fit == MatchRank.MEMBER) && canMatchSecret(text, row.name())) {
            NullableCollections.stream(status.secrets()).forEach(secret -> {
                MatchRank ofSecret = fit(secret.name(), text);
                if (ofSecret != null && found.accepts(ofSecret, secret.name())) {
                    found.add(
                            new RankedMatch(ofSecret, "Secret", place(row), secret.name(), () -> secret(row, secret)));
                }
            });
        }
    }

    private static String place(MachineDeploymentRow row) {
        return row.namespace() + "/" + row.machineNamespace();
    }

    /** Names of secrets extend the name of the MachineDeployment; those of tokens do not contain it. */
    private static boolean canMatchSecret(String text, String deployment) {
        for (int dash = text.indexOf('-'); dash >= 0; dash = text.indexOf('-', dash + 1)) {
            int shared = Math.min(dash, Math.min(3, deployment.length()));
            if (text.regionMatches(dash - shared, deployment, deployment.length() - shared, shared)) {
                return true;
            }
        }
        return TOKEN.startsWith(text) || text.startsWith(TOKEN);
    }

    private static @Nullable MatchRank best(@Nullable MatchRank one, @Nullable MatchRank other) {
        if (one == null || other == null) {
            return one == null ? other : one;
        }
        return one.compareTo(other) <= 0 ? one : other;
    }

    private static @Nullable MatchRank fit(String name, String text) {
        int at = name.indexOf(text);
        if (at < 0) {
            return null;
        }
        return at > 0 ? MatchRank.CONTAINS : name.length() == text.length() ? MatchRank.EXACT : MatchRank.BEGINS;
    }

    private static SearchResult.Match workerCluster(TenantRow row) {
        return new SearchResult.Match(
                new ObjectRef(Cluster.MANAGEMENT, "WorkerCluster", row.namespace(), row.name()),
                row.namespace(),
                row.name(),
                row.state(),
                null,
                null,
                row.reasons().stream()
                        .max(Comparator.comparing((Reason reason) -> SeverityOrder.of(reason.severity()))
                                .thenComparing(Comparator.reverseOrder()))
                        .orElse(null),
                "/api/v1/namespaces/" + row.namespace() + "/worker-clusters/" + row.name());
    }

    private static SearchResult.Match profile(ProfileRow row) {
        Condition valid = row.validCondition();
        return new SearchResult.Match(
                new ObjectRef(Cluster.MANAGEMENT, "OperatingSystemProfile", row.namespace(), row.name()),
                null,
                null,
                null,
                null,
                row.valid(),
                valid == null || row.valid() == Condition.Status.TRUE ? null : StatusParser.reason(valid.reason()),
                "/api/v1/namespaces/" + row.namespace() + "/osps/" + row.name());
    }

    private static SearchResult.Match deployment(MachineDeploymentRow row) {
        return ofDeployment(
                row, new ObjectRef(Cluster.WORKER, "MachineDeployment", row.machineNamespace(), row.name()));
    }

    private static SearchResult.Match secret(MachineDeploymentRow row, PublishedSecret secret) {
        return ofDeployment(row, new ObjectRef(Cluster.WORKER, "Secret", secret.namespace(), secret.name()));
    }

    private static SearchResult.Match ofDeployment(MachineDeploymentRow row, ObjectRef object) {
        return new SearchResult.Match(
                object,
                row.namespace(),
                row.place().workerCluster(),
                null,
                row.newNodes(),
                null,
                row.reason(),
                "/api/v1/namespaces/" + row.namespace() + "/machine-deployments/" + row.machineNamespace() + "/"
                        + row.name());
    }
}
