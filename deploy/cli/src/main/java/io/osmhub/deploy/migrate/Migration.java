package io.osmhub.deploy.migrate;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.core.bootstrap.BootstrapToken;
import io.osmhub.core.bootstrap.FetchToken;
import io.osmhub.core.bootstrap.ObjectNames;
import io.osmhub.core.bootstrap.SourceAnnotations;
import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.plan.OwnershipAnnotations;
import io.osmhub.core.plan.StoredConfig;
import io.osmhub.core.resource.NullableCollections;
import io.osmhub.core.workercluster.WorkerClusterStatus.State;
import io.osmhub.deploy.dropin.ControllerFlags;
import io.osmhub.deploy.fleet.ClusterClient;
import io.osmhub.deploy.fleet.CommandFailure;
import io.osmhub.deploy.fleet.CommandFailure.CommandFailureKind;
import io.osmhub.deploy.fleet.ManagementClient;
import io.osmhub.deploy.fleet.Polling;
import io.osmhub.deploy.migrate.MigrationPlan.TenantPlan;
import io.osmhub.deploy.migrate.MigrationPlan.Unclear;
import io.osmhub.deploy.migrate.MigrationPlanner.PreparedTenant;
import io.osmhub.deploy.migrate.MigrationReport.TenantResult;
import io.osmhub.tenancy.catalog.ConfigCache;
import io.osmhub.tenancy.connection.ConnectionSubject;
import io.osmhub.tenancy.lease.LeaseConfig;
import io.osmhub.tenancy.lease.LeaseRenewalLoop;
import io.osmhub.tenancy.management.Leases;
import io.osmhub.tenancy.management.ObjectMetadata;
import io.osmhub.tenancy.management.WireJson;
import io.osmhub.tenancy.registry.WorkerClusterRecord;
import io.osmhub.tenancy.registry.WorkerClusterRecord.RegistrationSource;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.watch.WatchedMachineDeployment;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Takes tenants over from OSM, and returns them. OSM and the hub never write at the same time: whoever writes holds OSM's Lease.
 *
 * <pre>
 *  apply: OSM to 0 replicas -> take the Lease -> plan again -> register -> release the Lease; the hub takes it
 *  back:  pause; the hub releases the Lease -> remove what OSM would misread -> OSM's replicas -> unregister
 *  back in place: hub controller to 0 replicas -> take the Lease -> remove what OSM would misread
 * </pre>
 */
public final class Migration {
    private final ManagementClient client;
    private final MigrationPlanner planner;
    private final ClusterClient managementCluster;
    private final Duration timeout;
    private final boolean awaitHub;

    /**
     * @param timeout of each wait
     * @param awaitHub whether to wait until a hub has completed a change
     */
    public Migration(ManagementClient client, MigrationPlanner planner, Duration timeout, boolean awaitHub) {
        this.client = client;
        this.planner = planner;
        this.managementCluster = planner.management();
        this.timeout = timeout;
        this.awaitHub = awaitHub;
    }

    // Takeover

    /** All tenants, planned; nothing is changed. */
    public List<PreparedTenant> prepare(String namespace) {
        return planner.prepareAll(namespace);
    }

    /**
     * Takes a tenant over. The caller has checked that nothing is unclear.
     *
     * @throws CommandFailure if it fails; OSM serves the tenant again
     */
    public TenantResult apply(PreparedTenant tenant) {
        ObjectNode workerCluster = tenant.workerCluster();
        if (workerCluster == null) {
            throw new IllegalStateException("an unclear tenant is not applied");
        }
        return planner.withWorker(subject(tenant.plan()), kubeconfigKey(workerCluster), worker -> {
            WorkerState before = WorkerState.read(worker);
            try {
                scale(tenant, 0);
                awaitStopped(tenant);
                register(tenant, worker);
            } catch (RuntimeException e) {
                scale(tenant, replicas(workerCluster));
                throw e;
            }
            State state = awaitHub
                    ? Polling.<@Nullable State>await(
                            Instant.now().plus(timeout), () -> state(tenant.plan()), now -> now == State.SYNCED)
                    : null;
            return result(tenant.plan(), before, WorkerState.read(worker), state, List.of());
        });
    }

    private static ConnectionSubject subject(TenantPlan plan) {
        return new ConnectionSubject(plan.namespace(), plan.workerCluster(), plan.kubeconfigSecret());
    }

