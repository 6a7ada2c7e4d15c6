package io.osmhub.workersync.reconcile;

import io.osmhub.core.bootstrap.ApiServer;
import io.osmhub.core.bootstrap.FetchToken;
import io.osmhub.core.bootstrap.ObjectNames;
import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.machine.ReferenceResolver;
import io.osmhub.core.plan.Facts;
import io.osmhub.core.plan.FetchFacts;
import io.osmhub.core.plan.FoundObjects;
import io.osmhub.core.plan.GrantKind;
import io.osmhub.core.plan.Lookup;
import io.osmhub.core.plan.SecretRole;
import io.osmhub.core.plan.StoredConfig;
import io.osmhub.core.plan.StoredGrant;
import io.osmhub.core.plan.StoredSecret;
import io.osmhub.core.plan.StoredToken;
import io.osmhub.core.problem.Finding;
import io.osmhub.core.render.RenderInput;
import io.osmhub.workersync.port.ConfigStore;
import io.osmhub.workersync.port.ProfileCatalog;
import io.osmhub.workersync.port.TenantInputs;
import io.osmhub.workersync.port.Timers;
import io.osmhub.workersync.watch.ObjectKey;
import io.osmhub.workersync.watch.SecretReader;
import io.osmhub.workersync.watch.WatchedMachineDeployment;
import io.osmhub.workersync.watch.WorkerObjects;
import io.osmhub.workersync.write.FreshTokens;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Gathers what is known about one MachineDeployment, from caches only. */
final class Look {
    private final WorkerObjects objects;
    private final ConfigStore configs;
    private final ProfileCatalog profiles;
    private final Claims claims;
    private final Access access;
    private final FreshTokens freshTokens;
    private final Timers timers;

    Look(
            WorkerObjects objects,
            ConfigStore configs,
            ProfileCatalog profiles,
            Claims claims,
            Access access,
            FreshTokens freshTokens,
            Timers timers) {
        this.objects = objects;
        this.configs = configs;
        this.profiles = profiles;
        this.claims = claims;
        this.access = access;
        this.freshTokens = freshTokens;
        this.timers = timers;
    }

    /** Null when there is no such MachineDeployment. */
    @Nullable Facts at(ObjectKey key, TenantInputs inputs, ProviderReferences.Session references) {
        WatchedMachineDeployment watched = objects.machineDeployments().get(key);
        if (watched == null) {
            freshTokens.forget(key.toString());
            return null;
        }
        return facts(watched.machineDeployment(), watched, inputs, references);
    }

    /**
     * What a preview needs: nothing is fetched, and nobody's names are looked at.
     *
     * @param catalog in place of the tenant's profiles; null for these
     */
    Facts preview(WatchedMachineDeployment watched, TenantInputs inputs, @Nullable ProfileCatalog catalog) {
        return new Facts(
                watched.machineDeployment(),
                List.of(),
                profile(watched, catalog == null ? profiles : catalog),
                withCertificateAuthority(tenant(inputs), access.apiServer(inputs)),
                access.apiServer(inputs),
                FetchFacts.shared(access.fetchToken(inputs)),
                access.serviceAccountToken(inputs),
                reference -> new ReferenceResolver.Answer.NoObject(),
                FoundObjects.NONE,
                timers.now(),
                false);
    }

    /** Null when there is none. */
    @Nullable StoredConfig config(ObjectNames names) {
        return configs.find(names.operatingSystemConfig());
    }

    /** The same, told as if it were something else: for removing what nobody deletes. */
    Facts as(MachineDeployment machineDeployment, TenantInputs inputs, ProviderReferences.Session references) {
        return facts(machineDeployment, new WatchedMachineDeployment(machineDeployment, List.of()), inputs, references);
    }

    private Facts facts(
            MachineDeployment machineDeployment,
            WatchedMachineDeployment watched,
            TenantInputs inputs,
            ProviderReferences.Session references) {
        ObjectNames names = ObjectNames.of(machineDeployment);
        return new Facts(
                machineDeployment,
                rivals(machineDeployment),
                profile(watched, profiles),
                withCertificateAuthority(tenant(inputs), access.apiServer(inputs)),
                access.apiServer(inputs),
                fetch(names, inputs),
                access.serviceAccountToken(inputs),
                references,
                found(names),
                timers.now(),
                !inputs.paused());
    }

    FoundObjects found(ObjectNames names) {
        return new FoundObjects(secrets(names), tokens(names), configs.find(names.operatingSystemConfig()));
    }

