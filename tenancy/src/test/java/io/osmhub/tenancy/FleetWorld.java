package io.osmhub.tenancy;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.core.model.LabelSelector;
import io.osmhub.core.plan.Decider;
import io.osmhub.core.resource.ShippedDefinition;
import io.osmhub.core.settings.SettingsLayer;
import io.osmhub.core.template.Sandbox.RenderLimits;
import io.osmhub.core.template.language.TemplateEngines;
import io.osmhub.tenancy.Hub.HubDependencies;
import io.osmhub.tenancy.Hub.HubObserver;
import io.osmhub.tenancy.Hub.StoredObjectListeners;
import io.osmhub.tenancy.admission.AdmissionEndpoint;
import io.osmhub.tenancy.connection.StaticConnection.StaticWorkerCluster;
import io.osmhub.tenancy.crds.DefinitionInstaller.InstallPolicy;
import io.osmhub.tenancy.kubeconfig.KubeconfigPolicy;
import io.osmhub.tenancy.kubeconfig.KubeconfigTexts;
import io.osmhub.tenancy.lease.InFlightWrites;
import io.osmhub.tenancy.lease.WriteFence;
import io.osmhub.tenancy.management.StatusWriter;
import io.osmhub.tenancy.management.WireJson;
import io.osmhub.tenancy.registry.NamespaceRegistrations.SecretDiscovery;
import io.osmhub.tenancy.registry.WorkerClusterRecord;
import io.osmhub.tenancy.settings.HubSettings;
import io.osmhub.workersync.WorkerSync;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ApiRequest;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.fake.ServerHandler;
import io.osmhub.workersync.fake.SimulatedServer;
import io.osmhub.workersync.fake.SyncWorld;
import io.osmhub.workersync.fake.VirtualTime;
import io.osmhub.workersync.port.RunTracer;
import io.osmhub.workersync.port.SyncObserver;
import io.osmhub.workersync.queue.WorkQueue;
import io.osmhub.workersync.reconcile.RenderExecutor;
import io.osmhub.workersync.reconcile.TenantContext;
import io.osmhub.workersync.watch.RuntimeContext;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** An in-memory management cluster with worker clusters, and a hub that can be started and killed. */
final class FleetWorld {
    final VirtualTime time = new VirtualTime();
    final SimulatedServer management = new SimulatedServer(time);
    final FakeConnections connections = new FakeConnections(time);
    final Random random = new Random(7);
    /** Between the hub and the management cluster. */
    Function<ServerHandler, KubeApi> managementApi = ServerHandler::api;

    boolean mayWrite = true;
    Predicate<String> served = namespace -> true;
    HubSettings settings = settings("osm-hub", false);
    private @Nullable Hub hub;

    FleetWorld() {
        namespace(management, "kube-system", Map.of());
        namespace(management, "osm-hub", Map.of());
        namespace(management, "osm-profiles", Map.of());
        profile("osm-profiles", "osp-ubuntu", "v1.0.0", "shared");
    }

    /** The settings of a hub without a configuration. */
    static HubSettings settings(String namespace, boolean single) {
        return settings(namespace, single, SettingsLayer.EMPTY);
    }

    static HubSettings settings(String namespace, boolean single, SettingsLayer defaults) {
        return new HubSettings(
                namespace,
                "osm-profiles",
                LabelSelector.EVERYTHING,
                single,
                InstallPolicy.IF_ABSENT,
                SecretDiscovery.LABELLED_ONLY,
                "",
                null,
                defaults,
                KubeconfigPolicy.DEFAULT,
                Set.of(),
                Set.of(),
                2048,
                StatusWriter.USUAL_RATE);
    }

    // Clusters

    static void namespace(SimulatedServer server, String name, Map<String, String> labels) {
        ObjectNode object = WireJson.object();
        object.putObject("metadata").put("name", name).set("labels", WireJson.tree(labels));
        server.put(Resource.NAMESPACES, object.toString(), "kubectl");
    }

