package io.osmhub.workersync.fake;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.osp.NodeFetch;
import io.osmhub.core.osp.OperatingSystemProfile;
import io.osmhub.core.osp.TemplateLanguage;
import io.osmhub.core.plan.Decider;
import io.osmhub.core.problem.Finding;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.render.CompiledProfiles;
import io.osmhub.core.render.RegistryCredentials;
import io.osmhub.core.render.RenderInput;
import io.osmhub.core.render.TemplateLanguages;
import io.osmhub.core.settings.EffectiveSettings;
import io.osmhub.core.settings.SettingsLayer;
import io.osmhub.core.settings.TenantSettings;
import io.osmhub.core.template.Limits;
import io.osmhub.workersync.WorkerSync;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.port.ConfigStore;
import io.osmhub.workersync.port.ProfileCatalog;
import io.osmhub.workersync.port.RunTracer;
import io.osmhub.workersync.port.SyncListener;
import io.osmhub.workersync.port.SyncObserver;
import io.osmhub.workersync.port.TenantInputs;
import io.osmhub.workersync.queue.WorkQueue;
import io.osmhub.workersync.reconcile.RenderThreads;
import io.osmhub.workersync.reconcile.Runs;
import io.osmhub.workersync.watch.Surroundings;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A tenant with its two clusters in memory and a hub that can be started, killed and started again. */
public final class SyncWorld {
    public static final String TENANT = "cluster-x7f";
    public static final String SETTINGS = "cloud-init-settings";
    public static final String CA = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";
    private static final CompiledProfiles PROFILES = new CompiledProfiles(new TemplateLanguages(), 64);

    public final VirtualTime time = new VirtualTime();
    public final FakeApiServer worker = new FakeApiServer(time);
    public final FakeApiServer management = new FakeApiServer(time);
    public final FakeConfigs configs = new FakeConfigs(management, TENANT);
    /** Reasons of Events for the management cluster, in their order. */
    public final List<Reason> managementEvents = new CopyOnWriteArrayList<>();
    /** Failures that the owner of the connection was told. */
    public final List<ApiFailure> failures = new CopyOnWriteArrayList<>();

    private final Random random;
    private volatile String profileVersion = "v1.0.0";
    private volatile String profileText = "";
    private volatile @Nullable Finding noProfile;
    private TenantSettings settings = new EffectiveSettings(SettingsLayer.EMPTY, SettingsLayer.EMPTY).settings();
    private List<Finding> mistakes = List.of();
    private boolean paused;
    private String nodesCa = CA;
    private volatile List<NodeFetch> nodeFetch = List.of();
    private boolean mayGrant;
    private final AtomicInteger renderings = new AtomicInteger();
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

    /** What nodes get as the cluster's CA by the settings or the kubeconfig. */
    public void nodesCa(String pem) {
        nodesCa = pem;
        if (sync != null) {
            sync.inputs(inputs());
        }
    }

    /** How often anything was rendered. */
    public int renderings() {
        return renderings.get();
    }

    // The tenant

    public static String clusterInfo(String server) {
        return clusterInfo(server, CA);
    }

    /** @param authority empty for none */
    public static String clusterInfo(String server, String authority) {
        String kubeconfig = "clusters:\n- name: x\n  cluster:\n    server: " + server
                + (authority.isEmpty() ? "" : "\n    certificate-authority-data: " + base64(authority)) + "\n";
        ObjectNode object = FakeApiServer.JSON.createObjectNode();
        object.putObject("metadata").put("namespace", "kube-public").put("name", "cluster-info");
        object.putObject("data").put("kubeconfig", kubeconfig);
        return object.toString();
    }

