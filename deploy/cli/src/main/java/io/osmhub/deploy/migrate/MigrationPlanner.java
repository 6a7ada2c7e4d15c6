package io.osmhub.deploy.migrate;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.core.bootstrap.ObjectNames;
import io.osmhub.core.bootstrap.SourceAnnotations;
import io.osmhub.core.document.FindingsCollector;
import io.osmhub.core.document.SourceDocument;
import io.osmhub.core.osp.ProfileReader;
import io.osmhub.core.plan.HubIdentity;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.ProblemException;
import io.osmhub.core.problem.ProblemObject;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.TenantMistake;
import io.osmhub.core.resource.ShippedDefinition;
import io.osmhub.core.settings.LayeredSettings;
import io.osmhub.core.settings.Setting;
import io.osmhub.core.settings.SettingsLayer;
import io.osmhub.core.settings.SettingsReader;
import io.osmhub.core.settings.TenantSettings.AdmissionMode;
import io.osmhub.core.settings.TenantSettings.InstallDefaults;
import io.osmhub.core.settings.TenantSettings.NodeFetch;
import io.osmhub.core.settings.TenantSettings.Provisioning;
import io.osmhub.core.settings.TenantSettings.SecretName;
import io.osmhub.deploy.dropin.ControllerFlags;
import io.osmhub.deploy.fleet.ClusterClient;
import io.osmhub.deploy.fleet.ClusterClient.RequestFailure;
import io.osmhub.deploy.fleet.CommandFailure;
import io.osmhub.deploy.fleet.FailureMessages;
import io.osmhub.deploy.fleet.ManagementClient;
import io.osmhub.deploy.migrate.MigrationPlan.FoundProfile;
import io.osmhub.deploy.migrate.MigrationPlan.FoundSetting;
import io.osmhub.deploy.migrate.MigrationPlan.MachineDeploymentPlan;
import io.osmhub.deploy.migrate.MigrationPlan.TenantPlan;
import io.osmhub.deploy.migrate.MigrationPlan.Unclear;
import io.osmhub.deploy.migrate.OsmDeployment.MountedKey;
import io.osmhub.tenancy.connection.ConnectionSubject;
import io.osmhub.tenancy.connection.ConnectionTestReport;
import io.osmhub.tenancy.connection.ConnectionTestReport.CheckOutcome;
import io.osmhub.tenancy.connection.TestedConnection;
import io.osmhub.tenancy.kubeconfig.KubeconfigValidator.KubeconfigValidation;
import io.osmhub.tenancy.kubeconfig.ValidatedKubeconfig;
import io.osmhub.tenancy.management.ObjectMetadata;
import io.osmhub.tenancy.management.WireJson;
import io.osmhub.tenancy.registry.HubIdentityStore;
import io.osmhub.tenancy.registry.KubeconfigSecret;
import io.osmhub.tenancy.registry.WorkerClusterRecord;
import io.osmhub.tenancy.registry.WorkerClusterRecord.RegistrationSource;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.apiserver.Resource;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Plans the migration of tenants from OSM. Reads OSM's Deployment in the management cluster, and in the worker cluster what the hub
 * would read, with the kubeconfig that the hub would use. Writes nothing.
 */
public final class MigrationPlanner {
    /** OSM renews its Lease every 2 s. */
    private static final Duration LEASE_IN_USE = Duration.ofSeconds(60);

    private final ManagementClient client;
    private final ClusterClient managementCluster;
    private final KkpConditions kkp;
    private final String hubNamespace;
    private final @Nullable String kubeconfigSecret;
    private final HubIdentity hub;

    /**
     * @param hubNamespace namespace of a hub that serves its own cluster
     * @param kubeconfigSecret Secret of the tenant's namespace to use instead of OSM's; null for OSM's
     */
    public MigrationPlanner(ManagementClient client, String hubNamespace, @Nullable String kubeconfigSecret) {
        this.client = client;
        this.managementCluster = client.objects();
        this.kkp = new KkpConditions(managementCluster);
        this.hubNamespace = hubNamespace;
        this.kubeconfigSecret = kubeconfigSecret;
        JsonNode system = managementCluster.get(Resource.NAMESPACES, "", "kube-system");
        try {
            this.hub = new HubIdentityStore(client.management(), hubNamespace)
                    .read(system == null ? "" : ObjectMetadata.of(system).uid());
        } catch (ApiFailure e) {
            throw FailureMessages.of(e, client.describe());
        }
    }

