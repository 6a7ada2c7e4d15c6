package io.osmhub.core.osp;

import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.Severity;
import io.osmhub.core.resource.Condition;
import io.osmhub.core.resource.NullableCollections;
import io.osmhub.core.resource.ProblemSeverity;
import io.osmhub.core.resource.StoredProblem;
import io.osmhub.core.resource.WireRecord;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the hub found when it compiled and dry-ran a profile, and who uses it. */
@WireRecord
public record OperatingSystemProfileStatus(
        @Nullable Long observedGeneration,
        @Nullable List<Condition> conditions,
        @Nullable String contentHash,
        @Nullable Users usedBy,
        @Nullable List<ReportedLintFinding> findings,
        @Nullable List<StoredProblem> problems) {
    public static final String VALID = "Valid";

    public OperatingSystemProfileStatus {
        conditions = NullableCollections.copyOf(conditions);
        findings = NullableCollections.copyOf(findings);
        problems = NullableCollections.copyOf(problems);
    }

    /** The same with other users. */
    public OperatingSystemProfileStatus withUsers(Users users) {
        return new OperatingSystemProfileStatus(observedGeneration, conditions, contentHash, users, findings, problems);
    }

    /** The condition {@code Valid} after earlier conditions: its transition time changes only with its status. */
    public static Condition valid(@Nullable List<Condition> before, long generation, Problem told, Instant now) {
        boolean invalid = told.reason().severity() == Severity.ERROR;
        Condition.Status status = invalid ? Condition.Status.FALSE : Condition.Status.TRUE;
        String since = NullableCollections.stream(before)
                .filter(condition -> condition.type().equals(VALID) && condition.status() == status)
                .map(Condition::lastTransitionTime)
                .findFirst()
                .orElse(now.truncatedTo(ChronoUnit.SECONDS).toString());
        return new Condition(VALID, status, generation, since, told.reason().wireName(), told.message());
    }

    /** How many use a profile. */
    @WireRecord
    public record Users(
            @Nullable Integer workerClusters, @Nullable Integer machineDeployments) {}

    /** One thing that lint found. */
    @WireRecord
    public record ReportedLintFinding(
            ProblemSeverity severity,
            String rule,
            @Nullable String field,
            @Nullable Integer line,
            @Nullable Integer column,
            String message) {}
}
