package io.osmhub.deploy.migrate;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.core.bootstrap.ApiServerDiscovery;
import io.osmhub.core.bootstrap.ApiServerEndpoint;
import io.osmhub.core.bootstrap.BootstrapToken;
import io.osmhub.core.bootstrap.ObjectNames;
import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.model.Sensitive;
import io.osmhub.core.plan.Decider;
import io.osmhub.core.plan.Decision;
import io.osmhub.core.plan.Facts;
import io.osmhub.core.plan.Facts.FetchTokenFacts;
import io.osmhub.core.plan.Facts.FoundObjects;
import io.osmhub.core.plan.Facts.LookupResult;
import io.osmhub.core.plan.HubIdentity;
import io.osmhub.core.plan.PlannedChange;
import io.osmhub.core.plan.StoredConfig;
import io.osmhub.core.plan.StoredSecret;
import io.osmhub.core.plan.StoredSecret.SecretRole;
import io.osmhub.core.plan.StoredToken;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.ProblemObject;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.render.CompiledProfile.CompiledProfileCache;
import io.osmhub.core.render.Renderer.RenderInput;
import io.osmhub.core.render.SettingsReferenceResolver;
import io.osmhub.core.settings.TenantSettings.Provisioning;
import io.osmhub.core.settings.TenantSettings.ServiceAccountName;
import io.osmhub.core.template.Sandbox.RenderLimits;
import io.osmhub.core.template.language.TemplateEngines;
import io.osmhub.deploy.fleet.ClusterClient;
import io.osmhub.deploy.migrate.MigrationPlan.MachineDeploymentPlan;
import io.osmhub.deploy.migrate.MigrationPlan.Match;
import io.osmhub.deploy.migrate.MigrationPlan.Unclear;
import io.osmhub.tenancy.catalog.ConfigCache;
import io.osmhub.tenancy.catalog.StoredProfile;
import io.osmhub.tenancy.catalog.TenantProfileCatalog;
import io.osmhub.tenancy.catalog.TenantProfileCatalog.ExtensionAccess;
import io.osmhub.tenancy.catalog.TenantProfileCatalog.ProfileAccess;
import io.osmhub.tenancy.catalog.TenantProfileCatalog.ProfileLister;
import io.osmhub.tenancy.catalog.TenantProfileCatalog.ProposedProfileLister;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.watch.SecretReader;
import io.osmhub.workersync.watch.WatchedMachineDeployment;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What the hub would write for the MachineDeployments of one worker cluster: collects the same facts as a running hub and takes the
 * same decisions, without applying them.
 */
final class WorkerRenderings {
    private static final Set<SecretRole> COMPARED =
            Set.of(SecretRole.BOOTSTRAP, SecretRole.PROVISIONING, SecretRole.KUBELET_BOOTSTRAP);

    private final Migrated migrated;
    private final ClusterClient workerCluster;
    private final ClusterClient settingsCluster;
    private final ClusterClient managementCluster;
    private final Decider decider = new Decider(RenderLimits.DEFAULT, System::nanoTime, new SecureRandom());
    private final List<Unclear> unclear = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();
    private final Set<String> names = new TreeSet<>();

    /**
     * The tenant after its migration.
     *
     * @param found settings as OSM has them; registry credentials may be in another namespace
     * @param written settings as the WorkerCluster has them
     * @param kubeconfigCa certificate authorities of the kubeconfig, PEM
     * @param profiles of the tenant's namespace, by name
     */
    record Migrated(
            String namespace,
            String name,
            HubIdentity hub,
            Provisioning found,
            Provisioning written,
            String kubeconfigCa,
            SortedMap<String, JsonNode> profiles) {}

    /** @param settingsCluster where OSM reads registry credentials */
    WorkerRenderings(
            Migrated migrated,
            ClusterClient workerCluster,
            ClusterClient settingsCluster,
            ClusterClient managementCluster) {
        this.migrated = migrated;
        this.workerCluster = workerCluster;
        this.settingsCluster = settingsCluster;
        this.managementCluster = managementCluster;
    }

    List<Unclear> unclear() {
        return unclear;
    }

    List<String> notes() {
        return notes;
    }

    /** Names of all objects that belong to a MachineDeployment. */
    Set<String> names() {
        return names;
    }

