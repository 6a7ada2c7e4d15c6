package io.osmhub.core.status;

import io.osmhub.core.plan.Diagnosis;
import io.osmhub.core.problem.Category;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.Severity;
import io.osmhub.core.resource.Copies;
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

/** Open problems of a tenant, errors first, of each severity the oldest first. Immutable. */
public final class OpenProblems {
    public static final OpenProblems NONE = new OpenProblems(List.of());

    private static final int LONGEST_LIST = 20;

    /** What is wrong with the tenant as a whole comes before what is wrong with one MachineDeployment, however old that is. */
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

    /** An object with a problem; what is empty is not shown. */
    public record About(String kind, String namespace, String name, Diagnosis diagnosis) {}

    /** What makes two problems one that lasts; the message may change meanwhile. */
    private record Key(
            String reason,
            @Nullable String kind,
            @Nullable String namespace,
            @Nullable String name) {
        static Key of(OpenProblem problem) {
            return new Key(problem.reason(), problem.kind(), problem.namespace(), problem.name());
        }
    }

    /** Those that a status tells of, so that they keep their age when the hub starts anew. */
    public static OpenProblems of(@Nullable WorkerClusterStatus status) {
        return status == null
                ? NONE
                : new OpenProblems(
                        Copies.stream(status.problems()).sorted(ORDER).toList());
    }

    /** Those that are open now: each is as old as the one of the same reason and object before. What is for information is left out. */
    public OpenProblems next(Collection<About> open, Instant now) {
        Map<Key, String> since = new HashMap<>();
        all.forEach(problem -> since.put(Key.of(problem), problem.since()));
        Map<Key, OpenProblem> next = new LinkedHashMap<>();
        for (About about : open) {
            Severity severity = about.diagnosis().reason().severity();
            if (severity != Severity.INFO) {
                OpenProblem problem = problem(about, severity, Wording.time(now));
                String first = since.get(Key.of(problem));
                next.putIfAbsent(Key.of(problem), first == null ? problem : problem(about, severity, first));
            }
        }
        return new OpenProblems(next.values().stream().sorted(ORDER).toList());
    }

    /** Those of which nothing is known before everything was read, for example after a restart. */
    List<OpenProblem> unread() {
        return all.stream()
                .filter(problem -> Reason.of(problem.reason())
                        .filter(reason ->
                                reason.category() != Category.CREDENTIALS && reason.category() != Category.CONNECTION)
                        .isPresent())
                .toList();
    }

    /** With those of others that are not among these. */
    OpenProblems with(List<OpenProblem> others) {
        Map<Key, OpenProblem> merged = new LinkedHashMap<>();
        all.forEach(problem -> merged.put(Key.of(problem), problem));
        others.forEach(problem -> merged.putIfAbsent(Key.of(problem), problem));
        return new OpenProblems(merged.values().stream().sorted(ORDER).toList());
    }

    private static OpenProblem problem(About about, Severity severity, String since) {
        return new OpenProblem(
                about.diagnosis().reason().word(),
                severity == Severity.ERROR ? ProblemSeverity.ERROR : ProblemSeverity.WARNING,
                Copies.nullIfEmpty(about.kind()),
                Copies.nullIfEmpty(about.namespace()),
                Copies.nullIfEmpty(about.name()),
                about.diagnosis().message(),
                since);
    }

    public List<OpenProblem> all() {
        return all;
    }

    /** As many as a status lists. */
    public List<OpenProblem> first() {
        return all.subList(0, Math.min(LONGEST_LIST, all.size()));
    }
}
