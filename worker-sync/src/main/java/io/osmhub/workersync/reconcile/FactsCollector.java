package io.osmhub.workersync.reconcile;

import io.osmhub.core.bootstrap.FetchToken;
import io.osmhub.core.bootstrap.ObjectNames;
import io.osmhub.core.machine.CloudProviderSpec.ReferenceResolver;
import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.plan.DesiredGrant.GrantKind;
import io.osmhub.core.plan.Facts;
import io.osmhub.core.plan.Facts.FetchTokenFacts;
import io.osmhub.core.plan.Facts.FoundObjects;
import io.osmhub.core.plan.Facts.LookupResult;
import io.osmhub.core.plan.StoredConfig;
import io.osmhub.core.plan.StoredGrant;
import io.osmhub.core.plan.StoredSecret;
import io.osmhub.core.plan.StoredSecret.SecretRole;
import io.osmhub.core.plan.StoredToken;
import io.osmhub.core.problem.ProblemFinding;
import io.osmhub.core.render.Renderer.RenderInput;
import io.osmhub.workersync.port.ConfigStore;
import io.osmhub.workersync.port.ProfileCatalog;
import io.osmhub.workersync.port.Scheduler;
import io.osmhub.workersync.port.TenantInputs;
import io.osmhub.workersync.watch.ObjectKey;
import io.osmhub.workersync.watch.SecretReader;
import io.osmhub.workersync.watch.WatchedMachineDeployment;
import io.osmhub.workersync.watch.WorkerInformers;
import io.osmhub.workersync.write.UnpublishedTokens;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Collects the facts about one MachineDeployment, from caches only. */
final class FactsCollector {
    private final WorkerInformers objects;
    private final ConfigStore configs;
    private final ProfileCatalog profiles;
    private final NameClaims claims;
    private final NodeJoinResolver access;
    private final UnpublishedTokens freshTokens;
    private final Scheduler timers;

    FactsCollector(
            WorkerInformers objects,
            ConfigStore configs,
            ProfileCatalog profiles,
            NameClaims claims,
            NodeJoinResolver access,
            UnpublishedTokens freshTokens,
            Scheduler timers) {
        this.objects = objects;
        this.configs = configs;
        this.profiles = profiles;
        this.claims = claims;
        this.access = access;
        this.freshTokens = freshTokens;
        this.timers = timers;
    }

    /** Returns null if the MachineDeployment does not exist. */
    @Nullable Facts collect(ObjectKey key, TenantInputs inputs, ProviderReferenceCache.ReferenceSession references) {
        WatchedMachineDeployment watched = objects.machineDeployments().get(key);
        if (watched == null) {
            freshTokens.remove(key.toString());
            return null;
        }
        return facts(watched.machineDeployment(), watched, inputs, references);
    }

    /**
     * Collects the facts for a preview: fetches nothing and ignores name collisions.
     *
     * @param catalog replaces the tenant's profiles; null to use those
     */
    Facts collectPreview(WatchedMachineDeployment watched, TenantInputs inputs, @Nullable ProfileCatalog catalog) {
        return new Facts(
                watched.machineDeployment(),
                List.of(),
                profile(watched, catalog == null ? profiles : catalog),
                tenant(inputs).withCertificateAuthority(access.resolveApiServer(inputs)),
                access.resolveApiServer(inputs),
                FetchTokenFacts.shared(access.resolveFetchToken(inputs)),
                access.resolveServiceAccountToken(inputs),
                reference -> new ReferenceResolver.ResolveResult.NoObject(),
                FoundObjects.NONE,
                timers.now(),
                false,
                true);
    }

    @Nullable StoredConfig config(ObjectNames names) {
        return configs.find(names.operatingSystemConfig());
    }

    /** Collects for a modified MachineDeployment, to clean up objects of one that is not being deleted. */
    Facts collectFor(
            MachineDeployment machineDeployment,
            TenantInputs inputs,
            ProviderReferenceCache.ReferenceSession references) {
        return facts(machineDeployment, new WatchedMachineDeployment(machineDeployment, List.of()), inputs, references);
    }

