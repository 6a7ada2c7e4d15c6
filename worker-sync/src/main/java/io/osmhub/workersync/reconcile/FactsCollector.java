package io.osmhub.workersync.reconcile;

import io.osmhub.core.bootstrap.ApiServerEndpoint;
import io.osmhub.core.bootstrap.FetchToken;
import io.osmhub.core.bootstrap.ObjectNames;
import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.plan.Facts;
import io.osmhub.core.plan.Facts.FetchTokenFacts;
import io.osmhub.core.plan.Facts.FoundObjects;
import io.osmhub.core.plan.Facts.LookupResult;
import io.osmhub.core.plan.StoredConfig;
import io.osmhub.core.plan.StoredGrant;
import io.osmhub.core.plan.StoredGrant.GrantKind;
import io.osmhub.core.plan.StoredSecret;
import io.osmhub.core.plan.StoredSecret.SecretRole;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.ProblemObject;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.render.Renderer.RenderInput;
import io.osmhub.workersync.port.ProfileCatalog;
import io.osmhub.workersync.port.Scheduler;
import io.osmhub.workersync.port.TenantInputs;
import io.osmhub.workersync.port.TenantPorts;
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
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Collects the facts about one MachineDeployment, from caches only. */
final class FactsCollector {
    private final WorkerInformers informers;
    private final TenantPorts tenantPorts;
    private final NameClaims nameClaims;
    private final NodeJoinResolver nodeJoinResolver;
    private final UnpublishedTokens unpublishedTokens;
    private final Scheduler scheduler;

    FactsCollector(
            TenantContext tenantContext,
            WorkerInformers informers,
            NameClaims nameClaims,
            NodeJoinResolver nodeJoinResolver,
            UnpublishedTokens unpublishedTokens) {
        this.informers = informers;
        this.tenantPorts = tenantContext.tenantPorts();
        this.scheduler = tenantContext.scheduler();
        this.nameClaims = nameClaims;
        this.nodeJoinResolver = nodeJoinResolver;
        this.unpublishedTokens = unpublishedTokens;
    }

    /** Returns null if the MachineDeployment does not exist. */
    @Nullable Facts collect(ObjectKey key, TenantInputs inputs) {
        WatchedMachineDeployment watched = informers.machineDeployments().get(key);
        if (watched == null) {
            unpublishedTokens.remove(key.toString());
            return null;
        }
        return collect(
                watched,
                inputs,
                inputs.mayWrite(watched.machineDeployment()),
                inputs.writes() != TenantInputs.AllowedWrites.ALL_BUT_OSM_CONTENT);
    }

    /** Collects as if the MachineDeployment were being deleted, also for a paused tenant. */
    Facts collectForRemoval(MachineDeployment machineDeployment, TenantInputs inputs) {
        MachineDeployment deleted = new MachineDeployment(
                machineDeployment.namespace(),
                machineDeployment.name(),
                machineDeployment.uid(),
                machineDeployment.resourceVersion(),
                machineDeployment.creationTimestamp(),
                scheduler.now(),
                machineDeployment.finalizers(),
                machineDeployment.annotations(),
                machineDeployment.kubeletVersion(),
                machineDeployment.providerSpec(),
                machineDeployment.templateAnnotations());
        return collect(new WatchedMachineDeployment(deleted, List.of()), inputs, true, true);
    }

    /**
     * Collects the facts for a preview: fetches nothing and ignores name collisions.
     *
     * @param catalog replaces the tenant's profiles; null to use those
     */
    Facts collectPreview(WatchedMachineDeployment watched, TenantInputs inputs, @Nullable ProfileCatalog catalog) {
        LookupResult<ApiServerEndpoint> apiServer = nodeJoinResolver.resolveApiServer(inputs);
        return new Facts(
                watched.machineDeployment(),
                List.of(),
                profile(watched, catalog == null ? tenantPorts.profileCatalog() : catalog),
                tenant(inputs).withCertificateAuthority(apiServer),
                apiServer,
                FetchTokenFacts.shared(nodeJoinResolver.resolveFetchToken(inputs)),
                nodeJoinResolver.resolveServiceAccountToken(inputs),
                FoundObjects.NONE,
                scheduler.now(),
                false,
                true);
    }

    private Facts collect(
            WatchedMachineDeployment watched, TenantInputs inputs, boolean canWrite, boolean canReplaceOsm) {
        ObjectNames names = ObjectNames.of(watched.machineDeployment());
        LookupResult<ApiServerEndpoint> apiServer = nodeJoinResolver.resolveApiServer(inputs);
        return new Facts(
                watched.machineDeployment(),
                otherClaimants(new ObjectKey(names.namespace(), names.name())),
                profile(watched, tenantPorts.profileCatalog()),
                tenant(inputs).withCertificateAuthority(apiServer),
                apiServer,
                fetchTokens(names, inputs),
                nodeJoinResolver.resolveServiceAccountToken(inputs),
                findObjects(names),
                scheduler.now(),
                canWrite,
                canReplaceOsm);
    }

