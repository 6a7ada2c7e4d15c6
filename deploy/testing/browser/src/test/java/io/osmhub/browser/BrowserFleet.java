package io.osmhub.browser;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.browser.devtools.BrowserTab;
import io.osmhub.core.userdata.UserDataSize;
import io.osmhub.demo.stage.MachineDeploymentName;
import io.osmhub.demo.stage.MachineFlavor;
import io.osmhub.demo.stage.SimulatedFleet;
import io.osmhub.demo.stage.SimulatedFleet.SimulatedTenant;
import io.osmhub.deploy.config.ConfigurationLoader;
import io.osmhub.deploy.config.ConfigurationSources;
import io.osmhub.deploy.config.HubConfiguration;
import io.osmhub.deploy.run.HubService;
import io.osmhub.sim.SimulatedCluster;
import io.osmhub.sim.SimulationOptions;
import io.osmhub.sim.auth.Authorizer;
import io.osmhub.sim.objects.JsonTrees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.awaitility.Awaitility;

/** A real hub with a fleet of healthy and broken tenants. */
final class BrowserFleet implements AutoCloseable {
    /** Tenant namespace used by most tests. */
    static final String SHOP = "tenant-shop";

    /** A malicious text that an annotation may contain. */
    static final String HOSTILE = "<img src=x onerror=window.hacked=1>\u202Egpj.exe\u0000";

    /** Name of a MachineDeployment of tenant-locked: of the maximum length, without a break opportunity. */
    static final String LONGEST_NAME = "m" + "abcdefghij".repeat(25) + "zz";

    private static final String PROFILE_API = "operatingsystemmanager.k8c.io/v1alpha1";
    private static final Duration LONGEST = Duration.ofMinutes(2);

    private final Path folder;
    private final SimulatedFleet stage;
    private final SimulatedTenant shop;
    private final HubService hub;
    private final int port;

    BrowserFleet() throws Exception {
        folder = Files.createTempDirectory("osm-hub-scene");
        stage = SimulatedFleet.build(SimulationOptions.defaults().withAuthorization(Authorizer.Mode.RBAC));
        profiles();
        shop = stage.addTenant(SHOP, "shop");
        SimulatedTenant dark = stage.addTenant("tenant-dark", "edge-042");
        SimulatedTenant locked = stage.addTenant("tenant-locked", "sandbox");
        SimulatedTenant plain =
                stage.addTenant("tenant-plain", "search-index-ap-southeast-1-replica-of-eu-central-1-b");
        for (SimulatedTenant tenant : List.of(shop, dark, locked, plain)) {
            tenant.cluster().startMachineController(Duration.ofMillis(50));
            stage.register(tenant);
            create(tenant, "workers-a", MachineFlavor.UBUNTU_ON_AWS);
        }
        create(plain, "workers-b", MachineFlavor.FLATCAR_ON_OPENSTACK);
        create(locked, LONGEST_NAME, MachineFlavor.FLATCAR_ON_OPENSTACK);
        for (MachineDeploymentFault situation : MachineDeploymentFault.values()) {
            ObjectNode md = good(situation.machineDeployment(), MachineFlavor.UBUNTU_ON_AWS);
            situation.applyTo(md);
            shop.objects().create(md);
        }
        ObjectNode hostile = good("hostile", MachineFlavor.UBUNTU_ON_AWS);
        MachineDeploymentFault.annotate(hostile, "k8c.io/operating-system-profile", HOSTILE);
        shop.objects().create(hostile);
        HubConfiguration configuration = configuration();
        hub = HubService.run(configuration, false, "osm-hub-0");
        port = hub.listenForCallers(configuration.api().address().orElseThrow());
        awaitCondition(
                "the tenants are connected", () -> stage.tenants().stream().allMatch(this::synced));
        dark.cluster().faults().refuseConnections(true);
        dark.cluster().faults().closeConnections();
        stage.expireCredential(locked);
    }

    /** Address of a page. */
    String at(String path) {
        return "https://localhost:" + port + path;
    }

    /** The page of one of the shop's MachineDeployments. */
    String machineDeployment(String name) {
        return at("/tenants/" + SHOP + "/machine-deployments/kube-system/" + name);
    }

    SimulatedCluster management() {
        return stage.management();
    }