    /**
     * A planned tenant, with the objects that its migration creates.
     *
     * @param osm null if it does not exist
     * @param kkpCluster null without KKP
     * @param copies profiles and the Secret with registry credentials, for the tenant's namespace
     * @param workerCluster null if the settings are unclear
     */
    public record PreparedTenant(
            TenantPlan plan,
            @Nullable OsmDeployment osm,
            @Nullable JsonNode kkpCluster,
            List<ObjectNode> copies,
            @Nullable ObjectNode workerCluster) {
        public PreparedTenant {
            copies = List.copyOf(copies);
        }
    }

    /** The management cluster. */
    ClusterClient management() {
        return managementCluster;
    }

    HubIdentity hub() {
        return hub;
    }

    /** Plans one tenant again; {@code ownHolder} is this process as holder of OSM's Lease. */
    PreparedTenant prepare(String osmNamespace, String ownHolder) {
        return new TenantPlanner(osmNamespace, ownHolder).prepare();
    }

    /**
     * Plans all tenants.
     *
     * @param namespace of OSM's Deployment; empty for all that have one, and all KKP Clusters
     */
    public MigrationPlan plan(String namespace) {
        return MigrationPlan.of(
                prepareAll(namespace).stream().map(PreparedTenant::plan).toList());
    }

    List<PreparedTenant> prepareAll(String namespace) {
        Set<String> namespaces = new TreeSet<>(namespace.isEmpty() ? kkp.namespaces() : List.of(namespace));
        if (namespace.isEmpty()) {
            managementCluster
                    .list(Resource.DEPLOYMENTS, "", Map.of("fieldSelector", "metadata.name=" + OsmDeployment.NAME))
                    .forEach(deployment ->
                            namespaces.add(ObjectMetadata.of(deployment).namespace()));
        }
        return namespaces.stream().map(one -> prepare(one, "")).toList();
    }

    /**
     * Connects to a worker cluster as the hub does.
     *
     * @param subject its Secret is empty for the management cluster itself
     * @param key in the Secret; null for the usual ones
     */
    <T> T withWorker(ConnectionSubject subject, @Nullable String key, Function<ClusterClient, T> task) {
        if (subject.secret().isEmpty()) {
            return task.apply(managementCluster);
        }
        JsonNode object = managementCluster.get(Resource.SECRETS, subject.tenant(), subject.secret());
        if (object == null
                || !(client.validate(KubeconfigSecret.of(object), key)
                        instanceof KubeconfigValidation.Valid(ValidatedKubeconfig valid))) {
            throw CommandFailure.unusable("Secret " + subject.tenant() + "/" + subject.secret()
                    + " has no usable kubeconfig; check it with hub cluster test");
        }
        try (TestedConnection connection = client.connect(subject, valid)) {
            KubeApi api = connection.api();
            if (api == null) {
                throw CommandFailure.unreachable(
                        "no connection to " + connection.report().endpoint() + "; check it with hub cluster test");
            }
            return task.apply(new ClusterClient(api, connection.report().endpoint(), true));
        }
    }

    /** Plans one tenant. What cannot be read is unclear, so that the other tenants are planned too. */
    private final class TenantPlanner {
        private final String osmNamespace;
        private final String ownHolder;
        private final List<ObjectNode> copies = new ArrayList<>();
        private @Nullable OsmDeployment osmDeployment;
        private @Nullable JsonNode kkpCluster;
        private @Nullable ObjectNode workerCluster;
        private final List<Unclear> unclear = new ArrayList<>();
        private final List<String> notes = new ArrayList<>();
        private final List<FoundSetting> settings = new ArrayList<>();
        private List<FoundProfile> profiles = List.of();
        private List<MachineDeploymentPlan> machineDeployments = List.of();
        private String tenant;
        private String cluster = "";
        private String secret = "";
        private String lease = "";
        private String holder = "";
        private String registered = "";
        private boolean migrated;

        TenantPlanner(String osmNamespace, String ownHolder) {
            this.osmNamespace = osmNamespace;
            this.ownHolder = ownHolder;
            this.tenant = osmNamespace;
        }

        PreparedTenant prepare() {
            TenantPlan plan = plan();
            return new PreparedTenant(plan, osmDeployment, kkpCluster, copies, workerCluster);
        }