    @Nullable StoredConfig config(ObjectNames names) {
        return tenantPorts.configStore().find(names.operatingSystemConfig());
    }

    FoundObjects findObjects(ObjectNames names) {
        return new FoundObjects(secrets(names), informers.tokensOf(names.key()), config(names));
    }

    private FetchTokenFacts fetchTokens(ObjectNames names, TenantInputs inputs) {
        Map<GrantKind, StoredGrant> grants = new EnumMap<>(GrantKind.class);
        boolean known = informers.areGrantsKnown();
        for (GrantKind kind : known ? GrantKind.values() : new GrantKind[0]) {
            StoredGrant grant = informers.grants(kind).get(settings(names.fetchAccount()));
            if (grant != null) {
                grants.put(kind, grant);
            }
        }
        SecretReader.SettingsSecret bootstrap = informers.secrets().get(settings(names.bootstrapSecret()));
        FetchToken published = FetchToken.read(bootstrap == null ? null : bootstrap.fetchToken());
        return new FetchTokenFacts(
                nodeJoinResolver.resolveFetchToken(inputs),
                known,
                grants,
                published,
                unpublishedTokens.get(names.namespace() + "/" + names.name(), published));
    }

    private static ObjectKey settings(String name) {
        return new ObjectKey(ObjectNames.SETTINGS_NAMESPACE, name);
    }

    /** Keys of all objects that a run may have written. */
    static Set<ObjectKey> keys(ObjectKey key) {
        ObjectNames names = new ObjectNames(key.namespace(), key.name());
        Set<ObjectKey> keys = new HashSet<>(Set.of(key, settings(names.fetchAccount())));
        names.secrets().forEach(secret -> keys.add(settings(secret)));
        return keys;
    }

    private List<Facts.NameClaimant> otherClaimants(ObjectKey key) {
        return nameClaims.rivals(key).stream()
                .map(informers.machineDeployments()::get)
                .filter(Objects::nonNull)
                .map(claimant -> new Facts.NameClaimant(
                        claimant.machineDeployment(),
                        profile(claimant, tenantPorts.profileCatalog()),
                        informers.tokensOf(
                                ObjectNames.of(claimant.machineDeployment()).key())))
                .toList();
    }

    private LookupResult<RenderInput.Profile> profile(WatchedMachineDeployment watched, ProfileCatalog profiles) {
        MachineDeployment machineDeployment = watched.machineDeployment();
        if (!watched.mistakes().isEmpty()) {
            return LookupResult.missing(watched.mistakes());
        }
        List<Problem> unreadable = unreadableObjects(ObjectNames.of(machineDeployment));
        if (!unreadable.isEmpty()) {
            // Overwriting an object of unknown content could lose it.
            return LookupResult.missing(unreadable);
        }
        if (machineDeployment.profileName().isEmpty()) {
            return LookupResult.missing(new Problem(
                    Reason.ProfileAnnotationMissing,
                    machineDeployment.describe(),
                    "annotation " + MachineDeployment.PROFILE,
                    "not set",
                    "set it"));
        }
        return profiles.find(machineDeployment);
    }

    private List<Problem> unreadableObjects(ObjectNames names) {
        Stream<@Nullable Problem> secrets =
                names.secrets().stream().map(secret -> informers.secrets().unreadable(settings(secret)));
        Stream<@Nullable Problem> grants = Stream.of(GrantKind.values())
                .map(kind -> informers.grants(kind).unreadable(settings(names.fetchAccount())));
        List<Problem> problems = new ArrayList<>(Stream.concat(secrets, grants)
                .filter(Objects::nonNull)
                .map(Problem::inWorkerCluster)
                .toList());
        Problem config = tenantPorts.configStore().unreadable(names.operatingSystemConfig());
        if (config != null) {
            problems.add(config);
        }
        return problems;
    }

    static Facts.Tenant tenant(TenantInputs inputs) {
        LookupResult<RenderInput.References> references;
        if (!inputs.mistakes().isEmpty()) {
            references = LookupResult.missing(inputs.mistakes());
        } else if (inputs.references() == null) {
            references = LookupResult.missing(new Problem(
                    Reason.SettingsInvalid,
                    ProblemObject.NONE,
                    "",
                    "objects that the settings refer to are not read yet",
                    ""));
        } else {
            references = LookupResult.of(inputs.references());
        }
        return new Facts.Tenant(
                inputs.namespace(),
                inputs.workerCluster(),
                inputs.hub(),
                inputs.settings().provisioning(),
                references);
    }

    Map<SecretRole, StoredSecret> secrets(ObjectNames names) {
        Map<SecretRole, StoredSecret> found = new EnumMap<>(SecretRole.class);
        for (SecretRole role : SecretRole.values()) {
            SecretReader.SettingsSecret secret = informers.secrets().get(settings(role.name(names)));
            if (secret != null) {
                found.put(role, secret.stored());
            }
        }
        return found;
    }
}