    private static @Nullable String kubeconfigKey(JsonNode workerCluster) {
        return workerCluster.at("/spec/kubeconfigSecretRef/key").textValue();
    }

    private static @Nullable Integer replicas(JsonNode workerCluster) {
        String text =
                ObjectMetadata.of(workerCluster).annotations().getOrDefault(WorkerClusterRecord.ADOPTED_REPLICAS, "");
        return text.isEmpty() ? null : Integer.valueOf(text);
    }

    /** Registers while this process holds OSM's Lease, and only if nothing has become unclear. */
    private void register(PreparedTenant tenant, ClusterClient worker) {
        withLease(tenant.plan(), worker, (lease, holder) -> {
            PreparedTenant now = planner.prepare(osmNamespace(tenant), holder);
            ObjectNode workerCluster = now.workerCluster();
            if (!now.plan().unclear().isEmpty() || workerCluster == null) {
                throw new CommandFailure(
                        CommandFailureKind.CONFLICT,
                        tenant.plan().osm() + ": changed during the migration; nothing was registered",
                        now.plan().unclear().stream().map(Unclear::toString).toList());
            }
            // The replicas before this process changed them.
            workerCluster
                    .withObject("/metadata/annotations")
                    .set(
                            WorkerClusterRecord.ADOPTED_REPLICAS,
                            annotation(tenant, WorkerClusterRecord.ADOPTED_REPLICAS));
            for (ObjectNode copy : now.copies()) {
                managementCluster.create(
                        copy.path("kind").asText().equals("Secret")
                                ? Resource.SECRETS
                                : Resource.OPERATING_SYSTEM_PROFILES,
                        copy);
            }
            if (!lease.canWrite()) {
                throw new CommandFailure(
                        CommandFailureKind.CONFLICT,
                        "Lease kube-system/" + tenant.plan().lease() + " was lost; nothing was registered, try again");
            }
            managementCluster.create(Resource.WORKER_CLUSTERS, workerCluster);
        });
    }

    /** Runs a task while this process holds OSM's Lease. */
    private void withLease(TenantPlan plan, ClusterClient worker, BiConsumer<LeaseRenewalLoop, String> task) {
        String holder = Leases.osmHolder(planner.hub().id(), "migrate-" + UUID.randomUUID());
        LeaseRenewalLoop lease = new LeaseRenewalLoop(
                worker::api, LeaseConfig.ofDefaults("kube-system", plan.lease(), holder), () -> {}, client.runtime());
        lease.start();
        try {
            await(
                    lease::canWrite,
                    () -> "Lease kube-system/" + plan.lease() + " at " + worker.server() + " is held by "
                            + (lease.awaitedHolder().isEmpty() ? "an unknown process" : lease.awaitedHolder())
                            + (lease.lastFailure().isEmpty() ? "" : " (" + lease.lastFailure() + ")")
                            + "; stop it");
            task.accept(lease, holder);
        } finally {
            lease.stop();
        }
    }

    private static JsonNode annotation(PreparedTenant tenant, String name) {
        ObjectNode workerCluster = tenant.workerCluster();
        return workerCluster == null
                ? WireJson.object()
                : workerCluster.path("metadata").path("annotations").path(name);
    }

    private static String osmNamespace(PreparedTenant tenant) {
        OsmDeployment osm = tenant.osm();
        return osm == null ? tenant.plan().namespace() : osm.namespace();
    }

    // OSM's controller

    /** KKP reverts changes of the Deployment, so its Cluster is changed. {@code replicas} null restores KKP's default. */
    private void scale(PreparedTenant tenant, @Nullable Integer replicas) {
        JsonNode cluster = tenant.kkpCluster();
        ObjectNode patch = WireJson.object();
        if (cluster == null) {
            patch.putObject("spec").put("replicas", replicas);
            managementCluster.patch(Resource.DEPLOYMENTS, osmNamespace(tenant), OsmDeployment.NAME, patch);
            return;
        }
        patch.withObject("/spec/componentsOverride/operatingSystemManager").put("replicas", replicas);
        String name = ObjectMetadata.of(cluster).name();
        managementCluster.patch(Resource.KKP_CLUSTERS, "", name, patch);
        JsonNode stored = managementCluster.get(Resource.KKP_CLUSTERS, "", name);
        Integer after = stored == null ? null : KkpConditions.replicas(stored);
        if (replicas != null && !replicas.equals(after)) {
            throw new CommandFailure(
                    CommandFailureKind.CONFLICT,
                    "Cluster " + name + ": KKP stored " + after + " instead of " + replicas
                            + " replicas of OSM; remove the default of the Seed or of its default ClusterTemplate");
        }
    }