        private TenantPlan plan() {
            try {
                read();
            } catch (RequestFailure e) {
                unclear.add(new Unclear(
                        "namespace " + osmNamespace,
                        "cannot be read (" + e.response() + ")",
                        "use a kubeconfig that may read it"));
            } catch (ProblemException e) {
                add(e.findings());
            }
            return new TenantPlan(
                    tenant,
                    name(),
                    cluster,
                    OsmDeployment.describe(osmNamespace),
                    secret,
                    lease,
                    holder,
                    migrated,
                    settings,
                    profiles,
                    machineDeployments,
                    unclear,
                    notes);
        }

        private void add(List<Problem> findings) {
            for (Problem finding : findings) {
                Problem named = finding.ofWorkerCluster(tenant + "/" + name());
                unclear.add(new Unclear(
                        named.object() + (named.field().isEmpty() ? "" : ", " + named.field()),
                        named.cause(),
                        named.fix()));
            }
        }

        private String name() {
            if (!registered.isEmpty()) {
                return registered;
            }
            return secret.isEmpty() ? "local" : cluster.isEmpty() ? tenant : cluster;
        }

        private void read() {
            JsonNode found = kkp.cluster(osmNamespace);
            kkpCluster = found;
            if (found != null) {
                cluster = ObjectMetadata.of(found).name();
                unclear.addAll(kkp.check(found, osmNamespace));
            }
            JsonNode deployment = managementCluster.get(Resource.DEPLOYMENTS, osmNamespace, OsmDeployment.NAME);
            if (deployment == null) {
                unclear.add(new Unclear(
                        OsmDeployment.describe(osmNamespace), "does not exist", "select another namespace with -n"));
                return;
            }
            OsmDeployment osm = OsmDeployment.read(osmNamespace, deployment, managementCluster);
            osmDeployment = osm;
            unclear.addAll(osm.unclear());
            if (osm.runsHub()) {
                unclear.add(new Unclear(
                        osm.describe(), "runs the hub in OSM's place", "return it first: hub migrate back --in-place"));
            }
            ControllerFlags flags = osm.flags();
            if (flags == null) {
                return;
            }
            flags.warnings().forEach(notes::add);
            MountedKey kubeconfig = osm.workerKubeconfig();
            if (kubeconfig == null) {
                tenant = hubNamespace;
                checkRegistration();
                JsonNode authority = managementCluster.get(Resource.CONFIG_MAPS, osmNamespace, "kube-root-ca.crt");
                read(
                        osm,
                        flags,
                        managementCluster,
                        authority == null ? "" : authority.at("/data/ca.crt").asText());
                return;
            }
            secret = Objects.requireNonNullElse(kubeconfigSecret, kubeconfig.name());
            checkRegistration();
            connect(osm, flags, kubeconfigSecret == null ? kubeconfig.key() : null);
        }

        private void checkRegistration() {
            for (JsonNode object : managementCluster.list(Resource.WORKER_CLUSTERS, tenant, Map.of())) {
                WorkerClusterRecord record = WorkerClusterRecord.of(object);
                registered = record.name();
                unclear.add(new Unclear(
                        "WorkerCluster " + tenant + "/" + record.name(),
                        "exists already",
                        "the hub serves this tenant; remove it to migrate again"));
            }
        }

        private void connect(OsmDeployment osm, ControllerFlags flags, @Nullable String key) {
            JsonNode object = managementCluster.get(Resource.SECRETS, tenant, secret);
            if (object == null) {
                unclear.add(new Unclear(
                        "Secret " + tenant + "/" + secret,
                        "does not exist",
                        "select the Secret with --kubeconfig-secret"));
                return;
            }
            KubeconfigValidation validation = client.validate(KubeconfigSecret.of(object), key);
            if (validation instanceof KubeconfigValidation.Invalid(List<Problem> findings)) {
                add(findings);
            } else if (validation instanceof KubeconfigValidation.Valid(ValidatedKubeconfig valid)) {
                try (TestedConnection connection =
                        client.connect(new ConnectionSubject(tenant, name(), secret), valid)) {
                    checkConnection(connection.report());
                    KubeApi api = connection.api();
                    if (api != null) {
                        read(
                                osm,
                                flags,
                                new ClusterClient(api, connection.report().endpoint(), true),
                                Objects.requireNonNullElse(valid.certificateAuthorityPem(), ""));
                    }
                }
            }
        }