    /** Changes a CustomResourceDefinition as another writer. */
    void definition(ShippedDefinition definition, String version, String... finalizers) {
        ObjectNode object = definition.manifest().deepCopy();
        object.putObject("metadata")
                .put("name", definition.definitionName())
                .set("finalizers", WireJson.tree(finalizers));
        ObjectNode stored = SimulatedServer.parse(version.replace('\'', '"'));
        stored.put("served", true).put("storage", true);
        ((ObjectNode) object.path("spec")).putArray("versions").add(stored);
        management.put(Resource.CUSTOM_RESOURCE_DEFINITIONS, object.toString(), "kubectl");
    }

    /** A worker cluster that responds at {@code https://HOST:6443}. */
    SimulatedServer worker(String host) {
        SimulatedServer worker = new SimulatedServer(time);
        namespace(worker, "kube-system", Map.of());
        worker.put(Resource.CONFIG_MAPS, SyncWorld.clusterInfo("https://" + host + ":6443"), "kubeadm");
        worker.put(
                Resource.SECRETS,
                SyncWorld.secret(SyncWorld.SETTINGS, "cloud-init-getter-token", Map.of("token", "fetch-" + host)),
                "kube-controller-manager");
        connections.servers.put(host, worker);
        return worker;
    }

    /** A tenant's namespace with a worker cluster and a labelled kubeconfig Secret. */
    SimulatedServer tenant(String namespace) {
        namespace(management, namespace, Map.of());
        SimulatedServer worker = worker(namespace + ".example.org");
        register(namespace, "admin", "prod", namespace + ".example.org", "token-1");
        return worker;
    }

    void register(String namespace, String secret, @Nullable String label, String host, String token) {
        ObjectNode object = WireJson.object();
        ObjectNode metadata =
                object.putObject("metadata").put("namespace", namespace).put("name", secret);
        if (label != null) {
            metadata.putObject("labels").put("osmhub.io/worker-cluster", label);
        }
        String text = KubeconfigTexts.of("https://" + host + ":6443", token);
        object.putObject("data").put("kubeconfig", Base64.getEncoder().encodeToString(text.getBytes(UTF_8)));
        management.put(Resource.SECRETS, object.put("type", "Opaque").toString(), "kubectl");
    }

    void profile(String namespace, String name, String version, String text) {
        profile(management, namespace, name, version, text);
    }

    static void profile(SimulatedServer server, String namespace, String name, String version, String text) {
        ObjectNode object = WireJson.object();
        object.putObject("metadata").put("namespace", namespace).put("name", name);
        ObjectNode spec = object.putObject("spec");
        spec.put("osName", "ubuntu").put("osVersion", "24.04").put("version", version);
        spec.putArray("supportedCloudProviders").addObject().put("name", "aws");
        file(
                spec.putObject("bootstrapConfig"),
                "/opt/bin/bootstrap",
                "fetch {{ .SecretName }} with {{ .Token }}\n" + text);
        file(spec.putObject("provisioningConfig"), "/opt/bin/provision", "dns {{ .ClusterDNSIPs }}\n" + text);
        server.put(Resource.OPERATING_SYSTEM_PROFILES, object.toString(), "kubectl");
    }

    /** @param spec as JSON with single quotes */
    void extension(String namespace, String name, String spec) {
        ObjectNode object = WireJson.object();
        object.putObject("metadata").put("namespace", namespace).put("name", name);
        object.set("spec", SimulatedServer.parse(spec.replace('\'', '"')));
        management.put(Resource.OPERATING_SYSTEM_PROFILE_EXTENSIONS, object.toString(), "kubectl");
    }

    private static void file(ObjectNode config, String path, String text) {
        ObjectNode file = config.putArray("files").addObject();
        file.put("path", path).put("permissions", 755);
        file.putObject("content").putObject("inline").put("encoding", "b64").put("data", text);
    }

    static void machineDeployment(SimulatedServer worker, String name) {
        worker.put(
                Resource.MACHINE_DEPLOYMENTS,
                SyncWorld.json("kube-system", name, "osp-ubuntu", "1").toString(),
                "kubectl");
    }

    /** Merges into a WorkerCluster. */
    void patch(String namespace, String name, String patch) {
        send(ApiRequest.patch(
                Resource.WORKER_CLUSTERS, namespace, name, ApiRequest.MERGE_PATCH, patch.replace('\'', '"')));
    }

    void delete(Resource resource, String namespace, String name) {
        send(ApiRequest.delete(resource, namespace, name, "", null));
    }