    public static String secret(String namespace, String name, Map<String, String> data) {
        ObjectNode object = FakeApiServer.JSON.createObjectNode();
        object.putObject("metadata").put("namespace", namespace).put("name", name);
        ObjectNode values = object.putObject("data");
        data.forEach((key, value) -> values.put(key, base64(value)));
        return object.put("type", "Opaque").toString();
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(UTF_8));
    }

    /** A MachineDeployment with a revision, as machine-controller leaves it. */
    public void machineDeployment(String namespace, String name) {
        worker.put(
                Resource.MACHINE_DEPLOYMENTS,
                json(namespace, name, "osp-ubuntu", "1").toString(),
                "kubectl");
    }

    public static ObjectNode json(String namespace, String name, String profile, String revision) {
        ObjectNode object = FakeApiServer.JSON.createObjectNode();
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
            sync.profilesChanged(Set.of("osp-ubuntu"));
        }
    }

    public void noProfile(@Nullable Finding why) {
        noProfile = why;
        if (sync != null) {
            sync.profilesChanged(Set.of("osp-ubuntu"));
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

    /** The worker cluster grants what tokens of single MachineDeployments take, or it does not. */
    public void mayGrant(boolean may) {
        mayGrant = may;
        if (sync != null) {
            sync.mayGrant(may);
        }
    }

    /** What the profile can be fetched with. */
    public void nodeFetch(NodeFetch... ways) {
        nodeFetch = List.of(ways);
        if (sync != null) {
            sync.profilesChanged(Set.of("osp-ubuntu"));
        }
    }

    public void mistakes(List<Finding> some) {
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
        RenderInput.References references =
                new RenderInput.References(nodesCa, "", RegistryCredentials.NONE, null, Map.of());
        return new TenantInputs(
                TENANT, "x7f", "hub-1", settings, mistakes.isEmpty() ? references : null, mistakes, nodesCa, paused);
    }

    private ProfileCatalog.Lookup profile(MachineDeployment machineDeployment) {
        if (noProfile != null) {
            return new ProfileCatalog.Lookup.NotUsable(noProfile);
        }
        OperatingSystemProfile.Config bootstrap = config(
                "/opt/bin/bootstrap",
                "fetch {{ .SecretName }} with {{ .Token }} from {{ .ServerURL }}\n" + profileText);
        OperatingSystemProfile.Config provisioning = config(
                "/etc/kubernetes/bootstrap-kubelet.conf",
                "{{ .BootstrapKubeconfig }}\ndns {{ .ClusterDNSIPs }}\n" + profileText);
        return new ProfileCatalog.Lookup.Found(new RenderInput.Profile(
                "osm-profiles",
                "osp-ubuntu",
                PROFILES.of(new OperatingSystemProfile.Spec(
                        "ubuntu",
                        "24.04",
                        profileVersion,
                        List.of("aws", "edge", "openstack"),
                        "cloud-init",
                        TemplateLanguage.GO,
                        null,
                        nodeFetch,
                        bootstrap,
                        provisioning))));
    }

    private static OperatingSystemProfile.Config config(String path, String template) {
        return new OperatingSystemProfile.Config(
                List.of(),
                Map.of(),
                List.of(),
                List.of(new OperatingSystemProfile.File(path, 755, new OperatingSystemProfile.Inline(template, "b64"))),
                null);
    }

    // The hub

    public WorkerSync hub() {
        if (sync == null) {
            throw new AssertionError("no hub runs");
        }
        return sync;
    }

    /** A new hub process that serves the tenant. */
    public WorkerSync start() {
        WorkerSync created = create();
        created.start(worker);
        time.settle();
        return created;
    }

    /** A new hub process that has no connection to the worker cluster yet. */
    public WorkerSync create() {
        Surroundings around = new Surroundings(time, time, random);
        // What a run sends at once goes one after the other here.
        Runs.Tools tools = new Runs.Tools(
                new WorkQueue(time, time, random, 64),
                new Decider(Limits.DEFAULT, System::nanoTime, random),
                new RenderThreads(Runnable::run, 1, time::nanoTime),
                new SyncObserver() {
                    @Override
                    public void rendered(String engine, Duration took) {
                        renderings.incrementAndGet();
                    }
                },
                RunTracer.OFF,
                Runnable::run);
        return create(around, tools, configs);
    }

    /** A new hub process that runs on other things. */
    public WorkerSync create(Surroundings around, Runs.Tools tools, ConfigStore configStore) {
        WorkerSync started = new WorkerSync(
                inputs(),
                new WorkerSync.Tenant(
                        new Runs.Management(configStore, this::profile, List.of()),
                        (regarding, related, reason, action, message) -> managementEvents.add(reason),
                        new Listener()),
                new WorkerSync.Environment(around, tools, "replica-0"));
        started.mayGrant(mayGrant);
        sync = started;
        return started;
    }

    /** The process is gone in the middle of what it did; nothing of it goes on. */
    public void kill() {
        if (sync != null) {
            // Its connection ends with it, so the server forgets its watches.
            worker.breakWatches(ApiFailure.noAnswer(ApiFailure.Cause.CLOSED, "killed"));
        }
        sync = null;
        time.kill();
    }

    private final class Listener implements SyncListener {
        @Override
        public void statusChanged() {}

        @Override
        public void failed(ApiFailure failure) {
            failures.add(failure);
        }

        @Override
        public void recovered() {
            failures.clear();
        }
    }

    // What is there

    /** Value of a Secret of {@code cloud-init-settings}; null when there is none. */
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

    /** Requests to both clusters, Events apart. */
    public long requests() {
        return requests(worker) + requests(management);
    }

    private static long requests(FakeApiServer server) {
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
