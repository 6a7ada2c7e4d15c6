package io.osmhub.workersync.fake;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.osp.NodeFetchMethod;
import io.osmhub.core.osp.OperatingSystemProfile;
import io.osmhub.core.plan.Decider;
import io.osmhub.core.plan.Facts.LookupResult;
import io.osmhub.core.plan.HubIdentity;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.render.CompiledProfile;
import io.osmhub.core.render.CompiledProfile.CompiledProfileCache;
import io.osmhub.core.render.RegistryCredentials;
import io.osmhub.core.render.Renderer.RenderInput;
import io.osmhub.core.settings.LayeredSettings;
import io.osmhub.core.settings.SettingsLayer;
import io.osmhub.core.settings.TenantSettings;
import io.osmhub.core.template.Sandbox.RenderLimits;
import io.osmhub.core.template.language.TemplateEngines;
import io.osmhub.core.template.language.TemplateLanguage;
import io.osmhub.workersync.WorkerSync;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.port.ConfigStore;
import io.osmhub.workersync.port.RunTracer;
import io.osmhub.workersync.port.SyncListener;
import io.osmhub.workersync.port.SyncObserver;
import io.osmhub.workersync.port.TenantInputs;
import io.osmhub.workersync.port.TenantPorts;
import io.osmhub.workersync.queue.WorkQueue;
import io.osmhub.workersync.reconcile.RenderExecutor;
import io.osmhub.workersync.reconcile.TenantContext;
import io.osmhub.workersync.watch.RuntimeContext;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A tenant with two in-memory clusters and a hub that can be started and killed repeatedly. */
public final class SyncWorld {
    public static final String TENANT = "cluster-x7f";
    public static final String SETTINGS = "cloud-init-settings";
    public static final String CA = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final CompiledProfileCache PROFILES = new CompiledProfileCache(new TemplateEngines(), 64);

    public final VirtualTime time = new VirtualTime();
    public final SimulatedServer worker = new SimulatedServer(time);
    public final SimulatedServer management = new SimulatedServer(time);
    public final FakeConfigs configs = new FakeConfigs(management, TENANT);
    /** Reasons of Events in the management cluster, in order. */
    public final List<Reason> managementEvents = new CopyOnWriteArrayList<>();
    /** Failures reported to the connection's owner. */
    public final List<ApiFailure> failures = new CopyOnWriteArrayList<>();

    /** Results of runs, and who has to act before one is retried, in order. */
    public final List<SyncObserver.Result> results = new CopyOnWriteArrayList<>();

    public final List<String> retries = new CopyOnWriteArrayList<>();

    private final Random random;
    private volatile String profileVersion = "v1.0.0";
    private volatile String profileText = "";
    private volatile @Nullable Problem noProfile;
    private TenantSettings settings = new LayeredSettings(SettingsLayer.EMPTY, SettingsLayer.EMPTY).toTenantSettings();
    private List<Problem> mistakes = List.of();
    private boolean paused;
    private String nodesCa = CA;
    private volatile List<NodeFetchMethod> nodeFetch = List.of();
    private boolean mayGrant;
    private final AtomicInteger renderings = new AtomicInteger();
    public final AtomicInteger unexpectedRenderings = new AtomicInteger();
    /** Instead of the hash of the profile's content, as if that missed something; null for that hash. */
    public volatile @Nullable String profileHash;

    private volatile @Nullable WorkerSync sync;

    public SyncWorld() {
        this(1);
    }

    public SyncWorld(long seed) {
        random = new Random(seed);
        worker.put(Resource.CONFIG_MAPS, clusterInfo("https://api.example:6443"), "kubeadm");
        worker.put(
                Resource.SECRETS,
                secret(SETTINGS, "cloud-init-getter-token", Map.of("token", "fetch-1")),
                "kube-controller-manager");
    }

    /** The cluster CA for nodes from the settings or the kubeconfig. */
    public void nodesCa(String pem) {
        nodesCa = pem;
        if (sync != null) {
            sync.inputs(inputs());
        }
    }

    /** Number of renderings. */
    public int renderings() {
        return renderings.get();
    }

    // Tenant

    public static String clusterInfo(String server) {
        return clusterInfo(server, CA);
    }

    /** @param authority empty for none */
    public static String clusterInfo(String server, String authority) {
        String kubeconfig = "clusters:\n- name: x\n  cluster:\n    server: " + server
                + (authority.isEmpty() ? "" : "\n    certificate-authority-data: " + base64(authority)) + "\n";
        ObjectNode object = JSON.createObjectNode();
        object.putObject("metadata").put("namespace", "kube-public").put("name", "cluster-info");
        object.putObject("data").put("kubeconfig", kubeconfig);
        return object.toString();
    }