    private void awaitStopped(PreparedTenant tenant) {
        await(
                () -> {
                    JsonNode deployment =
                            managementCluster.get(Resource.DEPLOYMENTS, osmNamespace(tenant), OsmDeployment.NAME);
                    return deployment == null
                            || deployment.at("/spec/replicas").asInt(1) == 0
                                    && deployment.at("/status/replicas").asInt() == 0;
                },
                () -> tenant.plan().osm() + " did not stop; check its pods, then try again");
    }

    // Waiting

    private void await(BooleanSupplier condition, Supplier<String> otherwise) {
        if (!Polling.await(timeout, condition)) {
            throw CommandFailure.unreachable(otherwise.get());
        }
    }

    private @Nullable State state(TenantPlan tenant) {
        JsonNode object = managementCluster.get(Resource.WORKER_CLUSTERS, tenant.namespace(), tenant.workerCluster());
        var status = object == null ? null : WorkerClusterRecord.of(object).status();
        return status == null ? null : status.state();
    }

    // Counting

    /**
     * What must not change.
     *
     * @param secrets their versions, by namespace and name
     * @param revisions of the MachineDeployments, by namespace and name
     */
    private record WorkerState(SortedMap<String, String> secrets, SortedMap<String, String> revisions) {
        static WorkerState read(ClusterClient worker) {
            SortedMap<String, String> secrets = new TreeMap<>();
            List<JsonNode> all =
                    new ArrayList<>(worker.list(Resource.SECRETS, ObjectNames.SETTINGS_NAMESPACE, Map.of()));
            all.addAll(worker.list(
                    Resource.SECRETS, ObjectNames.TOKEN_NAMESPACE, Map.of("labelSelector", BootstrapToken.LABEL)));
            for (JsonNode object : all) {
                ObjectMetadata head = ObjectMetadata.of(object);
                secrets.put(head.namespace() + "/" + head.name(), head.uid() + " " + head.resourceVersion());
            }
            SortedMap<String, String> revisions = new TreeMap<>();
            for (WatchedMachineDeployment watched :
                    worker.list(Resource.MACHINE_DEPLOYMENTS, "", Map.of(), WatchedMachineDeployment::decode)) {
                MachineDeployment one = watched.machineDeployment();
                revisions.put(one.describe().toString(), one.revision());
            }
            return new WorkerState(secrets, revisions);
        }

        WorkerState without(Set<String> removed) {
            SortedMap<String, String> kept = new TreeMap<>(secrets);
            kept.keySet().removeAll(removed);
            return new WorkerState(kept, revisions);
        }

        static int changes(SortedMap<String, String> before, SortedMap<String, String> after) {
            Set<String> names = new HashSet<>(before.keySet());
            names.addAll(after.keySet());
            names.removeIf(name -> after.containsKey(name) && after.get(name).equals(before.get(name)));
            return names.size();
        }
    }

    private static TenantResult result(
            TenantPlan plan, WorkerState before, WorkerState after, @Nullable State state, List<String> notes) {
        return new TenantResult(
                plan.namespace(),
                plan.workerCluster(),
                plan.osm(),
                state == null ? "" : String.valueOf(WireJson.tree(state).asText()),
                before.secrets().size() + before.revisions().size(),
                WorkerState.changes(before.secrets(), after.secrets()),
                WorkerState.changes(before.revisions(), after.revisions()),
                notes);
    }

    // Return

    /** The tenants that were adopted from OSM. */
    public List<PreparedTenant> adopted(String namespace) {
        List<PreparedTenant> adopted = new ArrayList<>();
        for (PreparedTenant tenant : planner.prepareAll(namespace)) {
            if (adoptedCluster(tenant.plan()) != null) {
                adopted.add(tenant);
            }
        }
        return adopted;
    }

    /** @throws CommandFailure with each MachineDeployment that has extensions, which OSM would drop at its next rotation */
    public void requireNoExtensions(List<PreparedTenant> tenants) {
        List<String> extended = new ArrayList<>();
        for (PreparedTenant tenant : tenants) {
            String namespace = tenant.plan().namespace();
            for (JsonNode object : managementCluster.list(Resource.OPERATING_SYSTEM_CONFIGS, namespace, Map.of())) {
                StoredConfig config = ConfigCache.read(object);
                NullableCollections.stream(config.source().extensions())
                        .forEach(extension -> extended.add(
                                "MachineDeployment " + config.owner() + " in " + namespace + ": " + extension.path()));
            }
        }
        if (!extended.isEmpty()) {
            String what =
                    "nothing was changed: OSM would drop extensions of profiles; opt out of these, or delete them";
            throw new CommandFailure(CommandFailureKind.FOUND_SOMETHING, what, extended);
        }
    }