    private void send(ApiRequest request) {
        try {
            management.send(request);
        } catch (ApiFailure e) {
            throw new AssertionError(e);
        }
    }

    // Hub

    HubDependencies parts() {
        RuntimeContext around = new RuntimeContext(time, time, random);
        TenantContext.RunDependencies tools = new TenantContext.RunDependencies(
                new WorkQueue(time, time, random, 64),
                new Decider(RenderLimits.DEFAULT, System::nanoTime, random),
                new RenderExecutor(Runnable::run, 1, time::nanoTime),
                new SyncObserver() {},
                RunTracer.OFF,
                Runnable::run);
        return new HubDependencies(
                managementApi.apply(management),
                "https://management",
                connections,
                new WorkerSync.SyncEnvironment(around, tools, "replica-0"),
                new WorkQueue(time, time, random, 64),
                tools.rendering(),
                new TemplateEngines(),
                new WriteFence(() -> mayWrite, namespace -> served.test(namespace), new InFlightWrites(), () -> {}),
                HubObserver.NONE);
    }

    Hub start() {
        return start(
                settings.single()
                        ? new OperatorWorkerCluster(
                                new StaticWorkerCluster(management.api(), "https://management", "", SyncWorld.CA), null)
                        : null);
    }

    /** As {@code hub controller}: the settings' defaults are OSM's flags. */
    Hub startWithFlags(String namespace, SettingsLayer flags, SimulatedServer worker) {
        settings = settings(namespace, true, flags);
        served = tenant -> mayWrite;
        return start(new OperatorWorkerCluster(
                new StaticWorkerCluster(worker.api(), "https://w.example.org:6443", "", SyncWorld.CA),
                WorkerClusterRecord.fixed(namespace, "worker")));
    }

    private Hub start(@Nullable OperatorWorkerCluster operatorWorkerCluster) {
        Hub started =
                new Hub(parts(), settings, operatorWorkerCluster, StoredObjectListeners.noop(), AdmissionEndpoint.NONE);
        hub = started;
        started.start();
        time.settle();
        return started;
    }

    Hub hub() {
        return Objects.requireNonNull(hub, "no hub runs");
    }

    /** Kills the process in the middle of its work. */
    void kill() {
        ApiFailure killed = ApiFailure.withoutResponse(ApiFailure.ApiFailureKind.CLOSED, "killed");
        management.breakWatches(killed);
        connections.servers.values().forEach(server -> server.breakWatches(killed));
        connections.opened.clear();
        hub = null;
        time.kill();
    }

    void pass(Duration duration) {
        time.pass(duration);
    }

    // State

    @Nullable JsonNode workerCluster(String namespace, String name) {
        return management.object(Resource.WORKER_CLUSTERS, namespace, name);
    }

    /** Reason of a WorkerCluster's condition; empty if absent. */
    String reason(String namespace, String name, String type) {
        JsonNode object = workerCluster(namespace, name);
        if (object == null) {
            return "";
        }
        for (JsonNode condition : object.at("/status/conditions")) {
            if (condition.path("type").asText().equals(type)) {
                return condition.path("reason").asText();
            }
        }
        return "";
    }

    String state(String namespace, String name) {
        JsonNode object = workerCluster(namespace, name);
        return object == null ? "" : object.at("/status/state").asText();
    }

    /** Content of a MachineDeployment's bootstrap secret; null if absent. */
    static @Nullable String bootstrap(SimulatedServer worker, String name) {
        JsonNode object = worker.object(Resource.SECRETS, SyncWorld.SETTINGS, name + "-kube-system-bootstrap-config");
        return object == null
                ? null
                : new String(
                        Base64.getDecoder()
                                .decode(object.path("data").path("cloud-config").asText()),
                        UTF_8);
    }

    /** Texts of the Events in the management cluster with a reason. */
    List<String> notes(String reason) {
        return management.all(Resource.EVENTS).stream()
                .filter(event -> event.path("reason").asText().equals(reason))
                .map(event -> event.path("note").asText())
                .toList();
    }

    /** Reasons of the Events in the management cluster. */
    List<String> events() {
        return management.all(Resource.EVENTS).stream()
                .map(event -> event.path("reason").asText())
                .toList();
    }
}