    public static String secret(String namespace, String name, Map<String, String> data) {
        ObjectNode object = JSON.createObjectNode();
        object.putObject("metadata").put("namespace", namespace).put("name", name);
        ObjectNode values = object.putObject("data");
        data.forEach((key, value) -> values.put(key, base64(value)));
        return object.put("type", "Opaque").toString();
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(UTF_8));
    }

    /** A MachineDeployment with a revision set by machine-controller. */
    public void machineDeployment(String namespace, String name) {
        worker.put(
                Resource.MACHINE_DEPLOYMENTS,
                json(namespace, name, "osp-ubuntu", "1").toString(),
                "kubectl");
    }

    public static ObjectNode json(String namespace, String name, String profile, String revision) {
        ObjectNode object = JSON.createObjectNode();
        ObjectNode metadata =
                object.putObject("metadata").put("namespace", namespace).put("name", name);
        ObjectNode annotations = metadata.putObject("annotations");
        if (!profile.isEmpty()) {
            annotations.put(MachineDeployment.PROFILE, profile);
        }
        annotations.put(MachineDeployment.REVISION, revision);
        ObjectNode machine = object.putObject("spec").putObject("template").putObject("spec");
        machine.putObject("versions").put("kubelet", "1.34.1");
        ObjectNode provider = machine.putObject("providerSpec").putObject("value");
        provider.put("cloudProvider", "aws").put("operatingSystem", "ubuntu");
        provider.putObject("cloudProviderSpec").put("region", "x");
        provider.putObject("operatingSystemSpec");
        return object;
    }

    /** Changes an annotation of a MachineDeployment; null removes it. */
    public void annotate(String namespace, String name, String key, @Nullable String value) {
        ObjectNode object = machineDeploymentJson(namespace, name).deepCopy();
        ObjectNode annotations = object.withObjectProperty("metadata").withObjectProperty("annotations");
        if (value == null) {
            annotations.remove(key);
        } else {
            annotations.put(key, value);
        }
        worker.put(Resource.MACHINE_DEPLOYMENTS, object.toString(), "kubectl");
    }

    public ObjectNode machineDeploymentJson(String namespace, String name) {
        ObjectNode object = worker.object(Resource.MACHINE_DEPLOYMENTS, namespace, name);
        if (object == null) {
            throw new AssertionError("no MachineDeployment " + namespace + "/" + name);
        }
        return object;
    }

    /** The profile of all MachineDeployments; {@code text} is part of both documents. */
    public void profile(String version, String text) {
        profileVersion = version;
        profileText = text;
        if (sync != null) {
            sync.onProfilesChanged("osp-ubuntu"::equals);
        }
    }

    public void noProfile(@Nullable Problem why) {
        noProfile = why;
        if (sync != null) {
            sync.onProfilesChanged("osp-ubuntu"::equals);
        }
    }

    public void settings(TenantSettings other) {
        settings = other;
        inputsChanged();
    }

    public TenantSettings settings() {
        return settings;
    }

    /** Of the worker cluster. */
    public void writeBudget(int perSecond, int burst) {
        settings(new TenantSettings(
                settings.provisioning(),
                settings.profiles(),
                new TenantSettings.Connection(
                        settings.connection().maxConcurrentReconciles(),
                        settings.connection().requestTimeout(),
                        settings.connection().pingInterval(),
                        new TenantSettings.WriteBudget(perSecond, burst)),
                settings.admission()));
    }

    /** Whether the worker cluster grants the permissions for tokens of single MachineDeployments. */
    public void mayGrant(boolean may) {
        mayGrant = may;
        if (sync != null) {
            sync.setGrantsAllowed(may);
        }
    }

    /** Fetch methods that the profile supports. */
    public void nodeFetch(NodeFetchMethod... ways) {
        nodeFetch = List.of(ways);
        if (sync != null) {
            sync.onProfilesChanged("osp-ubuntu"::equals);
        }
    }

    public void mistakes(List<Problem> some) {
        mistakes = some;
        inputsChanged();
    }

    public void paused(boolean now) {
        paused = now;
        inputsChanged();
    }

    private void inputsChanged() {
        if (sync != null) {
            sync.inputs(inputs());
        }
    }

    private TenantInputs inputs() {
        RenderInput.References references = new RenderInput.References(nodesCa, "", RegistryCredentials.NONE, null);
        return new TenantInputs(
                TENANT,
                "x7f",
                new HubIdentity("hub-1", Set.of()),
                settings,
                mistakes.isEmpty() ? references : null,
                mistakes,
                nodesCa,
                paused ? TenantInputs.AllowedWrites.NONE : TenantInputs.AllowedWrites.ALL);
    }

    private LookupResult<RenderInput.Profile> profile(MachineDeployment machineDeployment) {
        if (noProfile != null) {
            return LookupResult.missing(noProfile);
        }
        OperatingSystemProfile.Config bootstrap = config(
                "/opt/bin/bootstrap",
                "fetch {{ .SecretName }} with {{ .Token }} from {{ .ServerURL }}\n" + profileText);
        OperatingSystemProfile.Config provisioning = config(
                "/etc/kubernetes/bootstrap-kubelet.conf",
                "dns {{ .ClusterDNSIPs }}\n{{ .BootstrapKubeconfig }}\n" + profileText);
        CompiledProfile compiled = PROFILES.getOrCompile(new OperatingSystemProfile.Spec(
                "ubuntu",
                "24.04",
                profileVersion,
                List.of("aws", "edge", "openstack"),
                "cloud-init",
                TemplateLanguage.GO,
                null,
                nodeFetch,
                bootstrap,
                provisioning));
        String hash = profileHash;
        return LookupResult.of(new RenderInput.Profile(
                "osm-profiles",
                "osp-ubuntu",
                hash == null
                        ? compiled
                        : new CompiledProfile(
                                hash, compiled.spec(), compiled.bootstrap(), compiled.provisioning(), List.of())));
    }

    private static OperatingSystemProfile.Config config(String path, String template) {
        return new OperatingSystemProfile.Config(
                List.of(),
                Map.of(),
                List.of(),
                List.of(new OperatingSystemProfile.File(path, 755, new OperatingSystemProfile.Inline(template, "b64"))),
                null);
    }

    // Hub

    public WorkerSync hub() {
        if (sync == null) {
            throw new AssertionError("no hub runs");
        }
        return sync;
    }

    /** Starts a new hub process. */
    public WorkerSync start() {
        WorkerSync created = create();
        created.start(worker.api());
        time.settle();
        return created;
    }

    /** Creates a new hub process without a connection to the worker cluster. */
    public WorkerSync create() {
        RuntimeContext around = new RuntimeContext(time, time, random);
        // Concurrent requests of a run are sequential here.
        TenantContext.RunDependencies tools = new TenantContext.RunDependencies(
                new WorkQueue(time, time, random, 64),
                new Decider(RenderLimits.DEFAULT, System::nanoTime, random),
                new RenderExecutor(Runnable::run, 1, time::nanoTime),
                new SyncObserver() {
                    @Override
                    public void onRunCompleted(Result result, Duration look, Duration decide, Duration write) {
                        results.add(result);
                    }

                    @Override
                    public void onRetried(String actor) {
                        retries.add(actor);
                    }

                    @Override
                    public void onRendered(String engine, Duration took) {
                        renderings.incrementAndGet();
                    }

                    @Override
                    public void onUnexpectedRendering() {
                        unexpectedRenderings.incrementAndGet();
                    }
                },
                RunTracer.OFF,
                Runnable::run);
        return create(around, tools, configs);
    }

    /** Creates a new hub process with other dependencies. */
    public WorkerSync create(RuntimeContext around, TenantContext.RunDependencies tools, ConfigStore configStore) {
        WorkerSync started = new WorkerSync(
                inputs(),
                new TenantPorts(
                        configStore,
                        this::profile,
                        List.of(),
                        (regarding, related, event, action) -> managementEvents.add(event.reason()),
                        new Listener()),
                new WorkerSync.SyncEnvironment(around, tools, "replica-0"));
        started.setGrantsAllowed(mayGrant);
        sync = started;
        return started;
    }

    /** Kills the process in the middle of its work. */
    public void kill() {
        if (sync != null) {
            // Its connection closes, so the server ends its watches.
            worker.breakWatches(ApiFailure.withoutResponse(ApiFailure.ApiFailureKind.CLOSED, "killed"));
        }
        sync = null;
        time.kill();
    }

    private final class Listener implements SyncListener {
        @Override
        public void onStatusChanged() {}

        @Override
        public void onRequestFailed(ApiFailure failure) {
            failures.add(failure);
        }

        @Override
        public void onRecovered() {
            failures.clear();
        }
    }

    // State

    /** Value of a Secret in {@code cloud-init-settings}; null if absent. */
    public @Nullable String value(String name) {
        ObjectNode object = worker.object(Resource.SECRETS, SETTINGS, name);
        if (object == null) {
            return null;
        }
        String value =
                object.path("data").properties().iterator().next().getValue().asText();
        return new String(Base64.getDecoder().decode(value), UTF_8);
    }

    public @Nullable String bootstrap(String namespace, String name) {
        return value(name + "-" + namespace + "-bootstrap-config");
    }

    public @Nullable String provisioning(String namespace, String name) {
        return value(name + "-" + namespace + "-provisioning-config");
    }

    public String annotation(String secret, String key) {
        ObjectNode object = worker.object(Resource.SECRETS, SETTINGS, secret);
        return object == null
                ? ""
                : object.path("metadata").path("annotations").path(key).asText("");
    }

    /** Reasons of the Events in the worker cluster. */
    public List<String> events() {
        return worker.all(Resource.EVENTS).stream()
                .map(event -> event.path("reason").asText())
                .toList();
    }

    /** Requests to both clusters except Events. */
    public long requests() {
        return requests(worker) + requests(management);
    }

    private static long requests(SimulatedServer server) {
        return server.requests().stream()
                .filter(request -> request.resource() != Resource.EVENTS)
                .count();
    }

    public void forgetRequests() {
        worker.forgetRequests();
        management.forgetRequests();
    }

    /** What is decided once and shared by many lasts this long at most in a test. */
    public void pass(Duration duration) {
        time.pass(duration);
    }
}