    private @Nullable JsonNode adoptedCluster(TenantPlan plan) {
        JsonNode object = managementCluster.get(Resource.WORKER_CLUSTERS, plan.namespace(), plan.workerCluster());
        return object == null
                        || WorkerClusterRecord.of(object)
                                .annotation(WorkerClusterRecord.ADOPTED_LEASE)
                                .isEmpty()
                ? null
                : object;
    }

    /** Returns a tenant to OSM, which then rotates nothing. */
    public TenantResult back(PreparedTenant tenant) {
        TenantPlan plan = tenant.plan();
        OsmDeployment osm = tenant.osm();
        ControllerFlags flags = osm == null ? null : osm.flags();
        JsonNode workerCluster = adoptedCluster(plan);
        if (workerCluster == null || osm == null || flags == null) {
            throw new CommandFailure(
                    CommandFailureKind.UNUSABLE,
                    plan.osm() + ": cannot be started; nothing was changed",
                    plan.unclear().stream().map(Unclear::toString).toList());
        }
        String registered = ObjectMetadata.of(workerCluster).uid();
        boolean byKkp = WorkerClusterRecord.of(workerCluster)
                .annotation(WorkerClusterRecord.REGISTERED_BY)
                .equals(RegistrationSource.KKP.wireName());
        return planner.withWorker(subject(plan), kubeconfigKey(workerCluster), worker -> {
            requireSharedTokens(plan, workerCluster, worker);
            ObjectNode pause = WireJson.object();
            pause.putObject("spec").put("paused", true);
            client.patch(plan.namespace(), plan.workerCluster(), pause);
            if (awaitHub) {
                await(
                        () -> state(plan) == State.PAUSED,
                        () -> "WorkerCluster " + plan.namespace() + "/" + plan.workerCluster()
                                + " is set to paused, but no hub has confirmed it; if none is running, use --no-wait");
            }
            awaitReleased(plan, worker);
            WorkerState before = WorkerState.read(worker);
            Set<String> removed = new HashSet<>();
            List<String> notes = prepareForOsm(
                    new HubConfigs(managementCluster, plan.namespace(), plan.namespace()), osm, flags, worker, removed);
            Integer replicas = replicas(workerCluster);
            // If OSM was stopped before the takeover, it starts with its default.
            scale(tenant, replicas == null || replicas == 0 ? null : replicas);
            if (byKkp && awaitHub) {
                // KKP mode registers the cluster again at once, and would take a Lease that is free.
                await(
                        () -> !holder(plan, worker).isEmpty(),
                        () -> plan.osm() + " has not taken Lease kube-system/" + plan.lease() + " at " + worker.server()
                                + ", the WorkerCluster stays paused; check its pods, then repeat the command");
            }
            client.remove(plan.namespace(), plan.workerCluster(), true);
            if (awaitHub) {
                await(
                        () -> !registered.equals(uid(plan)),
                        () -> "WorkerCluster " + plan.namespace() + "/" + plan.workerCluster()
                                + " is still being removed; OSM runs again");
            }
            return result(plan, before.without(removed), WorkerState.read(worker), null, notes);
        });
    }

    private String uid(TenantPlan plan) {
        JsonNode object = managementCluster.get(Resource.WORKER_CLUSTERS, plan.namespace(), plan.workerCluster());
        return object == null ? "" : ObjectMetadata.of(object).uid();
    }

    /** OSM does not renew the scoped tokens in what the hub published. */
    private static void requireSharedTokens(TenantPlan plan, JsonNode workerCluster, ClusterClient worker) {
        String set = workerCluster.at("/spec/provisioning/bootstrap/nodeFetch").asText();
        boolean shared = set.equals("SharedToken")
                || set.isEmpty()
                        && worker.list(Resource.SECRETS, ObjectNames.SETTINGS_NAMESPACE, Map.of()).stream()
                                .noneMatch(secret -> secret.path("data").has(FetchToken.SECRET_KEY));
        if (!shared) {
            throw CommandFailure.unusable("WorkerCluster " + plan.namespace() + "/" + plan.workerCluster()
                    + ": spec.provisioning.bootstrap.nodeFetch is not SharedToken, and OSM does not renew scoped tokens;"
                    + " set it and wait for Synced");
        }
    }