    /** The MachineDeployments that the hub would serve, by name. */
    List<MachineDeploymentPlan> plan() {
        Inputs inputs = inputs();
        Map<String, String> claims = new HashMap<>();
        List<MachineDeploymentPlan> plans = new ArrayList<>();
        List<WatchedMachineDeployment> all = new ArrayList<>(
                workerCluster.list(Resource.MACHINE_DEPLOYMENTS, "", Map.of(), WatchedMachineDeployment::decode));
        all.sort(Comparator.comparing(
                watched -> watched.machineDeployment().describe().toString()));
        for (WatchedMachineDeployment watched : all) {
            MachineDeployment machineDeployment = watched.machineDeployment();
            ObjectNames objects = ObjectNames.of(machineDeployment);
            names.addAll(objects.secrets());
            names.add(objects.operatingSystemConfig());
            if (machineDeployment.profileName().isEmpty() && !machineDeployment.hasFinalizer()) {
                notes.add(machineDeployment.describe() + " names no profile and is not served");
                continue;
            }
            for (String claim : objects.claimedNames()) {
                String other =
                        claims.putIfAbsent(claim, machineDeployment.describe().toString());
                if (other != null) {
                    unclear.add(new Unclear(
                            machineDeployment.describe().toString(),
                            "has the same " + claim + " as " + other,
                            "rename one"));
                }
            }
            if (machineDeployment.deletionTimestamp() != null) {
                unclear.add(new Unclear(
                        machineDeployment.describe().toString(), "is being deleted", "wait until it is deleted"));
                continue;
            }
            plans.add(plan(watched, inputs));
        }
        return plans;
    }

    /** What is the same for all MachineDeployments. */
    private record Inputs(
            Map<String, StoredSecret> secrets,
            List<StoredToken> tokens,
            LookupResult<ApiServerEndpoint> apiServer,
            LookupResult<Sensitive> fetchToken,
            LookupResult<Sensitive> accountToken,
            Facts.Tenant tenant,
            TenantProfileCatalog catalog,
            Instant now) {}

    private Inputs inputs() {
        Map<String, StoredSecret> secrets = new HashMap<>();
        Sensitive fetchToken = null;
        for (SecretReader.SettingsSecret secret : workerCluster.list(
                Resource.SECRETS, ObjectNames.SETTINGS_NAMESPACE, Map.of(), SecretReader::settings)) {
            secrets.put(secret.stored().name(), secret.stored());
            fetchToken = secret.stored().name().equals(SecretReader.FETCH_TOKEN) ? secret.fetchToken() : fetchToken;
        }
        List<StoredToken> tokens = workerCluster.list(
                Resource.SECRETS,
                ObjectNames.TOKEN_NAMESPACE,
                Map.of("labelSelector", BootstrapToken.LABEL),
                SecretReader::bootstrapToken);
        LookupResult<RenderInput.References> references = LookupResult.lookup(() -> SettingsReferenceResolver.resolve(
                migrated.found(), migrated.namespace(), settingsCluster, migrated.kubeconfigCa()));
        RenderInput.References known = references.value();
        String authority = known == null ? migrated.kubeconfigCa() : known.kubernetesCa();
        Map<String, String> clusterInfo = workerCluster.configMap("kube-public", "cluster-info");
        ApiServerDiscovery.Sources sources = new ApiServerDiscovery.Sources(
                clusterInfo == null ? null : clusterInfo.get("kubeconfig"), workerCluster.endpointSlices(), authority);
        LookupResult<ApiServerEndpoint> apiServer = LookupResult.lookup(() ->
                ApiServerDiscovery.find(sources, migrated.written().bootstrap().apiServerUrl()));
        List<StoredProfile> profiles = migrated.profiles().values().stream()
                .map(ProposedProfileLister::read)
                .toList();
        return new Inputs(
                secrets,
                tokens,
                apiServer,
                token(fetchToken, Reason.GetterTokenMissing, "Secret cloud-init-settings/" + SecretReader.FETCH_TOKEN),
                token(accountToken(), Reason.ServiceAccountTokenMissing, "ServiceAccount of bootstrap tokens"),
                new Facts.Tenant(migrated.namespace(), migrated.name(), migrated.hub(), migrated.written(), references)
                        .withCertificateAuthority(apiServer),
                new TenantProfileCatalog(
                        new ProposedProfileLister(NO_PROFILES, profiles, migrated.namespace()),
                        new CompiledProfileCache(new TemplateEngines(), Math.max(1, profiles.size())),
                        migrated.namespace(),
                        () -> new ProfileAccess(migrated.namespace(), Set.of(), false),
                        ExtensionAccess.NONE),
                Instant.now());
    }

