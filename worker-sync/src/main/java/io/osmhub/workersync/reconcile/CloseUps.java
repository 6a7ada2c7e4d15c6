package io.osmhub.workersync.reconcile;

import io.osmhub.core.bootstrap.ObjectNames;
import io.osmhub.core.bootstrap.Stamps;
import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.machine.ProviderConfig;
import io.osmhub.core.plan.Facts;
import io.osmhub.core.plan.SecretRole;
import io.osmhub.core.plan.StoredSecret;
import io.osmhub.core.plan.StoredToken;
import io.osmhub.core.problem.TenantMistake;
import io.osmhub.workersync.port.ProfileCatalog;
import io.osmhub.workersync.port.TenantInputs;
import io.osmhub.workersync.watch.ObjectKey;
import io.osmhub.workersync.watch.WatchedMachineDeployment;
import io.osmhub.workersync.watch.WorkerObjects;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Shows MachineDeployments of one tenant to people, from caches only; writes nothing. Safe for use by many threads. */
public final class CloseUps {
    private final WorkerObjects objects;
    private final Look look;
    private final Aftermath aftermath;

    CloseUps(WorkerObjects objects, Look look, Aftermath aftermath) {
        this.objects = objects;
        this.look = look;
        this.aftermath = aftermath;
    }

    /** Those that are the hub's, by namespace and name. */
    public List<ObjectKey> all() {
        List<ObjectKey> keys = new ArrayList<>();
        for (WatchedMachineDeployment watched : objects.machineDeployments().all()) {
            MachineDeployment machineDeployment = watched.machineDeployment();
            if (Claims.claims(machineDeployment)) {
                keys.add(new ObjectKey(machineDeployment.namespace(), machineDeployment.name()));
            }
        }
        keys.sort(Comparator.comparing(ObjectKey::namespace).thenComparing(ObjectKey::name));
        return keys;
    }

    /** Name of the profile that one gives; empty when it names none, or is not there. */
    public String profileOf(ObjectKey key) {
        WatchedMachineDeployment watched = objects.machineDeployments().get(key);
        return watched == null ? "" : watched.machineDeployment().profileName();
    }

    /** How each stands since its last run. */
    public Collection<State> states() {
        return aftermath.states().values();
    }

    /** Null when there is no such MachineDeployment, or it is none of the hub's. */
    public @Nullable CloseUp of(ObjectKey key) {
        WatchedMachineDeployment watched = objects.machineDeployments().get(key);
        if (watched == null || !Claims.claims(watched.machineDeployment())) {
            return null;
        }
        MachineDeployment machineDeployment = watched.machineDeployment();
        ObjectNames names = ObjectNames.of(machineDeployment);
        ProviderConfig provider = provider(machineDeployment);
        String deleted = look.found(names).deletedToken();
        return new CloseUp(
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
            // Its run says what is wrong with it.
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

    private Map<SecretRole, CloseUp.Placed> secrets(ObjectNames names) {
        Map<SecretRole, CloseUp.Placed> placed = new EnumMap<>(SecretRole.class);
        look.secrets(names).forEach((role, secret) -> placed.put(role, placed(secret)));
        return placed;
    }

    private static CloseUp.Placed placed(StoredSecret secret) {
        return new CloseUp.Placed(
                secret.namespace(),
                secret.name(),
                secret.annotations().getOrDefault(Stamps.REVISION, ""),
                secret.annotations().getOrDefault(Stamps.PROFILE_VERSION, ""),
                secret.bytes());
    }

    private @Nullable Instant tokenEnd(ObjectNames names) {
        Instant last = null;
        for (StoredToken token : objects.tokensOf(names.key())) {
            Instant end = token.expiration();
            if (token.admits() && end != null && (last == null || end.isAfter(last))) {
                last = end;
            }
        }
        return last;
    }

    /**
     * What a preview is made of. For the previewer only: it takes out the credentials.
     *
     * @param machineDeployment null for the one of the worker cluster
     * @return null when there is no such MachineDeployment
     */
    public @Nullable Facts facts(
            ObjectKey key,
            @Nullable MachineDeployment machineDeployment,
            TenantInputs inputs,
            @Nullable ProfileCatalog profiles) {
        WatchedMachineDeployment watched = machineDeployment == null
                ? objects.machineDeployments().get(key)
                : new WatchedMachineDeployment(machineDeployment, List.of());
        return watched == null ? null : look.preview(watched, inputs, profiles);
    }
}