    /** Returns a cluster where {@code hub controller} runs in OSM's place. OSM's image and command are the caller's to restore. */
    public TenantResult backInPlace(PreparedTenant tenant) {
        TenantPlan plan = tenant.plan();
        OsmDeployment osm = tenant.osm();
        ControllerFlags flags = osm == null ? null : osm.flags();
        ObjectNode workerCluster = tenant.workerCluster();
        if (osm == null || flags == null || !osm.unclear().isEmpty()) {
            throw new CommandFailure(
                    CommandFailureKind.UNUSABLE,
                    plan.osm() + ": its clusters are unknown; nothing was changed",
                    plan.unclear().stream().map(Unclear::toString).toList());
        }
        return planner.withWorker(
                subject(plan), workerCluster == null ? null : kubeconfigKey(workerCluster), worker -> {
                    ClusterClient configs = osm.splitClusters() ? managementCluster : worker;
                    // The hub's image has OSM's program name, too.
                    if (!osm.runsHub()
                            && configs.list(Resource.OPERATING_SYSTEM_CONFIGS, flags.namespace(), Map.of()).stream()
                                    .noneMatch(Migration::isHubs)) {
                        throw CommandFailure.unusable(plan.osm()
                                + ": runs OSM, and no OperatingSystemConfig in namespace " + flags.namespace() + " at "
                                + configs.server() + " is the hub's; nothing was changed");
                    }
                    scale(tenant, 0);
                    awaitStopped(tenant);
                    WorkerState before = WorkerState.read(worker);
                    Set<String> removed = new HashSet<>();
                    List<String> notes = new ArrayList<>();
                    withLease(
                            plan,
                            worker,
                            (lease, holder) -> notes.addAll(prepareForOsm(
                                    new HubConfigs(configs, flags.namespace(), ""), osm, flags, worker, removed)));
                    notes.add("give it OSM's image and command, then start it: kubectl -n " + osm.namespace()
                            + " scale deployment " + OsmDeployment.NAME + " --replicas=" + Math.max(1, osm.replicas()));
                    return result(plan, before.without(removed), WorkerState.read(worker), null, notes);
                });
    }

    private static boolean isHubs(JsonNode config) {
        return ObjectMetadata.of(config).annotations().containsKey(OwnershipAnnotations.OWNER);
    }

    private static String holder(TenantPlan plan, ClusterClient worker) {
        JsonNode lease = worker.get(Resource.LEASES, "kube-system", plan.lease());
        return lease == null ? "" : lease.at("/spec/holderIdentity").asText();
    }

    private void awaitReleased(TenantPlan plan, ClusterClient worker) {
        await(
                () -> !awaitHub || !Leases.isHub(holder(plan, worker)),
                () -> "the hub has not released Lease kube-system/" + plan.lease() + " at " + worker.server()
                        + "; check that it runs");
    }

    /**
     * Where the hub stores OperatingSystemConfigs.
     *
     * @param copies namespace of the management cluster with copies of OSM's profiles; empty without
     */
    private record HubConfigs(ClusterClient cluster, String namespace, String copies) {}