    private static final ProfileLister NO_PROFILES = new ProfileLister() {
        @Override
        public Map<String, StoredProfile> in(String namespace) {
            return Map.of();
        }

        @Override
        public boolean offersProfiles(String namespace) {
            return false;
        }
    };

    private LookupResult<Sensitive> token(@Nullable Sensitive token, Reason reason, String object) {
        return token == null
                ? LookupResult.missing(new Problem(
                        reason, ProblemObject.input(object + " at " + workerCluster.server()), "", "missing", ""))
                : LookupResult.of(token);
    }

    /** The first token Secret that the account lists, as OSM selects it. */
    private @Nullable Sensitive accountToken() {
        ServiceAccountName account = migrated.written().bootstrap().serviceAccount();
        JsonNode object = account == null
                ? null
                : workerCluster.get(Resource.SERVICE_ACCOUNTS, account.namespace(), account.name());
        if (account == null || object == null) {
            return null;
        }
        for (JsonNode listed : object.path("secrets")) {
            var secret = workerCluster.secret(
                    account.namespace(), listed.path("name").asText());
            if (secret != null && secret.type().equals(SecretReader.SERVICE_ACCOUNT_TOKEN)) {
                return new Sensitive(secret.data().getOrDefault("token", ""));
            }
        }
        return null;
    }

    private MachineDeploymentPlan plan(WatchedMachineDeployment watched, Inputs inputs) {
        MachineDeployment machineDeployment = watched.machineDeployment();
        ObjectNames objects = ObjectNames.of(machineDeployment);
        Map<SecretRole, StoredSecret> secrets = new EnumMap<>(SecretRole.class);
        for (SecretRole role : SecretRole.values()) {
            StoredSecret secret = inputs.secrets().get(role.name(objects));
            if (secret != null) {
                secrets.put(role, secret);
            }
        }
        JsonNode config = managementCluster.get(
                Resource.OPERATING_SYSTEM_CONFIGS, migrated.namespace(), objects.operatingSystemConfig());
        StoredConfig stored = config == null ? null : ConfigCache.read(config);
        Decision decision = decider.decide(new Facts(
                machineDeployment,
                List.of(),
                profile(watched, inputs.catalog()),
                inputs.tenant(),
                inputs.apiServer(),
                FetchTokenFacts.shared(inputs.fetchToken()),
                inputs.accountToken(),
                new FoundObjects(
                        secrets,
                        inputs.tokens().stream()
                                .filter(token -> token.label().equals(objects.key()))
                                .toList(),
                        stored),
                inputs.now(),
                true,
                true));
        boolean published = decision.outcome() instanceof Decision.Outcome.Published;
        for (Problem problem : decision.problems()) {
            if (published) {
                notes.add(problem.message());
            } else {
                unclear.add(new Unclear(machineDeployment.describe().toString(), problem.message(), ""));
            }
        }
        if (!published && decision.problems().isEmpty()) {
            unclear.add(new Unclear(
                    machineDeployment.describe().toString(), "cannot be rendered", "report it as an error of the hub"));
        }
        return new MachineDeploymentPlan(
                machineDeployment.namespace() + "/" + machineDeployment.name(),
                machineDeployment.profileName(),
                match(SecretRole.BOOTSTRAP, published, decision),
                match(SecretRole.PROVISIONING, published, decision),
                match(SecretRole.KUBELET_BOOTSTRAP, published, decision),
                (int) secrets.keySet().stream().filter(COMPARED::contains).count(),
                decision.changes().stream()
                        .filter(WorkerRenderings::isInWorkerCluster)
                        .map(change ->
                                change.describe() + ": " + change.reason().explanation())
                        .toList());
    }

    private static LookupResult<RenderInput.Profile> profile(
            WatchedMachineDeployment watched, TenantProfileCatalog catalog) {
        if (!watched.mistakes().isEmpty()) {
            return LookupResult.missing(watched.mistakes());
        }
        return catalog.find(watched.machineDeployment());
    }

    /** The hub's OperatingSystemConfigs are in the management cluster. */
    private static boolean isInWorkerCluster(PlannedChange change) {
        return change.target().cluster() == ProblemObject.Cluster.WORKER;
    }

    private static Match match(SecretRole role, boolean published, Decision decision) {
        if (!published) {
            return Match.NOT_RENDERED;
        }
        for (PlannedChange change : decision.changes()) {
            if (change.role() == role) {
                return change instanceof PlannedChange.Annotate
                        ? Match.ANNOTATIONS
                        : change.replacesContent() ? Match.DIFFERENT : Match.MISSING;
            }
        }
        return Match.IDENTICAL;
    }
}