        /** What the hub would lack; OSM itself may still run. */
        private void checkConnection(ConnectionTestReport report) {
            for (ConnectionTestReport.ConnectionCheck check : report.checks()) {
                if (check.outcome() == CheckOutcome.FAILED) {
                    unclear.add(new Unclear(
                            "Secret " + tenant + "/" + secret + ", "
                                    + check.step().wireName(),
                            check.message(),
                            check.cure()));
                }
            }
        }

        private void read(OsmDeployment osm, ControllerFlags flags, ClusterClient worker, String kubeconfigCa) {
            checkLease(osm, worker);
            ClusterClient profileCluster = osm.splitClusters() ? managementCluster : worker;
            Registration registration = register(osm, flags);
            boolean sameNamespace = profileCluster.api() == managementCluster.api() && tenant.equals(flags.namespace());
            SortedMap<String, JsonNode> stored = profiles(profileCluster, flags.namespace(), sameNamespace);
            if (registration == null) {
                return;
            }
            WorkerRenderings renderings = new WorkerRenderings(
                    new WorkerRenderings.Migrated(
                            tenant, name(), hub, registration.found(), registration.written(), kubeconfigCa, stored),
                    worker,
                    profileCluster,
                    managementCluster);
            machineDeployments = renderings.plan();
            unclear.addAll(renderings.unclear());
            notes.addAll(renderings.notes());
            copyCredentials(registration.found().registries().credentialsSecret(), profileCluster);
            checkOwners(worker, renderings.names(), osm, profileCluster, flags.namespace());
            Map<String, Long> usedBy = new TreeMap<>();
            machineDeployments.forEach(one -> usedBy.merge(one.profile(), 1L, Long::sum));
            profiles = profiles.stream()
                    .map(one -> new FoundProfile(
                            one.name(),
                            one.version(),
                            one.source(),
                            one.action(),
                            usedBy.getOrDefault(one.name(), 0L).intValue()))
                    .toList();
        }

        // Lease

        private void checkLease(OsmDeployment osm, ClusterClient worker) {
            lease = osm.lease();
            JsonNode found = worker.get(Resource.LEASES, "kube-system", lease);
            if (found == null) {
                return;
            }
            JsonNode spec = found.path("spec");
            Instant renewed;
            try {
                renewed = Instant.parse(spec.path("renewTime").asText());
            } catch (DateTimeParseException e) {
                renewed = Instant.EPOCH;
            }
            if (renewed.plus(LEASE_IN_USE).isAfter(Instant.now())) {
                holder = spec.path("holderIdentity").asText();
            }
            if (holder.equals(ownHolder)) {
                return;
            }
            if (!holder.isEmpty() && !holder.startsWith(OsmDeployment.NAME + "-")) {
                unclear.add(new Unclear(
                        "Lease kube-system/" + lease + " at " + worker.server(),
                        "is held by " + holder + ", which is not OSM",
                        "stop that process"));
            }
        }

        // Settings

        /** The settings as OSM has them, and as the WorkerCluster will have them. */
        private record Registration(Provisioning found, Provisioning written) {}

