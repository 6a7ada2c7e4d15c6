package io.osmhub.workersync.reconcile;

import io.osmhub.core.bootstrap.ObjectNames;
import io.osmhub.core.bootstrap.SourceAnnotations;
import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.machine.ProviderConfig;
import io.osmhub.core.plan.Facts;
import io.osmhub.core.plan.StoredConfig;
import io.osmhub.core.plan.StoredSecret;
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
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Read-only views of one tenant's MachineDeployments, from caches only. Thread-safe. */
public final class MachineDeploymentViews {
    private final WorkerInformers objects;
    private final FactsCollector look;
    private final RunResultHandler aftermath;

    MachineDeploymentViews(WorkerInformers objects, FactsCollector look, RunResultHandler aftermath) {
        this.objects = objects;
        this.look = look;
        this.aftermath = aftermath;
    }

    /** Those that the hub manages, by namespace and name. */
    public List<ObjectKey> keys() {
        List<ObjectKey> keys = new ArrayList<>();
        for (WatchedMachineDeployment watched : objects.machineDeployments().all()) {
            MachineDeployment machineDeployment = watched.machineDeployment();
            if (NameClaims.claims(machineDeployment)) {
                keys.add(new ObjectKey(machineDeployment.namespace(), machineDeployment.name()));
            }
        }
        keys.sort(Comparator.comparing(ObjectKey::namespace).thenComparing(ObjectKey::name));
        return keys;
    }

    /** Name of a MachineDeployment's profile; empty if not set, or if the MachineDeployment does not exist. */
    public String profileOf(ObjectKey key) {
        WatchedMachineDeployment watched = objects.machineDeployments().get(key);
        return watched == null ? "" : watched.machineDeployment().profileName();
    }

    /** State of each after its last run. */
    public Collection<MachineDeploymentState> states() {
        return aftermath.states().values();
    }

    /** Replicas of each that has had a run, as last observed: their changes cause no run. */
    public Map<ObjectKey, Replicas> replicas() {
        Map<ObjectKey, Replicas> replicas = new HashMap<>();
        for (ObjectKey key : aftermath.states().keySet()) {
            WatchedMachineDeployment watched = objects.machineDeployments().get(key);
            if (watched != null && watched.replicas() != null) {
                replicas.put(key, watched.replicas());
            }
        }
        return replicas;
    }

    /** Returns null if the MachineDeployment does not exist or the hub does not manage it. */
    public @Nullable MachineDeploymentView find(ObjectKey key) {
        WatchedMachineDeployment watched = objects.machineDeployments().get(key);
        if (watched == null || !NameClaims.claims(watched.machineDeployment())) {
            return null;
        }
        MachineDeployment machineDeployment = watched.machineDeployment();
        ObjectNames names = ObjectNames.of(machineDeployment);
        ProviderConfig provider = provider(machineDeployment);
        String deleted = look.findObjects(names).deletedToken();
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
                aftermath.states().get(key),
                secrets(names),
                tokenEnd(names),
                deleted == null ? "" : deleted,
                look.config(names));
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
        Map<SecretRole, MachineDeploymentView.SecretView> placed = new EnumMap<>(SecretRole.class);
        look.secrets(names).forEach((role, secret) -> placed.put(role, placed(secret)));
        return placed;
    }

    private static MachineDeploymentView.SecretView placed(StoredSecret secret) {
        return new MachineDeploymentView.SecretView(
                secret.namespace(),
                secret.name(),
                secret.annotations().getOrDefault(SourceAnnotations.REVISION, ""),
                secret.annotations().getOrDefault(SourceAnnotations.PROFILE_VERSION, ""),
                secret.bytes());
    }

    private @Nullable Instant tokenEnd(ObjectNames names) {
        Instant last = null;
        for (StoredToken token : objects.tokensOf(names.key())) {
            Instant end = token.expiration();
            if (token.canJoin() && end != null && (last == null || end.isAfter(last))) {
                last = end;
            }
        }
        return last;
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
                ? objects.machineDeployments().get(key)
                : new WatchedMachineDeployment(machineDeployment, List.of());
        return watched == null ? null : look.collectPreview(watched, inputs, profiles);
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
