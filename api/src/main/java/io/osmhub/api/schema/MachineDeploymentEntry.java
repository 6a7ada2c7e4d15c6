package io.osmhub.api.schema;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.osmhub.core.osc.OperatingSystemConfigStatus.NewNodes;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.render.AppliedExtensions;
import io.osmhub.core.status.Chain.LinkState;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A MachineDeployment in a list, with what is published for it and what a new node gets.
 *
 * @param unansweredBy name of the replica that serves the tenant, if its live values are missing because it did not answer
 */
public record MachineDeploymentEntry(
        @JsonUnwrapped MachineDeploymentIdentity identity,
        @JsonUnwrapped PublishedProfile published,
        @JsonUnwrapped Rollout rollout,
        @JsonUnwrapped NodeEffect effect,
        @Nullable Instant tokenExpiresAt,
        @Nullable String osc,
        @Nullable String unansweredBy) {
    /**
     * Which one it is.
     *
     * @param tenant namespace in the management cluster
     * @param namespace in the worker cluster, like {@code name} and {@code uid}
     */
    public record MachineDeploymentIdentity(
            String tenant,
            String workerCluster,
            String namespace,
            String name,
            @Nullable String uid,
            @Nullable Instant createdAt) {
        /** As namespace/name. */
        public String path() {
            return namespace + "/" + name;
        }
    }

    /**
     * What its nodes are made of.
     *
     * @param profile namespace/name, or the requested name if not found
     * @param profileVersion published version
     * @param baseVersion the same without extensions, as in the profile
     */
    public record PublishedProfile(
            @Nullable String profile,
            @Nullable String profileVersion,
            @Nullable String baseVersion,
            @Nullable String operatingSystem,
            @Nullable String cloudProvider) {
        public PublishedProfile(
                @Nullable String profile,
                @Nullable String profileVersion,
                @Nullable String operatingSystem,
                @Nullable String cloudProvider) {
            this(
                    profile,
                    profileVersion,
                    profileVersion == null ? null : AppliedExtensions.baseVersion(profileVersion),
                    operatingSystem,
                    cloudProvider);
        }
    }

    /**
     * Its machines.
     *
     * @param revision wanted by machine-controller; empty until set
     * @param publishedRevision in the bootstrap secret
     */
    public record Rollout(
            @Nullable String kubeletVersion,
            @Nullable String revision,
            @Nullable String publishedRevision,
            @Nullable Integer replicas,
            @Nullable Integer readyReplicas) {}

    /**
     * What happens to a new node, and why.
     *
     * @param links state of each link of the chain, in the order of a {@link WhyReport}
     */
    public record NodeEffect(
            NewNodes newNodes,
            @Nullable Reason reason,
            @Nullable Instant since,
            @Nullable List<LinkState> links) {}
}
