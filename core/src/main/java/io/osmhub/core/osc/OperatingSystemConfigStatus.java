package io.osmhub.core.osc;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.osmhub.core.resource.Condition;
import io.osmhub.core.resource.NullableCollections;
import io.osmhub.core.resource.StoredProblem;
import io.osmhub.core.resource.WireEnum;
import io.osmhub.core.resource.WireRecord;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the hub found and published for one MachineDeployment. Contains no secret content. Its hash of some can be computed only by those
 * who can read the published content, and covers no other credentials.
 */
@WireRecord
public record OperatingSystemConfigStatus(
        @Nullable Long observedGeneration,
        @Nullable List<Condition> conditions,
        @Nullable NewNodes newNodes,
        @Nullable RenderSource source,
        @Nullable RenderSource wanted,
        @Nullable String publishedHash,
        @Nullable List<PublishedSecret> secrets,
        @Nullable List<ChangeEntry> history,
        @Nullable List<StoredProblem> problems) {

    public OperatingSystemConfigStatus {
        conditions = NullableCollections.copyOf(conditions);
        secrets = NullableCollections.copyOf(secrets);
        history = NullableCollections.copyOf(history);
        problems = NullableCollections.copyOf(problems);
    }

    /** Whether the other status differs at most in {@link #publishedHash}. */
    public boolean equalsExceptHash(OperatingSystemConfigStatus other) {
        return equals(new OperatingSystemConfigStatus(
                other.observedGeneration,
                other.conditions,
                other.newNodes,
                other.source,
                other.wanted,
                publishedHash,
                other.secrets,
                other.history,
                other.problems));
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
            @Nullable String templateEngine,
            @Nullable String settingsHash,
            @Nullable String contentHash,
            @Nullable String time,
            @Nullable List<ExtensionSource> extensions) {
        public RenderSource {
            extensions = NullableCollections.copyOf(extensions);
        }
    }

    /**
     * An extension of a rendering.
     *
     * @param paths that it added or changed
     * @param skipped its fields with optional changes of what the profile does not have
     */
    @WireRecord
    public record ExtensionSource(
            @Nullable String namespace,
            String name,
            String contentHash,
            @Nullable List<String> paths,
            @Nullable List<String> skipped) {
        public ExtensionSource {
            paths = NullableCollections.copyOf(paths);
            skipped = NullableCollections.copyOf(skipped);
        }

        /** {@code NAMESPACE/NAME}, or the name alone. */
        public String path() {
            return namespace == null ? name : namespace + "/" + name;
        }
    }

    /** The MachineDeployment of a rendering. */
    @WireRecord
    public record MachineDeploymentSource(
            @Nullable String namespace,
            @Nullable String name,
            @Nullable String uid,
            @Nullable String revision) {}

    /** The profile of a rendering. */
    @WireRecord
    public record ProfileSource(
            @Nullable String namespace,
            @Nullable String name,
            @Nullable String version,
            @Nullable String contentHash) {}

    /** One object of the worker cluster that holds a result. */
    @WireRecord
    public record PublishedSecret(
            Role role,
            String namespace,
            String name,
            SecretState state,
            @Nullable String revision,
            @Nullable Integer bytes,
            @Nullable Integer limitBytes,
            @Nullable String publishedTime) {}

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
            String time,
            ChangeResult result,
            @Nullable String reason,
            String because,
            @Nullable String fromRevision,
            @Nullable String toRevision,
            @Nullable Integer writes,
            @Nullable Integer durationMilliseconds) {}

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
