package io.osmhub.workersync.reconcile;

import io.osmhub.core.bootstrap.ObjectNames;
import io.osmhub.core.bootstrap.SourceAnnotations;
import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.machine.ProviderConfig;
import io.osmhub.core.plan.Facts;
import io.osmhub.core.plan.StoredConfig;
import io.osmhub.core.plan.StoredSecret.SecretRole;
import io.osmhub.core.plan.StoredToken;
import io.osmhub.core.problem.TenantMistake;
import io.osmhub.workersync.port.ProfileCatalog;
import io.osmhub.workersync.port.TenantInputs;
import io.osmhub.workersync.watch.ObjectKey;
import io.osmhub.workersync.watch.WatchedMachineDeployment;
import io.osmhub.workersync.watch.WatchedMachineDeployment.Replicas;
import io.osmhub.workersync.watch.WorkerInformers;
import java.time.Instant;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Read-only views of one tenant's MachineDeployments, from caches only. Thread-safe. */
public final class MachineDeploymentViews {
    private final WorkerInformers informers;
    private final FactsCollector factsCollector;
    private final MachineDeploymentStates machineDeploymentStates;

    MachineDeploymentViews(
            WorkerInformers informers, FactsCollector factsCollector, MachineDeploymentStates machineDeploymentStates) {
        this.informers = informers;
        this.factsCollector = factsCollector;
        this.machineDeploymentStates = machineDeploymentStates;
    }

    /** Those that the hub manages, by namespace and name. */
    public List<ObjectKey> keys() {
        return informers.machineDeployments().all().stream()
                .map(WatchedMachineDeployment::machineDeployment)
                .filter(NameClaims::claims)
                .map(machineDeployment -> new ObjectKey(machineDeployment.namespace(), machineDeployment.name()))
                .sorted(ObjectKey.ORDER)
                .toList();
    }

    /** Name of a MachineDeployment's profile; empty if not set, or if the MachineDeployment does not exist. */
    public String profileOf(ObjectKey key) {
        WatchedMachineDeployment watched = informers.machineDeployments().get(key);
        return watched == null ? "" : watched.machineDeployment().profileName();
    }

    /** State of each after its last run, by namespace and name. */
    public List<MachineDeploymentState> states() {
        return machineDeploymentStates.all();
    }

    /** Replicas of each that has had a run, as last observed: their changes cause no run. */
    public Map<ObjectKey, Replicas> replicas() {
        Map<ObjectKey, Replicas> replicas = new HashMap<>();
        for (ObjectKey key : machineDeploymentStates.keys()) {
            WatchedMachineDeployment watched = informers.machineDeployments().get(key);
            if (watched != null && watched.replicas() != null) {
                replicas.put(key, watched.replicas());
            }
        }
        return replicas;
    }

    /** Returns null if the MachineDeployment does not exist or the hub does not manage it. */
    public @Nullable MachineDeploymentView find(ObjectKey key) {
        WatchedMachineDeployment watched = informers.machineDeployments().get(key);
        if (watched == null || !NameClaims.claims(watched.machineDeployment())) {
            return null;
        }
        MachineDeployment machineDeployment = watched.machineDeployment();
        ObjectNames names = ObjectNames.of(machineDeployment);
        ProviderConfig provider = provider(machineDeployment);
        String deleted = factsCollector.findObjects(names).deletedToken();
        return new MachineDeploymentView(
                machineDeployment.namespace(),
                machineDeployment.name(),
                machineDeployment.uid(),
                machineDeployment.creationTimestamp(),
                machineDeployment.profileName(),
                machineDeployment.profileNamespace(),
                machineDeployment.revision(),
                machineDeployment.kubeletVersion(),
                provider == null ? "" : provider.operatingSystem(),
                provider == null ? "" : provider.cloudProvider(),
                provider != null && upgrades(provider, machineDeployment),
                watched.replicas(),
                machineDeploymentStates.find(key),
                secrets(names),
                tokenEnd(names),
                deleted == null ? "" : deleted,
                factsCollector.config(names));
    }

    private static @Nullable ProviderConfig provider(MachineDeployment machineDeployment) {
        try {
            return ProviderConfig.decode(machineDeployment).lenient();
        } catch (TenantMistake e) {
            // Its run reports the errors.
            return null;
        }
    }

    private static boolean upgrades(ProviderConfig provider, MachineDeployment machineDeployment) {
        try {
            return provider.distUpgradeOnBoot(machineDeployment);
        } catch (TenantMistake e) {
            // As above.
            return false;
        }
    }

    private Map<SecretRole, MachineDeploymentView.SecretView> secrets(ObjectNames names) {
        Map<SecretRole, MachineDeploymentView.SecretView> views = new EnumMap<>(SecretRole.class);
        factsCollector
                .secrets(names)
                .forEach((role, secret) -> views.put(
                        role,
                        new MachineDeploymentView.SecretView(
                                secret.namespace(),
                                secret.name(),
                                secret.annotations().getOrDefault(SourceAnnotations.REVISION, ""),
                                secret.annotations().getOrDefault(SourceAnnotations.PROFILE_VERSION, ""),
                                secret.bytes())));
        return views;
    }

    private @Nullable Instant tokenEnd(ObjectNames names) {
        return informers.tokensOf(names.key()).stream()
                .filter(StoredToken::canJoin)
                .map(StoredToken::expiration)
                .filter(Objects::nonNull)
                .max(Comparator.naturalOrder())
                .orElse(null);
    }

    /**
     * Facts for a preview. They contain credentials: only the previewer, which removes them, may call this.
     *
     * @param machineDeployment null for the one in the worker cluster
     * @return null if the MachineDeployment does not exist
     */
    public @Nullable Facts facts(
            ObjectKey key,
            @Nullable MachineDeployment machineDeployment,
            TenantInputs inputs,
            @Nullable ProfileCatalog profiles) {
        WatchedMachineDeployment watched = machineDeployment == null
                ? informers.machineDeployments().get(key)
                : new WatchedMachineDeployment(machineDeployment, List.of());
        return watched == null ? null : factsCollector.collectPreview(watched, inputs, profiles);
    }

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
}