    private FetchFacts fetch(ObjectNames names, TenantInputs inputs) {
        Map<GrantKind, StoredGrant> grants = new EnumMap<>(GrantKind.class);
        boolean known = objects.areGrantsKnown();
        for (GrantKind kind : known ? GrantKind.values() : new GrantKind[0]) {
            StoredGrant grant =
                    objects.grants(kind).get(new ObjectKey(ObjectNames.SETTINGS_NAMESPACE, names.fetchAccount()));
            if (grant != null) {
                grants.put(kind, grant);
            }
        }
        SecretReader.SettingsSecret bootstrap =
                objects.secrets().get(new ObjectKey(ObjectNames.SETTINGS_NAMESPACE, names.bootstrapSecret()));
        FetchToken stored = FetchToken.read(bootstrap == null ? null : bootstrap.fetchToken());
        return new FetchFacts(
                access.fetchToken(inputs),
                known,
                grants,
                stored,
                freshTokens.get(names.namespace() + "/" + names.name(), stored));
    }

    /** Keys of all objects that a run about it may have written. */
    static Set<ObjectKey> keys(ObjectKey key) {
        Set<ObjectKey> keys = new HashSet<>();
        keys.add(key);
        ObjectNames names = new ObjectNames(key.namespace(), key.name());
        keys.add(new ObjectKey(ObjectNames.SETTINGS_NAMESPACE, names.fetchAccount()));
        for (String secret : names.secrets()) {
            keys.add(new ObjectKey(ObjectNames.SETTINGS_NAMESPACE, secret));
        }
        return keys;
    }

    private List<Facts.Rival> rivals(MachineDeployment machineDeployment) {
        List<Facts.Rival> rivals = new ArrayList<>();
        for (ObjectKey key : claims.rivals(new ObjectKey(machineDeployment.namespace(), machineDeployment.name()))) {
            WatchedMachineDeployment rival = objects.machineDeployments().get(key);
            if (rival != null) {
                rivals.add(new Facts.Rival(
                        rival.machineDeployment(),
                        profile(rival, profiles),
                        tokens(ObjectNames.of(rival.machineDeployment()))));
            }
        }
        return rivals;
    }

    private static Lookup<RenderInput.Profile> profile(WatchedMachineDeployment watched, ProfileCatalog profiles) {
        MachineDeployment machineDeployment = watched.machineDeployment();
        if (!watched.mistakes().isEmpty()) {
            return new Lookup.Missing<>(watched.mistakes());
        }
        if (machineDeployment.profileName().isEmpty()) {
            return Lookup.missing(new Finding(
                    "ProfileAnnotationMissing",
                    machineDeployment.describe(),
                    "annotation " + MachineDeployment.PROFILE,
                    "it names no profile",
                    "set it"));
        }
        return switch (profiles.find(machineDeployment)) {
            case ProfileCatalog.Lookup.Found(RenderInput.Profile profile) -> Lookup.of(profile);
            case ProfileCatalog.Lookup.NotUsable(Finding finding) -> Lookup.missing(finding);
        };
    }

    /** Nodes without the cluster's CA start, and their kubelets do not. */
    private static Facts.Tenant withCertificateAuthority(Facts.Tenant tenant, Lookup<ApiServer> apiServer) {
        if (!(tenant.references() instanceof Lookup.Found<RenderInput.References>(RenderInput.References references))
                || !references.kubernetesCa().isEmpty()
                || !(apiServer instanceof Lookup.Found<ApiServer>(ApiServer server))) {
            return tenant;
        }
        Lookup<RenderInput.References> completed = server.certificateAuthority().isEmpty()
                ? Lookup.missing(new Finding(
                        "CertificateAuthorityMissing",
                        "WorkerCluster " + tenant.workerCluster(),
                        "",
                        "no CA certificate for nodes",
                        "set spec.provisioning.kubernetesCA, or put certificate-authority-data into cluster-info"))
                : Lookup.of(references.withKubernetesCa(server.certificateAuthority()));
        return new Facts.Tenant(
                tenant.namespace(), tenant.workerCluster(), tenant.hubId(), tenant.settings(), completed);
    }

    static Facts.Tenant tenant(TenantInputs inputs) {
        RenderInput.References references = inputs.references();
        List<Finding> mistakes = inputs.mistakes();
        Lookup<RenderInput.References> resolved;
        if (references != null && mistakes.isEmpty()) {
            resolved = Lookup.of(references);
        } else if (mistakes.isEmpty()) {
            resolved = Lookup.missing(
                    new Finding("SettingsInvalid", "", "", "what the settings refer to is not read yet", ""));
        } else {
            resolved = new Lookup.Missing<>(mistakes);
        }
        return new Facts.Tenant(
                inputs.namespace(),
                inputs.workerCluster(),
                inputs.hubId(),
                inputs.settings().provisioning(),
                resolved);
    }

    Map<SecretRole, StoredSecret> secrets(ObjectNames names) {
        Map<SecretRole, StoredSecret> found = new EnumMap<>(SecretRole.class);
        for (SecretRole role : SecretRole.values()) {
            SecretReader.SettingsSecret secret =
                    objects.secrets().get(new ObjectKey(ObjectNames.SETTINGS_NAMESPACE, role.name(names)));
            if (secret != null) {
                found.put(role, secret.stored());
            }
        }
        return found;
    }

    private List<StoredToken> tokens(ObjectNames names) {
        return objects.tokensOf(names.key());
    }
}