        /**
         * Every setting that reaches rendered content is written, also one with its default, so that no default of the hub can
         * change what is published.
         */
        private @Nullable Registration register(OsmDeployment osm, ControllerFlags flags) {
            ObjectNode osmSettings = WireJson.object();
            Setting.ALL.stream()
                    .filter(setting -> setting.path().startsWith("provisioning."))
                    .filter(Setting::changesContent)
                    .forEach(setting -> setting.set(
                            osmSettings,
                            flags.settings().isSet(setting) ? flags.settings().get(setting) : setting.builtIn()));
            // A token of its own for each MachineDeployment would change every secret.
            Setting.NODE_FETCH.set(osmSettings, NodeFetch.SHARED_TOKEN);
            Setting.INSTALL_DEFAULTS.set(osmSettings, InstallDefaults.NONE);
            Setting.ADMISSION_MODE.set(osmSettings, AdmissionMode.NONE);
            SettingsLayer layer = new SettingsLayer(osmSettings);
            ObjectNode spec = layer.spec().deepCopy();
            // The Secret with registry credentials is copied to the tenant's namespace.
            if (Setting.REGISTRY_CREDENTIALS.in(spec) instanceof ObjectNode reference) {
                reference.remove("namespace");
            }
            Provisioning adopted = provisioning(new SettingsLayer(spec.deepCopy()));
            for (Setting setting : Setting.ALL) {
                JsonNode value = setting.in(spec);
                if (!value.isMissingNode()) {
                    settings.add(new FoundSetting(setting.path(), value.toString(), source(setting, flags)));
                }
            }
            settings.addAll(osm.environment());
            ObjectNode object = WorkerClusterRecord.newObject(tenant, name(), RegistrationSource.CLI);
            spec.put("deletionPolicy", "Retain");
            if (secret.isEmpty()) {
                spec.put("target", "ManagementCluster");
            } else {
                ObjectNode reference = spec.putObject("kubeconfigSecretRef").put("name", secret);
                MountedKey key = osm.workerKubeconfig();
                if (kubeconfigSecret == null && key != null) {
                    reference.put("key", key.key());
                }
            }
            object.set("spec", spec);
            ObjectNode annotations = object.withObject("/metadata/annotations");
            annotations.put(WorkerClusterRecord.ADOPTED_LEASE, osm.lease());
            Integer replicas =
                    kkpCluster == null ? Integer.valueOf(osm.replicas()) : KkpConditions.replicas(kkpCluster);
            annotations.put(WorkerClusterRecord.ADOPTED_REPLICAS, replicas == null ? "" : replicas.toString());
            workerCluster = object;
            List<Problem> findings =
                    new ArrayList<>(ShippedDefinition.WORKER_CLUSTERS.check(object, null, Reason.SettingsInvalid));
            FindingsCollector mistakes = new FindingsCollector(
                    ProblemObject.of("WorkerCluster", tenant + "/" + name()), Reason.SettingsInvalid);
            SettingsLayer read = SettingsReader.read(spec, "spec", mistakes);
            findings.addAll(mistakes.findings());
            findings.stream()
                    .distinct()
                    .forEach(finding -> unclear.add(
                            new Unclear(osm.describe() + ", " + source(finding), finding.cause(), finding.fix())));
            if (!findings.isEmpty()) {
                return null;
            }
            Provisioning found = provisioning(layer);
            Provisioning written = provisioning(read);
            if (!adopted.equals(written)) {
                unclear.add(
                        new Unclear(osm.describe(), "its settings cannot be written as fields of a WorkerCluster", ""));
                return null;
            }
            return new Registration(found, written);
        }

        private static Provisioning provisioning(SettingsLayer layer) {
            return new LayeredSettings(layer, SettingsLayer.EMPTY)
                    .toTenantSettings()
                    .provisioning();
        }

        private static String source(Setting setting, ControllerFlags flags) {
            return setting.flags().isEmpty()
                    ? "migration"
                    : (flags.settings().isSet(setting) ? "argument " : "default of ") + setting.peer();
        }

        private static String source(Problem finding) {
            String field = finding.field().startsWith("spec.") ? finding.field().substring(5) : finding.field();
            return Setting.below(field.replaceAll("\\[.*", "")).stream()
                    .map(Setting::peer)
                    .filter(peer -> peer.startsWith("-"))
                    .findFirst()
                    .map(peer -> "argument " + peer)
                    .orElse(finding.field());
        }

        // Profiles

        /** The profiles as they will be in the tenant's namespace, by name. */
        private SortedMap<String, JsonNode> profiles(ClusterClient from, String namespace, boolean sameNamespace) {
            SortedMap<String, JsonNode> wanted = new TreeMap<>();
            List<FoundProfile> found = new ArrayList<>();
            for (JsonNode object : from.list(Resource.OPERATING_SYSTEM_PROFILES, namespace, Map.of())) {
                ObjectNode copy = profile(tenant, object);
                String name = copy.at("/metadata/name").asText();
                JsonNode existing =
                        sameNamespace ? null : managementCluster.get(Resource.OPERATING_SYSTEM_PROFILES, tenant, name);
                String place = namespace + " of "
                        + (from.api() == managementCluster.api() ? "this cluster" : "the worker cluster");
                if (existing != null && !existing.path("spec").equals(copy.path("spec"))) {
                    unclear.add(new Unclear(
                            "OperatingSystemProfile " + tenant + "/" + name,
                            "differs from the one in " + place,
                            "delete the one that is not used"));
                }
                try {
                    ProfileReader.strict()
                            .read(SourceDocument.of(
                                    ProblemObject.of("OperatingSystemProfile", namespace + "/" + name), copy));
                } catch (TenantMistake e) {
                    add(e.findings());
                }
                found.add(new FoundProfile(
                        name,
                        copy.at("/spec/version").asText(),
                        place,
                        sameNamespace || existing != null ? "keep" : "copy",
                        0));
                if (!sameNamespace && existing == null) {
                    copies.add(copy);
                }
                wanted.put(name, copy);
            }
            profiles = found.stream()
                    .sorted(Comparator.comparing(FoundProfile::name))
                    .toList();
            return wanted;
        }

