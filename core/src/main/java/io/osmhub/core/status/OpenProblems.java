package io.osmhub.core.status;

import io.osmhub.core.problem.Category;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.Severity;
import io.osmhub.core.resource.NullableCollections;
import io.osmhub.core.resource.ProblemSeverity;
import io.osmhub.core.resource.StoredProblem;
import io.osmhub.core.workercluster.WorkerClusterStatus;
import io.osmhub.core.workercluster.WorkerClusterStatus.OpenProblem;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Open problems of a tenant.
 *
 * @param all errors first, then by age, oldest first
 */
public record OpenProblems(List<OpenProblem> all) {
    private static final int LONGEST_LIST = 20;

    /** Problems of the tenant come before those of single MachineDeployments, regardless of age. */
    private static final Comparator<OpenProblem> ORDER = Comparator.comparing(OpenProblem::severity)
            .thenComparing(problem -> !"WorkerCluster".equals(problem.kind()))
            .thenComparing(OpenProblem::since)
            .thenComparing(OpenProblem::reason)
            .thenComparing(problem -> Objects.requireNonNullElse(problem.kind(), ""))
            .thenComparing(problem -> Objects.requireNonNullElse(problem.namespace(), ""))
            .thenComparing(problem -> Objects.requireNonNullElse(problem.name(), ""));

    public static final OpenProblems NONE = new OpenProblems(List.of());

    public OpenProblems {
        all = all.stream().sorted(ORDER).toList();
    }

    /**
     * An object with a problem; empty fields are not shown.
     *
     * @param profile that it uses
     * @param since its start, unless it was open before
     */
    public record ObjectProblem(
            String kind, String namespace, String name, String profile, Problem diagnosis, Instant since) {}

    /** Identity of a problem over time; its message may change. */
    public record Key(
            String reason,
            @Nullable String kind,
            @Nullable String namespace,
            @Nullable String name) {
        public static Key of(OpenProblem problem) {
            String reason = problem.reason();
            return new Key(
                    Reason.of(reason).map(known -> known.identity().wireName()).orElse(reason),
                    problem.kind(),
                    problem.namespace(),
                    problem.name());
        }
    }

    /** Problems from a status, so that they keep their age when the hub restarts. */
    public static OpenProblems of(@Nullable WorkerClusterStatus status) {
        return new OpenProblems(NullableCollections.stream(status == null ? null : status.problems())
                .toList());
    }

    /** The problems open now, each with the age of the same reason and object before. Info problems are left out. */
    public OpenProblems updatedWith(Collection<ObjectProblem> open) {
        Map<Key, String> since = new HashMap<>();
        all.forEach(problem -> since.put(Key.of(problem), problem.since()));
        Map<Key, OpenProblem> next = new LinkedHashMap<>();
        for (ObjectProblem about : open) {
            if (about.diagnosis().reason().severity() != Severity.INFO) {
                OpenProblem problem = problem(about, UnitFormatter.formatTime(about.since()));
                String first = since.get(Key.of(problem));
                next.putIfAbsent(Key.of(problem), first == null ? problem : problem(about, first));
            }
        }
        return new OpenProblems(List.copyOf(next.values()));
    }

    private static OpenProblem problem(ObjectProblem about, String since) {
        Problem diagnosis = about.diagnosis();
        return new OpenProblem(
                diagnosis.reason().wireName(),
                diagnosis.reason().severity() == Severity.ERROR ? ProblemSeverity.ERROR : ProblemSeverity.WARNING,
                NullableCollections.nullIfEmpty(about.kind()),
                NullableCollections.nullIfEmpty(about.namespace()),
                NullableCollections.nullIfEmpty(about.name()),
                NullableCollections.nullIfEmpty(about.profile()),
                diagnosis.message(),
                since,
                StoredProblem.of(diagnosis));
    }

    /**
     * With those problems of before that are unconfirmed until everything was read, for example after a restart.
     *
     * @param connecting whether those of the connection and its credential are unconfirmed too
     */
    OpenProblems withUnverified(OpenProblems before, boolean connecting) {
        Map<Key, OpenProblem> merged = new LinkedHashMap<>();
        all.forEach(problem -> merged.put(Key.of(problem), problem));
        for (OpenProblem problem : before.all) {
            Category category =
                    Reason.of(problem.reason()).map(Reason::category).orElse(null);
            boolean ofConnection = category == Category.CREDENTIALS || category == Category.CONNECTION;
            if (category != null && (connecting || !ofConnection)) {
                merged.putIfAbsent(Key.of(problem), problem);
            }
        }
        return new OpenProblems(List.copyOf(merged.values()));
    }

    /** The first ones, as many as a status lists. */
    public List<OpenProblem> statusEntries() {
        return all.subList(0, Math.min(LONGEST_LIST, all.size()));
    }
}
