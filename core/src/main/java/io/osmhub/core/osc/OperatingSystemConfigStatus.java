package io.osmhub.core.osc;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.osmhub.core.resource.Condition;
import io.osmhub.core.resource.NullableCollections;
import io.osmhub.core.resource.WireEnum;
import io.osmhub.core.resource.WireRecord;
import io.osmhub.core.schema.FieldAnnotations.AllowedValues;
import io.osmhub.core.schema.FieldAnnotations.Atomic;
import io.osmhub.core.schema.FieldAnnotations.FieldDescription;
import io.osmhub.core.schema.FieldAnnotations.ListMapKeys;
import io.osmhub.core.schema.FieldAnnotations.NumberLimits;
import io.osmhub.core.schema.FieldAnnotations.SizeLimits;
import io.osmhub.core.schema.FieldAnnotations.TextLimits;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the hub found and published for one MachineDeployment. Contains no secret content and no hash of it. */
@WireRecord
public record OperatingSystemConfigStatus(
        @FieldDescription("The metadata.generation that this status describes.") @Nullable Long observedGeneration,

        @FieldDescription("Conditions: Ready, Rendered, Published, TokenValid.")
        @SizeLimits(max = 16)
        @ListMapKeys("type")
        @Nullable List<Condition> conditions,

        @FieldDescription("What happens to a node that starts now.") @Nullable NewNodes newNodes,

        @FieldDescription("What the stored spec was rendered from.") @Nullable RenderSource source,

        @FieldDescription("Present only while it differs from source.") @Nullable RenderSource wanted,

        @FieldDescription("Where the results are.") @SizeLimits(max = 8) @ListMapKeys("role") @Nullable List<PublishedSecret> secrets,

        @FieldDescription("The last 10 changes.") @SizeLimits(max = 10) @Atomic @Nullable List<ChangeEntry> history) {

    public OperatingSystemConfigStatus {
        conditions = NullableCollections.copyOf(conditions);
        secrets = NullableCollections.copyOf(secrets);
        history = NullableCollections.copyOf(history);
    }

    /** What happens to a node that starts now. */
    @WireEnum
    public enum NewNodes {
        @JsonProperty("Current")
        CURRENT,
        @JsonProperty("AtRisk")
        AT_RISK,
        @JsonProperty("Outdated")
        OUTDATED,
        @JsonProperty("Blocked")
        BLOCKED,
        @JsonProperty("Pending")
        PENDING
    }

    /** What a spec is rendered from. */
    @WireRecord
    public record RenderSource(
            @Nullable MachineDeploymentSource machineDeployment,

            @Nullable ProfileSource profile,

            @AllowedValues({"go", "handlebars"}) @Nullable String templateEngine,

            @FieldDescription("SHA-256 of the effective settings without credentials.")
            @TextLimits(maxLength = 64)
            @Nullable String settingsHash,

            @FieldDescription("SHA-256 of the canonical JSON of the redacted spec.")
            @TextLimits(maxLength = 64)
            @Nullable String contentHash,

            @FieldDescription("When it was rendered.") @TextLimits(format = "date-time") @Nullable String time) {}

    /** The MachineDeployment of a rendering. */
    @WireRecord
    public record MachineDeploymentSource(
            @TextLimits(maxLength = 63) @Nullable String namespace,
            @TextLimits(maxLength = 253) @Nullable String name,
            @TextLimits(maxLength = 128) @Nullable String uid,
            @TextLimits(maxLength = 64) @Nullable String revision) {}

    /** The profile of a rendering. */
    @WireRecord
    public record ProfileSource(
            @TextLimits(maxLength = 63) @Nullable String namespace,
            @TextLimits(maxLength = 253) @Nullable String name,
            @TextLimits(maxLength = 128) @Nullable String version,
            @TextLimits(maxLength = 64) @Nullable String contentHash) {}

    /** One object of the worker cluster that holds a result. */
    @WireRecord
    public record PublishedSecret(
            Role role,

            @TextLimits(maxLength = 63) String namespace,

            @TextLimits(maxLength = 253) String name,

            @FieldDescription("OlderKept = an older good one stays because the wanted one cannot be published.")
            SecretState state,

            @TextLimits(maxLength = 64) @Nullable String revision,

            @NumberLimits(min = 0) @Nullable Integer bytes,

            @NumberLimits(min = 0) @Nullable Integer limitBytes,

            @TextLimits(format = "date-time") @Nullable String publishedTime) {}

    /** What a published object is for. */
    @WireEnum
    public enum Role {
        @JsonProperty("Bootstrap")
        BOOTSTRAP,
        @JsonProperty("Provisioning")
        PROVISIONING,
        @JsonProperty("KubeletBootstrap")
        KUBELET_BOOTSTRAP,
        @JsonProperty("EdgeScript")
        EDGE_SCRIPT,
        @JsonProperty("BootstrapToken")
        BOOTSTRAP_TOKEN
    }

    /** State of a published object relative to the desired one. */
    @WireEnum
    public enum SecretState {
        @JsonProperty("Current")
        CURRENT,
        @JsonProperty("OlderKept")
        OLDER_KEPT,
        @JsonProperty("Missing")
        MISSING
    }

    /** One change of published content, or its rejection. */
    @WireRecord
    public record ChangeEntry(
            @TextLimits(format = "date-time") String time,

            ChangeResult result,

            @TextLimits(maxLength = 128) @Nullable String reason,

            @FieldDescription("The sentence that the Event carries.") @TextLimits(maxLength = 512)
            String because,

            @TextLimits(maxLength = 64) @Nullable String fromRevision,

            @TextLimits(maxLength = 64) @Nullable String toRevision,

            @FieldDescription("Requests that changed something in the worker cluster.") @NumberLimits(min = 0) @Nullable Integer writes,

            @NumberLimits(min = 0) @Nullable Integer durationMilliseconds) {}

    /** Outcome of a change. */
    @WireEnum
    public enum ChangeResult {
        @JsonProperty("Published")
        PUBLISHED,
        @JsonProperty("Refused")
        REFUSED,
        @JsonProperty("Restored")
        RESTORED,
        @JsonProperty("Adopted")
        ADOPTED
    }
}