    /**
     * Deletes what OSM would misread: configurations with the hub's placeholders, those whose sources changed, which OSM would answer
     * by rotating the secrets, those of deleted MachineDeployments, from which OSM would publish for a new one of the same name, and
     * more than one token of a MachineDeployment. The published secrets stay.
     *
     * @param removed receives namespace and name of each deleted Secret
     */
    private List<String> prepareForOsm(
            HubConfigs hub, OsmDeployment osm, ControllerFlags flags, ClusterClient worker, Set<String> removed) {
        List<String> notes = new ArrayList<>();
        ClusterClient configs = osm.splitClusters() ? managementCluster : worker;
        deleteOrphans(configs, flags.namespace(), worker, notes);
        for (WatchedMachineDeployment watched :
                worker.list(Resource.MACHINE_DEPLOYMENTS, "", Map.of(), WatchedMachineDeployment::decode)) {
            MachineDeployment machineDeployment = watched.machineDeployment();
            ObjectNames names = ObjectNames.of(machineDeployment);
            JsonNode own = hub.cluster()
                    .get(Resource.OPERATING_SYSTEM_CONFIGS, hub.namespace(), names.operatingSystemConfig());
            StoredConfig published = own == null ? null : ConfigCache.read(own);
            for (JsonNode token : extraTokens(worker, names, published == null ? null : published.publishedToken())) {
                worker.delete(Resource.SECRETS, ObjectMetadata.of(token));
                ObjectMetadata head = ObjectMetadata.of(token);
                removed.add(head.namespace() + "/" + head.name());
                notes.add("deleted Secret " + head.namespace() + "/" + head.name()
                        + ", a second bootstrap token, with which OSM would stop");
            }
            if (own != null && published != null && isHubs(own)) {
                hub.cluster().delete(Resource.OPERATING_SYSTEM_CONFIGS, ObjectMetadata.of(own));
            }
            JsonNode found =
                    configs.get(Resource.OPERATING_SYSTEM_CONFIGS, flags.namespace(), names.operatingSystemConfig());
            JsonNode profile =
                    configs.get(Resource.OPERATING_SYSTEM_PROFILES, flags.namespace(), machineDeployment.profileName());
            String version = profile == null ? "" : profile.at("/spec/version").asText();
            if (found != null
                    && !ObjectMetadata.of(found)
                            .annotations()
                            .entrySet()
                            .containsAll(SourceAnnotations.of(machineDeployment, version)
                                    .annotations()
                                    .entrySet())) {
                configs.delete(Resource.OPERATING_SYSTEM_CONFIGS, ObjectMetadata.of(found));
                notes.add("deleted OperatingSystemConfig " + names.operatingSystemConfig()
                        + ", whose sources changed, so that OSM recreates it instead of rotating its secrets");
            }
            JsonNode copied = hub.copies().isEmpty()
                    ? null
                    : managementCluster.get(
                            Resource.OPERATING_SYSTEM_PROFILES, hub.copies(), machineDeployment.profileName());
            if (copied != null && profile != null && !copied.path("spec").equals(profile.path("spec"))) {
                notes.add(machineDeployment.describe() + ": OSM's profile " + machineDeployment.profileName() + " "
                        + version + " differs from the hub's; OSM renders it at the next rotation");
            }
        }
        return notes;
    }

    /** Only where the MachineDeployment is certainly gone: it was not listed after its configuration had been. */
    private static void deleteOrphans(
            ClusterClient configs, String namespace, ClusterClient worker, List<String> notes) {
        List<JsonNode> found = configs.list(Resource.OPERATING_SYSTEM_CONFIGS, namespace, Map.of());
        Set<String> alive = new HashSet<>();
        for (JsonNode one : worker.listExisting(Resource.MACHINE_DEPLOYMENTS, "")) {
            ObjectMetadata head = ObjectMetadata.of(one);
            alive.add(new ObjectNames(head.namespace(), head.name()).operatingSystemConfig());
        }
        for (JsonNode config : found) {
            ObjectMetadata head = ObjectMetadata.of(config);
            // An object of another program may have any name.
            if (!alive.contains(head.name()) && head.annotations().containsKey(SourceAnnotations.REVISION)) {
                configs.delete(Resource.OPERATING_SYSTEM_CONFIGS, ObjectMetadata.of(config));
                notes.add("deleted OperatingSystemConfig " + head.name()
                        + ", whose MachineDeployment is deleted, so that OSM never publishes it");
            }
        }
    }

    /** Tokens except one, because OSM stops at a MachineDeployment with two: except the published one, else the newest. */
    private static List<JsonNode> extraTokens(ClusterClient worker, ObjectNames names, @Nullable String published) {
        List<JsonNode> tokens = new ArrayList<>(worker.list(
                Resource.SECRETS,
                ObjectNames.TOKEN_NAMESPACE,
                Map.of("labelSelector", BootstrapToken.LABEL + "=" + names.key())));
        JsonNode kept = null;
        for (JsonNode token : tokens) {
            ObjectMetadata head = ObjectMetadata.of(token);
            boolean newer = kept == null
                    || head.creationTimestamp().isAfter(ObjectMetadata.of(kept).creationTimestamp());
            boolean isPublished = head.name().equals(published);
            boolean keptIsPublished =
                    kept != null && ObjectMetadata.of(kept).name().equals(published);
            kept = isPublished || newer && !keptIsPublished ? token : kept;
        }
        tokens.remove(kept);
        return tokens;
    }
}
