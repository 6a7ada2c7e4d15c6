package io.osmhub.core.osp;

import io.osmhub.core.resource.Condition;
import io.osmhub.core.resource.NullableCollections;
import io.osmhub.core.resource.ProblemSeverity;
import io.osmhub.core.resource.WireRecord;
import io.osmhub.core.schema.FieldAnnotations.FieldDescription;
import io.osmhub.core.schema.FieldAnnotations.ListMapKeys;
import io.osmhub.core.schema.FieldAnnotations.NumberLimits;
import io.osmhub.core.schema.FieldAnnotations.SizeLimits;
import io.osmhub.core.schema.FieldAnnotations.TextLimits;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the hub found when it compiled and dry-ran a profile, and who uses it. */
@WireRecord
public record OperatingSystemProfileStatus(
        @FieldDescription("The metadata.generation that this status describes.") @Nullable Long observedGeneration,

        @FieldDescription("Conditions: Valid.") @SizeLimits(max = 16) @ListMapKeys("type") @Nullable List<Condition> conditions,

        @FieldDescription("SHA-256 of the canonical JSON of spec. Equal hashes share one compiled profile.")
        @TextLimits(maxLength = 64)
        @Nullable String contentHash,

        @FieldDescription("Who uses this profile now, counted over the whole hub. Written at most every 30 s.")
        @Nullable Users usedBy,

        @FieldDescription("The first 20 lint findings, errors first.") @SizeLimits(max = 20) @Nullable List<ReportedLintFinding> findings) {

    public OperatingSystemProfileStatus {
        conditions = NullableCollections.copyOf(conditions);
        findings = NullableCollections.copyOf(findings);
    }

    /** How many use a profile. */
    @WireRecord
    public record Users(
            @NumberLimits(min = 0) @Nullable Integer workerClusters,
            @NumberLimits(min = 0) @Nullable Integer machineDeployments) {}

    /** One thing that lint found. */
    @WireRecord
    public record ReportedLintFinding(
            ProblemSeverity severity,

            @FieldDescription("Name of the check.") @TextLimits(maxLength = 64)
            String rule,

            @FieldDescription("Path in the object.") @TextLimits(maxLength = 512) @Nullable String field,

            @FieldDescription("Line in the file's content.") @NumberLimits(min = 1) @Nullable Integer line,

            @NumberLimits(min = 1) @Nullable Integer column,

            @TextLimits(maxLength = 1024) String message) {}
}
