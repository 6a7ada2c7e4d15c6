package io.osmhub.workersync.reconcile;

import io.osmhub.core.plan.StoredConfig;
import io.osmhub.core.plan.StoredSecret.SecretRole;
import io.osmhub.workersync.watch.WatchedMachineDeployment.Replicas;
import java.time.Instant;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One MachineDeployment as cached, for display: contains no credential, no Secret content and no hash of one.
 *
 * @param createdAt null if unknown
 * @param profile name of its profile; empty if not set
 * @param profileNamespace namespace of its profile; empty for the tenant's default
 * @param revision set by machine-controller; empty before
 * @param kubeletVersion as written; empty if not set
 * @param operatingSystem empty if the provider config cannot be read
 * @param cloudProvider empty if the provider config cannot be read
 * @param distUpgradeOnBoot whether machines upgrade their packages first
 * @param replicas null if unknown
 * @param state after its last run; null before the first
 * @param secrets existing Secrets with its names
 * @param tokenEnd latest expiration of the tokens with which its nodes can join; null without any
 * @param tokenDeleted name of the Secret with the last published token if it is missing; else empty
 * @param config null if there is none
 */
public record MachineDeploymentView(
        String namespace,
        String name,
        String uid,
        @Nullable Instant createdAt,
        String profile,
        String profileNamespace,
        String revision,
        String kubeletVersion,
        String operatingSystem,
        String cloudProvider,
        boolean distUpgradeOnBoot,
        @Nullable Replicas replicas,
        @Nullable MachineDeploymentState state,
        Map<SecretRole, SecretView> secrets,
        @Nullable Instant tokenEnd,
        String tokenDeleted,
        @Nullable StoredConfig config) {
    public MachineDeploymentView {
        Map<SecretRole, SecretView> copy = new EnumMap<>(SecretRole.class);
        copy.putAll(secrets);
        secrets = Collections.unmodifiableMap(copy);
    }

    /**
     * A Secret in the worker cluster.
     *
     * @param revision MachineDeployment revision in its annotations; empty if absent
     * @param profileVersion in its annotations; empty if absent
     * @param bytes total size of its values
     */
    public record SecretView(String namespace, String name, String revision, String profileVersion, int bytes) {}
}