    private Facts facts(
            MachineDeployment machineDeployment,
            WatchedMachineDeployment watched,
            TenantInputs inputs,
            ProviderReferenceCache.ReferenceSession references) {
        ObjectNames names = ObjectNames.of(machineDeployment);
        return new Facts(
                machineDeployment,
                rivals(machineDeployment),
                profile(watched, profiles),
                tenant(inputs).withCertificateAuthority(access.resolveApiServer(inputs)),
                access.resolveApiServer(inputs),
                fetch(names, inputs),
                access.resolveServiceAccountToken(inputs),
                references,
                findObjects(names),
                timers.now(),
                inputs.mayWrite(machineDeployment),
                inputs.writes() != TenantInputs.AllowedWrites.ALL_BUT_OSM_CONTENT);
    }

    FoundObjects findObjects(ObjectNames names) {
        return new FoundObjects(secrets(names), tokens(names), configs.find(names.operatingSystemConfig()));
    }

    private FetchTokenFacts fetch(ObjectNames names, TenantInputs inputs) {
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
        return new FetchTokenFacts(
                access.resolveFetchToken(inputs),
                known,
                grants,
                stored,
                freshTokens.get(names.namespace() + "/" + names.name(), stored));
    }

    /** Keys of all objects that a run may have written. */
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

    private List<Facts.NameClaimant> rivals(MachineDeployment machineDeployment) {
        List<Facts.NameClaimant> rivals = new ArrayList<>();
        for (ObjectKey key : claims.rivals(new ObjectKey(machineDeployment.namespace(), machineDeployment.name()))) {
            WatchedMachineDeployment rival = objects.machineDeployments().get(key);
            if (rival != null) {
                rivals.add(new Facts.NameClaimant(
                        rival.machineDeployment(),
                        profile(rival, profiles),
                        tokens(ObjectNames.of(rival.machineDeployment()))));
            }
        }
        return rivals;
    }

    private LookupResult<RenderInput.Profile> profile(WatchedMachineDeployment watched, ProfileCatalog profiles) {
        MachineDeployment machineDeployment = watched.machineDeployment();
        if (!watched.mistakes().isEmpty()) {
            return new LookupResult.Missing<>(watched.mistakes());
        }
        List<ProblemFinding> unreadable = unreadableObjects(ObjectNames.of(machineDeployment));
        if (!unreadable.isEmpty()) {
            // Overwriting an object of unknown content could lose it.
            return new LookupResult.Missing<>(unreadable);
        }
        if (machineDeployment.profileName().isEmpty()) {
            return LookupResult.missing(new ProblemFinding(
                    "ProfileAnnotationMissing",
                    machineDeployment.describe(),
                    "annotation " + MachineDeployment.PROFILE,
                    "not set",
                    "set it"));
        }
        return switch (profiles.find(machineDeployment)) {
            case ProfileCatalog.ProfileLookupResult.Found(RenderInput.Profile profile) -> LookupResult.of(profile);
            case ProfileCatalog.ProfileLookupResult.NotUsable(ProblemFinding finding) -> LookupResult.missing(finding);
        };
    }

    private List<ProblemFinding> unreadableObjects(ObjectNames names) {
        ObjectKey account = new ObjectKey(ObjectNames.SETTINGS_NAMESPACE, names.fetchAccount());
        return Stream.of(
                        names.secrets().stream()
                                .map(secret -> new ObjectKey(ObjectNames.SETTINGS_NAMESPACE, secret))
                                .map(key ->
                                        Optional.ofNullable(objects.secrets().unreadable(key))),
                        Stream.of(GrantKind.values())
                                .map(kind ->
                                        Optional.ofNullable(objects.grants(kind).unreadable(account))),
                        Stream.of(Optional.ofNullable(configs.unreadable(names.operatingSystemConfig()))))
                .flatMap(found -> found.flatMap(Optional::stream))
                .toList();
    }

    static Facts.Tenant tenant(TenantInputs inputs) {
        RenderInput.References references = inputs.references();
        List<ProblemFinding> mistakes = inputs.mistakes();
        LookupResult<RenderInput.References> resolved;
        if (references != null && mistakes.isEmpty()) {
            resolved = LookupResult.of(references);
        } else if (mistakes.isEmpty()) {
            resolved = LookupResult.missing(new ProblemFinding(
                    "SettingsInvalid", "", "", "objects that the settings refer to are not read yet", ""));
        } else {
            resolved = new LookupResult.Missing<>(mistakes);
        }
        return new Facts.Tenant(
                inputs.namespace(),
                inputs.workerCluster(),
                inputs.hub(),
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
