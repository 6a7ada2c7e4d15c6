package io.osmhub.core.status;

import io.osmhub.core.problem.Category;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.ReasonMessage;
import io.osmhub.core.problem.Severity;
import io.osmhub.core.resource.NullableCollections;
import io.osmhub.core.resource.ProblemSeverity;
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

/** Open problems of a tenant: errors first, then by age, oldest first. Immutable. */
public final class OpenProblems {
    public static final OpenProblems NONE = new OpenProblems(List.of());

    private static final int LONGEST_LIST = 20;

    /** Problems of the tenant come before those of single MachineDeployments, regardless of age. */
    private static final Comparator<OpenProblem> ORDER = Comparator.comparing(OpenProblem::severity)
            .thenComparing(problem -> !"WorkerCluster".equals(problem.kind()))
            .thenComparing(OpenProblem::since)
            .thenComparing(OpenProblem::reason)
            .thenComparing(problem -> Objects.requireNonNullElse(problem.kind(), ""))
            .thenComparing(problem -> Objects.requireNonNullElse(problem.namespace(), ""))
            .thenComparing(problem -> Objects.requireNonNullElse(problem.name(), ""));

    private final List<OpenProblem> all;

    private OpenProblems(List<OpenProblem> all) {
        this.all = List.copyOf(all);
    }

    /**
     * An object with a problem; empty fields are not shown.
     *
     * @param profile that it uses
     * @param since its start, unless it was open before
     */
    public record ObjectProblem(
            String kind, String namespace, String name, String profile, ReasonMessage diagnosis, Instant since) {}

    /** Identity of a problem over time; its message may change. */
    public record Key(
            String reason,
            @Nullable String kind,
            @Nullable String namespace,
            @Nullable String name) {
        public static Key of(OpenProblem problem) {
            return new Key(
                    Reason.of(problem.reason())
                            .map(reason -> reason.identity().wireName())
                            .orElse(problem.reason()),
                    problem.kind(),
                    problem.namespace(),
                    problem.name());
        }
    }

    /** Problems from a status, so that they keep their age when the hub restarts. */
    public static OpenProblems of(@Nullable WorkerClusterStatus status) {
        return status == null
                ? NONE
                : new OpenProblems(NullableCollections.stream(status.problems())
                        .sorted(ORDER)
                        .toList());
    }

    /** The problems open now, each with the age of the same reason and object before. Info problems are left out. */
    public OpenProblems updatedWith(Collection<ObjectProblem> open) {
        Map<Key, String> since = new HashMap<>();
        all.forEach(problem -> since.put(Key.of(problem), problem.since()));
        Map<Key, OpenProblem> next = new LinkedHashMap<>();
        for (ObjectProblem about : open) {
            Severity severity = about.diagnosis().reason().severity();
            if (severity != Severity.INFO) {
                OpenProblem problem = problem(about, severity, UnitFormatter.formatTime(about.since()));
                String first = since.get(Key.of(problem));
                next.putIfAbsent(Key.of(problem), first == null ? problem : problem(about, severity, first));
            }
        }
        return new OpenProblems(next.values().stream().sorted(ORDER).toList());
    }

    /**
     * Problems that are unconfirmed until everything was read, for example after a restart.
     *
     * @param connecting whether those of the connection and its credential are unconfirmed too
     */
    List<OpenProblem> unverifiedProblems(boolean connecting) {
        return all.stream()
                .filter(problem -> Reason.of(problem.reason())
                        .filter(reason -> connecting
                                || reason.category() != Category.CREDENTIALS
                                        && reason.category() != Category.CONNECTION)
                        .isPresent())
                .toList();
    }

    /** Adds problems that are not in this list. */
    OpenProblems mergedWith(List<OpenProblem> others) {
        Map<Key, OpenProblem> merged = new LinkedHashMap<>();
        all.forEach(problem -> merged.put(Key.of(problem), problem));
        others.forEach(problem -> merged.putIfAbsent(Key.of(problem), problem));
        return new OpenProblems(merged.values().stream().sorted(ORDER).toList());
    }

    private static OpenProblem problem(ObjectProblem about, Severity severity, String since) {
        return new OpenProblem(
                about.diagnosis().reason().wireName(),
                severity == Severity.ERROR ? ProblemSeverity.ERROR : ProblemSeverity.WARNING,
                NullableCollections.nullIfEmpty(about.kind()),
                NullableCollections.nullIfEmpty(about.namespace()),
                NullableCollections.nullIfEmpty(about.name()),
                NullableCollections.nullIfEmpty(about.profile()),
                about.diagnosis().message(),
                since);
    }

    public List<OpenProblem> all() {
        return all;
    }

    /** The first ones, as many as a status lists. */
    public List<OpenProblem> statusEntries() {
        return all.subList(0, Math.min(LONGEST_LIST, all.size()));
    }
}
