package io.osmhub.core.osp;

import io.osmhub.core.resource.Condition;
import io.osmhub.core.resource.Copies;
import io.osmhub.core.resource.ProblemSeverity;
import io.osmhub.core.resource.Wire;
import io.osmhub.core.schema.Described;
import io.osmhub.core.schema.NumberLimits;
import io.osmhub.core.schema.SizeLimits;
import io.osmhub.core.schema.TextLimits;
import io.osmhub.core.schema.UniqueBy;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the hub found when it compiled and dry-ran a profile, and who uses it. */
@Wire
public record OperatingSystemProfileStatus(
        @Described("The metadata.generation that this status describes.") @Nullable Long observedGeneration,

        @Described("Conditions: Valid.") @SizeLimits(max = 16) @UniqueBy("type") @Nullable List<Condition> conditions,

        @Described("SHA-256 of the canonical JSON of spec. Equal hashes share one compiled profile.")
        @TextLimits(maxLength = 64)
        @Nullable String contentHash,

        @Described("Who uses this profile now, counted over the whole hub. Written at most every 30 s.") @Nullable Users usedBy,

        @Described("The first 20 lint findings, errors first.") @SizeLimits(max = 20) @Nullable List<LintFinding> findings) {

    public OperatingSystemProfileStatus {
        conditions = Copies.of(conditions);
        findings = Copies.of(findings);
    }

    /** How many use a profile. */
    @Wire
    public record Users(
            @NumberLimits(min = 0) @Nullable Integer workerClusters,
            @NumberLimits(min = 0) @Nullable Integer machineDeployments) {}

    /** One thing that lint found. */
    @Wire
    public record LintFinding(
            ProblemSeverity severity,

            @Described("Name of the check.") @TextLimits(maxLength = 64)
            String rule,

            @Described("Path in the object.") @TextLimits(maxLength = 512) @Nullable String field,

            @Described("Line in the file's content.") @NumberLimits(min = 1) @Nullable Integer line,

            @NumberLimits(min = 1) @Nullable Integer column,

            @TextLimits(maxLength = 1024) String message) {}
}
