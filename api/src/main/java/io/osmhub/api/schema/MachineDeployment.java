package io.osmhub.api.schema;

import io.osmhub.core.osc.OperatingSystemConfigStatus.NewNodes;
import io.osmhub.core.problem.Reason;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One row of the list of MachineDeployments: what it is, what is published for it, and what a node that starts now
 * gets.
 *
 * @param tenant namespace in the management cluster
 * @param namespace in the worker cluster, like {@code name} and {@code uid}
 * @param profile namespace/name, or the name as asked for when no such profile is found
 * @param profileVersion version that is published
 * @param revision that machine-controller wants; empty before it has set one
 * @param publishedRevision that the bootstrap secret carries
 * @param stale true when the values are the last known ones, as nobody could be asked
 */
public record MachineDeployment(
        String tenant,
        String workerCluster,
        String namespace,
        String name,
        @Nullable String uid,
        @Nullable Instant createdAt,
        @Nullable String profile,
        @Nullable String profileVersion,
        @Nullable String operatingSystem,
        @Nullable String cloudProvider,
        @Nullable String kubeletVersion,
        @Nullable String revision,
        @Nullable String publishedRevision,
        @Nullable Integer replicas,
        @Nullable Integer readyReplicas,
        NewNodes newNodes,
        @Nullable Reason reason,
        @Nullable Instant since,
        @Nullable Instant tokenExpiresAt,
        @Nullable String osc,
        @Nullable Boolean stale) {
    public MachineDeployment {
        Objects.requireNonNull(tenant, "tenant");
        Objects.requireNonNull(workerCluster, "workerCluster");
        Objects.requireNonNull(namespace, "namespace");
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(newNodes, "newNodes");
    }
}
