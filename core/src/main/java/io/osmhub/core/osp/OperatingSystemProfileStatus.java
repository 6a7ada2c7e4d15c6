package io.osmhub.core.osp;

import io.osmhub.core.resource.Condition;
import io.osmhub.core.resource.NullableCollections;
import io.osmhub.core.resource.ProblemSeverity;
import io.osmhub.core.resource.StoredProblem;
import io.osmhub.core.resource.WireRecord;
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

    public OperatingSystemProfileStatus {
        conditions = NullableCollections.copyOf(conditions);
        findings = NullableCollections.copyOf(findings);
        problems = NullableCollections.copyOf(problems);
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