    SimulatedTenant shop() {
        return shop;
    }

    /** A token with all permissions. */
    String adminToken() {
        return stage.management().adminToken();
    }

    /** A read-only token for the shop's namespace. */
    String ownerToken() {
        String owner = "shop-owner";
        String roles = "rbac.authorization.k8s.io";
        ObjectNode role = named(roles + "/v1", "Role", owner);
        ObjectNode rule = role.putArray("rules").addObject();
        rule.putArray("apiGroups").add("osmhub.io").add("operatingsystemmanager.k8c.io");
        rule.putArray("resources").add("*");
        rule.putArray("verbs").add("get").add("list").add("watch");
        stage.management().objects().createIfAbsent(role);
        ObjectNode binding = named(roles + "/v1", "RoleBinding", owner);
        binding.putObject("roleRef").put("apiGroup", roles).put("kind", "Role").put("name", owner);
        binding.putArray("subjects")
                .addObject()
                .put("apiGroup", roles)
                .put("kind", "User")
                .put("name", owner);
        stage.management().objects().createIfAbsent(binding);
        return stage.management().tokenFor(owner);
    }

    /** A valid kubeconfig of a tenant's worker cluster, which the hub does not have. */
    String newKubeconfig(String namespace) {
        return stage.tenants().stream()
                .filter(tenant -> tenant.namespace().equals(namespace))
                .findFirst()
                .orElseThrow()
                .cluster()
                .kubeconfig("another-administrator", "system:masters");
    }

    private static ObjectNode named(String apiVersion, String kind, String name) {
        ObjectNode object = JsonTrees.object().put("apiVersion", apiVersion).put("kind", kind);
        object.putObject("metadata").put("namespace", SHOP).put("name", name);
        return object;
    }

    /** Sets the profile annotation of one of the shop's MachineDeployments. */
    void useProfile(MachineDeploymentFault situation, String profile) {
        annotate(situation.machineDeployment(), "k8c.io/operating-system-profile", profile);
    }

    /** Sets an annotation of one of the shop's MachineDeployments. */
    void annotate(String machineDeployment, String key, String value) {
        shop.objects()
                .patch(
                        "cluster.k8s.io/v1alpha1",
                        "MachineDeployment",
                        "kube-system",
                        machineDeployment,
                        "{\"metadata\":{\"annotations\":{\"" + key + "\":\"" + value + "\"}}}");
    }

    /** Creates an extension of the example profile in the shop's namespace. {@code file} is a JSON object. */
    void extend(String name, String policy, String file) {
        stage.management().objects().create("""
                        {"apiVersion":"osmhub.io/v1alpha1","kind":"OperatingSystemProfileExtension",
                        "metadata":{"namespace":"%s","name":"%s"},
                        "spec":{"target":{"profiles":["osp-example"]},"policy":"%s",
                        "provisioning":{"files":[%s]}}}""".formatted(SHOP, name, policy, file));
    }

    void removeExtension(String name) {
        stage.management().objects().delete("osmhub.io/v1alpha1", "OperatingSystemProfileExtension", SHOP, name);
    }

