package io.osmhub.api.inventory;

import io.osmhub.api.paging.TableRow;
import io.osmhub.core.model.Sha256;
import io.osmhub.core.osc.OperatingSystemConfigStatus.NewNodes;
import io.osmhub.core.osp.OperatingSystemProfileStatus;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.resource.Condition;
import io.osmhub.core.resource.StoredProblem;
import io.osmhub.tenancy.catalog.StoredProfile;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A problem in a list.
 *
 * @param subject the affected object
 * @param profile that is wrong, as namespace/name; its name alone if it does not exist, empty if the problem is about none
 * @param counts MachineDeployments that are not current because of it, in the order of {@link NewNodes}; each MachineDeployment is
 *     counted by one problem, its first broken link
 * @param resolvedAt null while open
 * @param cause identifies what is broken
 */
public record ProblemRow(
        ProblemSubject subject,
        Problem problem,
        String profile,
        Instant since,
        int[] counts,
        @Nullable Instant resolvedAt,
        String cause,
        String words)
        implements TableRow {
    /** Kinds of objects with problems. */
    public enum Kind {
        WORKER_CLUSTER("WorkerCluster"),
        MACHINE_DEPLOYMENT("MachineDeployment"),
        PROFILE("OperatingSystemProfile"),
        /** The hub itself, or a prerequisite in the management cluster. */
        HUB("Hub");

        private final String word;

        Kind(String word) {
            this.word = word;
        }

        public String word() {
            return word;
        }
    }

    /**
     * The affected object.
     *
     * @param tenant namespace in the management cluster; empty for the hub as a whole
     * @param workerCluster empty if the problem belongs to no tenant
     * @param namespace of the object, in its own cluster
     */
    public record ProblemSubject(String tenant, String workerCluster, Kind kind, String namespace, String name) {}

    /**
     * An open problem.
     *
     * @param used profile of the affected MachineDeployment; empty if unknown
     * @param endpoint of the tenant's API server; empty if unknown
     */
    static ProblemRow open(
            ProblemSubject about, Problem problem, String used, String endpoint, Instant since, int[] counts) {
        String profile = ProblemCause.profile(about, problem, used);
        return new ProblemRow(
                about,
                problem,
                profile,
                since,
                counts,
                null,
                ProblemCause.of(about, problem, profile, endpoint),
                SearchTerms.of(
                        List.of(about.tenant(), about.workerCluster(), about.namespace(), about.name()),
                        List.of(problem.reason().wireName())));
    }

    Reason reason() {
        return problem.reason();
    }

    /** Problems in the status of a profile, by id. {@code counts}: MachineDeployments that it keeps from being current, by their effect on new nodes. */
    static Map<String, ProblemRow> ofProfile(StoredProfile profile, int[] counts) {
        OperatingSystemProfileStatus status = profile.status();
        Map<String, ProblemRow> problems = new HashMap<>();
        if (status == null || status.conditions() == null) {
            return problems;
        }
        for (Condition condition : status.conditions()) {
            if (StatusParser.isProblem(condition)) {
                ProblemSubject about =
                        new ProblemSubject(profile.namespace(), "", Kind.PROFILE, profile.namespace(), profile.name());
                ProblemRow row = open(
                        about,
                        StoredProblem.find(
                                status.problems(),
                                StatusParser.reason(condition.reason()),
                                condition.message(),
                                new Problem.Scope(profile.namespace(), "")),
                        "",
                        "",
                        Objects.requireNonNullElse(StatusParser.time(condition.lastTransitionTime()), Instant.EPOCH),
                        counts);
                problems.put(row.id(), row);
            }
        }
        return problems;
    }

    ProblemRow resolved(Instant at) {
        return new ProblemRow(subject, problem, profile, since, counts, at, cause, words);
    }

    /** The same problem with its MachineDeployments. */
    ProblemRow withCounts(int[] affected) {
        return new ProblemRow(subject, problem, profile, since, affected, resolvedAt, cause, words);
    }

    /** Equal on every replica, and constant while the problem is open. */
    String id() {
        return idOf(subject, reason());
    }

    static String idOf(ProblemSubject about, Reason reason) {
        String key = String.join(
                "\n",
                about.tenant(),
                about.workerCluster(),
                about.kind().word(),
                about.namespace(),
                about.name(),
                reason.identity().wireName());
        return Sha256.hex(key, 8);
    }

    int affected() {
        return Arrays.stream(counts).sum() - counts[NewNodes.CURRENT.ordinal()];
    }

    @Override
    public String namespace() {
        return subject.tenant();
    }

    @Override
    public Map<String, String> labels() {
        return Map.of();
    }

    @Override
    public boolean matchesText(String text) {
        return words.contains(text);
    }

    boolean isVisibleTo(Visibility sight) {
        return switch (subject.kind()) {
            case WORKER_CLUSTER -> sight.workerClusters().includes(subject.tenant());
            case MACHINE_DEPLOYMENT -> sight.configurations().includes(subject.tenant());
            case PROFILE -> sight.profiles().includes(subject.tenant());
            case HUB -> sight.includesAll();
        };
    }
}
