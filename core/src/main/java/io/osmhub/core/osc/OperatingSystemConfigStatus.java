package io.osmhub.core.osc;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.osmhub.core.resource.Condition;
import io.osmhub.core.resource.Copies;
import io.osmhub.core.resource.Wire;
import io.osmhub.core.resource.WireEnum;
import io.osmhub.core.schema.Atomic;
import io.osmhub.core.schema.Choices;
import io.osmhub.core.schema.Described;
import io.osmhub.core.schema.NumberLimits;
import io.osmhub.core.schema.SizeLimits;
import io.osmhub.core.schema.TextLimits;
import io.osmhub.core.schema.UniqueBy;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the hub found and published for one MachineDeployment. Holds no content of a secret and no hash of one. */
@Wire
public record OperatingSystemConfigStatus(
        @Described("The metadata.generation that this status describes.") @Nullable Long observedGeneration,

        @Described("Conditions: Ready, Rendered, Published, TokenValid.")
        @SizeLimits(max = 16)
        @UniqueBy("type")
        @Nullable List<Condition> conditions,

        @Described("What happens to a node that starts now.") @Nullable NewNodes newNodes,

        @Described("What the stored spec was rendered from.") @Nullable Source source,

        @Described("Present only while it differs from source.") @Nullable Source wanted,

        @Described("Where the results are.") @SizeLimits(max = 8) @UniqueBy("role") @Nullable List<PublishedSecret> secrets,

        @Described("The last 10 changes.") @SizeLimits(max = 10) @Atomic @Nullable List<Change> history) {

    public OperatingSystemConfigStatus {
        conditions = Copies.of(conditions);
        secrets = Copies.of(secrets);
        history = Copies.of(history);
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
    @Wire
    public record Source(
            @Nullable MachineDeploymentSource machineDeployment,

            @Nullable ProfileSource profile,

            @Choices({"go", "handlebars"}) @Nullable String templateEngine,

            @Described("SHA-256 of the effective settings without credentials.") @TextLimits(maxLength = 64) @Nullable String settingsHash,

            @Described("SHA-256 of the canonical JSON of the redacted spec.") @TextLimits(maxLength = 64) @Nullable String contentHash,

            @Described("When it was rendered.") @TextLimits(format = "date-time") @Nullable String time) {}

    /** The MachineDeployment of a rendering. */
    @Wire
    public record MachineDeploymentSource(
            @TextLimits(maxLength = 63) @Nullable String namespace,
            @TextLimits(maxLength = 253) @Nullable String name,
            @TextLimits(maxLength = 128) @Nullable String uid,
            @TextLimits(maxLength = 64) @Nullable String revision) {}

    /** The profile of a rendering. */
    @Wire
    public record ProfileSource(
            @TextLimits(maxLength = 63) @Nullable String namespace,
            @TextLimits(maxLength = 253) @Nullable String name,
            @TextLimits(maxLength = 128) @Nullable String version,
            @TextLimits(maxLength = 64) @Nullable String contentHash) {}

    /** One object of the worker cluster that holds a result. */
    @Wire
    public record PublishedSecret(
            Role role,

            @TextLimits(maxLength = 63) String namespace,

            @TextLimits(maxLength = 253) String name,

            @Described("OlderKept = an older good one stays because the wanted one cannot be published.")
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

    /** How a published object stands to what is wanted. */
    @WireEnum
    public enum SecretState {
        @JsonProperty("Current")
        CURRENT,
        @JsonProperty("OlderKept")
        OLDER_KEPT,
        @JsonProperty("Missing")
        MISSING
    }

    /** One change of what is published, or its refusal. */
    @Wire
    public record Change(
            @TextLimits(format = "date-time") String time,

            ChangeResult result,

            @TextLimits(maxLength = 128) @Nullable String reason,

            @Described("The sentence that the Event carries.") @TextLimits(maxLength = 512)
            String because,

            @TextLimits(maxLength = 64) @Nullable String fromRevision,

            @TextLimits(maxLength = 64) @Nullable String toRevision,

            @Described("Requests that changed something in the worker cluster.") @NumberLimits(min = 0) @Nullable Integer writes,

            @NumberLimits(min = 0) @Nullable Integer durationMilliseconds) {}

    /** What became of a change. */
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