    /** Adds configurations of a tenant to the management cluster, as left by a previous hub. */
    void addConfigurations(String namespace, int number) {
        ObjectNode one = stage.management().objects().list(PROFILE_API, "OperatingSystemConfig", SHOP).stream()
                .filter(osc -> osc.at("/metadata/name").asText().startsWith("workers-a"))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("nothing published yet"));
        ObjectNode metadata = one.withObject("/metadata");
        metadata.put("namespace", namespace);
        metadata.remove(List.of("uid", "resourceVersion", "creationTimestamp", "managedFields", "ownerReferences"));
        String pattern = one.toString();
        for (int at = 0; at < number; at++) {
            stage.management().objects().create(pattern.replace("workers-a", "row-%05d".formatted(at)));
        }
    }

    /** Registers a tenant whose worker cluster is unreachable. */
    void addUnreachableTenant(String namespace, String workerCluster) {
        SimulatedTenant tenant = stage.addTenant(namespace, workerCluster);
        tenant.cluster().faults().refuseConnections(true);
        stage.register(tenant);
    }

    private void create(SimulatedTenant tenant, String name, MachineFlavor recipe) {
        tenant.objects().create(good(name, recipe));
    }

    private static ObjectNode good(String name, MachineFlavor recipe) {
        return recipe.machineDeployment(new MachineDeploymentName("kube-system", name), 2);
    }

    /** Profiles with one mistake each. */
    private void profiles() {
        profile("osp-typo", "{{ toYamll . }}");
        profile("osp-fails", "{{ .NoSuchValue.Deeper }}");
        profile("osp-large", UserDataSize.standIn(40_000).reveal());
    }

    private void profile(String name, String content) {
        ObjectNode profile = stage.management()
                .objects()
                .get(PROFILE_API, "OperatingSystemProfile", SimulatedFleet.PROFILES, "osp-example")
                .orElseThrow();
        profile.withObject("/metadata").remove(List.of("uid", "resourceVersion", "creationTimestamp", "managedFields"));
        profile.withObject("/metadata").put("name", name);
        ArrayNode files = profile.withObject("/spec/bootstrapConfig").withArray("/files");
        ObjectNode file = files.addObject().put("path", "/etc/" + name);
        file.withObject("/content/inline").put("data", content);
        stage.management().objects().create(profile);
    }

    private boolean synced(SimulatedTenant tenant) {
        return stage.management()
                .objects()
                .get("osmhub.io/v1alpha1", "WorkerCluster", tenant.namespace(), tenant.workerCluster())
                .map(found -> List.of("Synced", "Degraded")
                        .contains(found.at("/status/state").asText()))
                .orElse(false);
    }

    /** Waits until every fault is shown and everything else is published, so that pages do not change any more. */
    void awaitSettled(BrowserTab tab) {
        tab.awaitCondition("""
                fetch('/api/v1/machine-deployments?limit=100').then((reply) => reply.json()).then(({items}) =>
                    items.length >= %d && items.every((md) => md.newNodes !== 'Pending')
                    && items.filter((md) => md.newNodes === 'AtRisk').length >= 2)
                """.formatted(MachineDeploymentFault.values().length + 7));
        tab.awaitCondition("""
                fetch('/api/v1/worker-clusters?limit=100').then((reply) => reply.json()).then(({items}) =>
                    items.filter((cluster) => ['Unreachable', 'Unauthorized'].includes(cluster.state)).length >= 2)
                """);
    }

    private HubConfiguration configuration() throws IOException {
        Path kubeconfig = folder.resolve("kubeconfig");
        Files.writeString(kubeconfig, stage.management().kubeconfig());
        Path file = folder.resolve("hub.yaml");
        Files.writeString(file, """
                apiVersion: config.osmhub.io/v1alpha1
                kind: HubConfiguration
                management:
                  kubeconfig: "%s"
                kubeconfigPolicy:
                  allow: [Loopback]
                replicas: {mode: Single}
                api:
                  address: "127.0.0.1:0"
                  # The audience that simulated clusters make tokens for.
                  audiences: ["https://kubernetes.default.svc.cluster.local"]
                  rateLimit: {requestsPerMinute: 60000, burst: 5000}
                  # Nothing listens there.
                  oidc: {issuer: "https://localhost:1/realms/example", clientId: osm-hub,
                    redirectURL: "https://localhost/signin/oidc/callback"}
                webhooks: {address: ""}
                health: {address: "127.0.0.1:0"}
                metrics: {address: "127.0.0.1:0"}
                log: {format: console}
                """.formatted(kubeconfig));
        ConfigurationSources sources =
                new ConfigurationSources(file.toString(), ConfigurationSources.USUAL_FILE, Map.of(), List.of());
        return switch (ConfigurationLoader.load(sources)) {
            case ConfigurationLoader.Result.Loaded loaded -> loaded.effective().configuration();
            case ConfigurationLoader.Result.Refused refused ->
                throw new IllegalStateException("the scene's configuration is invalid: " + refused.mistakes());
        };
    }

    static void awaitCondition(String what, BooleanSupplier condition) {
        Awaitility.await(what).pollInSameThread().atMost(LONGEST).until(condition::getAsBoolean);
    }

    @Override
    public void close() throws IOException {
        hub.close();
        stage.close();
        List<Path> files = new ArrayList<>();
        try (var walk = Files.walk(folder)) {
            walk.forEach(files::add);
        }
        for (Path file : files.reversed()) {
            Files.delete(file);
        }
    }
}
