package io.osmhub.workersync.reconcile;

import io.osmhub.core.plan.SecretRole;
import io.osmhub.core.plan.StoredConfig;
import io.osmhub.workersync.watch.WatchedMachineDeployment.Replicas;
import java.time.Instant;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One MachineDeployment as the caches have it, for people: nothing of a credential, of a secret's content or of a hash of one.
 *
 * @param createdAt null when the object does not say
 * @param profile name that it gives; empty when it names none
 * @param profileNamespace that it gives; empty for where the tenant's profiles are looked for
 * @param revision that machine-controller has set; empty before
 * @param kubeletVersion as written; empty when it is left out
 * @param operatingSystem empty when the provider config cannot be read
 * @param cloudProvider empty when the provider config cannot be read
 * @param distUpgradeOnBoot whether machines upgrade their packages first
 * @param replicas null when it is not known
 * @param state since its last run; null before the first
 * @param secrets those that are there under its names
 * @param tokenEnd end of the token that lasts longest of those with which its nodes can join; null without any
 * @param tokenDeleted name of the Secret with the token that was published last, when it is missing; empty when it is not
 * @param config null when it has none
 */
public record CloseUp(
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
        @Nullable State state,
        Map<SecretRole, Placed> secrets,
        @Nullable Instant tokenEnd,
        String tokenDeleted,
        @Nullable StoredConfig config) {
    public CloseUp {
        Map<SecretRole, Placed> copy = new EnumMap<>(SecretRole.class);
        copy.putAll(secrets);
        secrets = Collections.unmodifiableMap(copy);
    }

    /**
     * A Secret in the worker cluster.
     *
     * @param revision of the MachineDeployment that it carries; empty without
     * @param profileVersion that it carries; empty without
     * @param bytes of its values together
     */
    public record Placed(String namespace, String name, String revision, String profileVersion, int bytes) {}
}