        /** The hub reads registry credentials only in the tenant's namespace. */
        private void copyCredentials(@Nullable SecretName name, ClusterClient from) {
            if (name == null
                    || from.api() == managementCluster.api() && name.namespace().equals(tenant)) {
                return;
            }
            JsonNode found = from.get(Resource.SECRETS, name.namespace(), name.name());
            JsonNode existing = managementCluster.get(Resource.SECRETS, tenant, name.name());
            if (found == null) {
                // Rendering reports it.
                return;
            }
            if (existing != null && !existing.path("data").equals(found.path("data"))) {
                unclear.add(new Unclear(
                        "Secret " + tenant + "/" + name.name(),
                        "differs from " + name.namespace() + "/" + name.name() + " at " + from.server()
                                + ", with whose registry credentials OSM renders",
                        "delete the one that is not used"));
            } else if (existing == null) {
                ObjectNode copy = WireJson.object().put("apiVersion", "v1").put("kind", "Secret");
                copy.putObject("metadata").put("namespace", tenant).put("name", name.name());
                copy.put("type", found.path("type").asText("Opaque"));
                copy.set("data", found.path("data").deepCopy());
                copies.add(copy);
                notes.add("Secret " + name.name() + " with registry credentials is copied from namespace "
                        + name.namespace() + " at " + from.server() + "; afterwards, change the copy");
            }
        }

        // Leftovers

        /** Secrets and configs that belong to no MachineDeployment. */
        private void checkOwners(
                ClusterClient worker,
                Set<String> names,
                OsmDeployment osm,
                ClusterClient configCluster,
                String configNamespace) {
            for (JsonNode object : worker.list(Resource.SECRETS, ObjectNames.SETTINGS_NAMESPACE, Map.of())) {
                ObjectMetadata head = ObjectMetadata.of(object);
                boolean published = head.annotations().containsKey(SourceAnnotations.REVISION)
                        || head.name().endsWith("-kubelet-bootstrap-config");
                if (published && !names.contains(head.name())) {
                    orphan("Secret " + head.namespace() + "/" + head.name() + " at " + worker.server());
                }
            }
            for (JsonNode object : configCluster.list(Resource.OPERATING_SYSTEM_CONFIGS, configNamespace, Map.of())) {
                ObjectMetadata head = ObjectMetadata.of(object);
                String place = "OperatingSystemConfig " + head.namespace() + "/" + head.name() + " at "
                        + configCluster.server();
                if (!names.contains(head.name())) {
                    orphan(place);
                } else if (!(configCluster.api() == managementCluster.api() && configNamespace.equals(tenant))
                        && managementCluster.get(Resource.OPERATING_SYSTEM_CONFIGS, tenant, head.name()) != null) {
                    unclear.add(new Unclear(
                            "OperatingSystemConfig " + tenant + "/" + head.name(),
                            "its MachineDeployment has another one, " + place,
                            "delete the one that " + osm.describe() + " does not use"));
                }
            }
        }

        private void orphan(String object) {
            unclear.add(new Unclear(
                    object,
                    "belongs to no MachineDeployment",
                    "delete it if nothing uses it, or restore its MachineDeployment"));
        }
    }

    /** A profile as the migration stores it: with its annotations, which may hold fields that the stored schema lacks. */
    static ObjectNode profile(String namespace, JsonNode object) {
        ObjectMetadata head = ObjectMetadata.of(object);
        ObjectNode copy = WireJson.object();
        copy.put("apiVersion", ProfileReader.API_VERSION).put("kind", ProfileReader.KIND);
        ObjectNode metadata =
                copy.putObject("metadata").put("namespace", namespace).put("name", head.name());
        SortedMap<String, String> annotations = new TreeMap<>(head.annotations());
        annotations.remove("kubectl.kubernetes.io/last-applied-configuration");
        if (!annotations.isEmpty()) {
            metadata.set("annotations", WireJson.tree(annotations));
        }
        copy.set("spec", object.path("spec").deepCopy());
        return copy;
    }
}
