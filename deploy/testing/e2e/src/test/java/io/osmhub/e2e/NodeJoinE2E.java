package io.osmhub.e2e;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.e2e.cluster.ApiResource;
import io.osmhub.e2e.cluster.Await;
import io.osmhub.e2e.cluster.CommandResult;
import io.osmhub.e2e.cluster.FreePort;
import io.osmhub.e2e.cluster.ManifestObjects;
import io.osmhub.e2e.cluster.RealCluster;
import io.osmhub.e2e.cluster.RealClusters;
import io.osmhub.e2e.cluster.ServerProcess;
import io.osmhub.e2e.node.FlatcarDisk;
import io.osmhub.e2e.node.NodeMirror;
import io.osmhub.e2e.node.VirtualMachine;
import io.osmhub.e2e.node.VirtualMachine.Route;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A virtual machine becomes a node with nothing but the user-data that the hub published: systemd, cloud-init, containerd, the kubelet and
 * kube-controller-manager, which signs its certificate, are real. It downloads from a mirror, as in an air-gapped cluster. Each test prints
 * the steps of its machine.
 */
@Tag(NodeJoinE2E.EMULATED)
final class NodeJoinE2E {
    /** Tag of tests that emulate a processor: minutes of processor time each. */
    static final String EMULATED = "emulated";

    @RegisterExtension
    static final RealClusters CLUSTERS = RealClusters.withNodes();

    private static final String MIRROR = "192.0.2.11";
    private static final Duration JOIN = Duration.ofMinutes(30);
    private static final ApiResource NODES = new ApiResource("", "v1", "nodes");
    private static final ApiResource REQUESTS =
            new ApiResource("certificates.k8s.io", "v1", "certificatesigningrequests");

    /** What an operator of nodes grants, as kubeadm and machine-controller do. */
    private static final Map<String, String> NODE_ROLES = Map.of(
            "system:node-bootstrapper", "system:bootstrappers:machine-controller:default-node-token",
            "system:certificates.k8s.io:certificatesigningrequests:nodeclient",
                    "system:bootstrappers:machine-controller:default-node-token",
            "system:certificates.k8s.io:certificatesigningrequests:selfnodeclient", "system:nodes");

    /** What a company adds to all nodes; one command succeeds at its third attempt. */
    private static final List<String> EXTENSIONS = List.of("""
            apiVersion: osmhub.io/v1alpha1
            kind: OperatingSystemProfileExtension
            metadata: {name: site, namespace: %s}
            spec:
              target: {operatingSystems: [debian, flatcar]}
              policy: Enforced
              provisioning:
                kubeletConfiguration: {maxPods: 42}
                files: [{path: /etc/sysctl.d/99-zz-site.conf, content: "vm.max_map_count = 262144\n"}]
                beforeCommands:
                - sysctl -q -p /etc/sysctl.d/99-zz-site.conf
                - test ! -e /var/lib/kubelet/kubeconfig
                - attempts=$(cat /etc/site-attempts || echo 0); echo $((attempts + 1)) > /etc/site-attempts; test "$attempts" -ge 2
            """, """
            apiVersion: osmhub.io/v1alpha1
            kind: OperatingSystemProfileExtension
            metadata: {name: site-bootstrap, namespace: %s}
            spec:
              target: {operatingSystems: [debian]}
              policy: Enforced
              bootstrap: {beforeCommands: [touch /etc/site-bootstrap]}
            """);

    /** Clients of the API server that are machines; one with an expired token has no name. */
    private static final Pattern MACHINES =
            Pattern.compile("system:(serviceaccount:" + RealTenant.SETTINGS + "|bootstrap|node):.*|system:anonymous|");

    private static final Pattern STEP = Pattern.compile(
            "(?m)^([0-9]+\\.[0-9]+) .*?: (fetching .*provisioning-config|osm .*(?:started|joined the cluster))$");

    /** Of the kubelet that is downloaded, for example {@code v1.34.2}, and the path of its URL. */
    private static String version;

    private static String kubelet;
    private static InstalledHub hub;
    private static int api;
    private static RealTenant tenant;
    private static NodeMirror mirror;
    private static ServerProcess controllers;

    @BeforeAll
    static void start() {
        assumeTrue(VirtualMachine.unavailableReason().isEmpty(), VirtualMachine::unavailableReason);
        Path folder = CLUSTERS.folder();
        Path programs = VirtualMachine.folder("kubernetes/programs");
        version = CommandResult.of(List.of(programs.resolve("kubelet").toString(), "--version"))
                .requireSuccess("kubelet --version")
                .replace("Kubernetes ", "");
        kubelet = "/kubernetes/" + version + "/bin/linux/amd64/kubelet";
        // crictl is of 1.34 whatever the kubelet's version.
        String tools = version.substring(0, version.lastIndexOf('.')) + ".0";
        mirror = NodeMirror.start(Map.of(
                kubelet,
                programs.resolve("kubelet"),
                "/cri-tools/%1$s/crictl-%1$s-linux-amd64.tar.gz".formatted(tools),
                programs.resolve("crictl.tgz"),
                "/cni/v1.9.1/cni-plugins-linux-amd64-v1.9.1.tgz",
                VirtualMachine.folder("vm-image").resolve("cni-plugins.tgz")));
        Path kubeconfig = RealTenant.prepareManagement(CLUSTERS.management(), folder);
        tenant = RealTenant.prepare("cluster-oak", CLUSTERS.management(), CLUSTERS.worker(1));
        RealCluster worker = tenant.worker();
        ManifestObjects.file(ShippedManifests.FOLDER.resolve("rbac-worker-scoped-fetch.yaml"))
                .forEach(worker.admin()::apply);
        NODE_ROLES.forEach((role, group) -> worker.admin().apply("""
                        apiVersion: rbac.authorization.k8s.io/v1
                        kind: ClusterRoleBinding
                        metadata: {name: "nodes:%1$s"}
                        roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: "%1$s"}
                        subjects: [{apiGroup: rbac.authorization.k8s.io, kind: Group, name: "%2$s"}]
                        """.formatted(role, group)));
        controllers = startControllers(folder, programs, worker);
        tenant.clusterInfo(
                ExampleObjects.clusterInfo("https://" + RealCluster.ADVERTISED + ":" + worker.port(), worker));
        api = FreePort.find();
        hub = InstalledHub.run(folder, kubeconfig, HubConfigurationText.withApi(api))
                .awaitReady();
        tenant.register().awaitSynced();
        tenant.storeProfile(profile("osp-debian"));
        tenant.storeProfile(profile("osp-flatcar"));
        EXTENSIONS.forEach(extension -> CLUSTERS.management().admin().apply(extension.formatted(tenant.namespace())));
        tenant.mergeSettings(
                "{provisioning: {airGapped: true, downloads: {kubernetes: %1$s/kubernetes, criTools: %1$s/cri-tools, cniPlugins: %1$s/cni}}}"
                        .formatted("http://" + MIRROR));
    }

    private static ServerProcess startControllers(Path folder, Path programs, RealCluster worker) {
        Path kubeconfig =
                InstalledHub.write(folder.resolve("controllers.kubeconfig"), worker.kubeconfig(worker.adminToken()));
        return ServerProcess.start(
                "kube-controller-manager",
                List.of(
                        programs.resolve("kube-controller-manager").toString(),
                        "--kubeconfig=" + kubeconfig,
                        "--controllers=certificatesigningrequest-approving-controller,certificatesigningrequest-signing-controller",
                        "--cluster-signing-cert-file=" + CLUSTERS.signer().certificateFile(),
                        "--cluster-signing-key-file=" + CLUSTERS.signer().keyFile(),
                        "--leader-elect=false",
                        "--bind-address=127.0.0.1",
                        "--secure-port=" + FreePort.find(),
                        "--cert-dir=" + folder.resolve("controllers")),
                Map.of(),
                folder.resolve("kube-controller-manager.log"));
    }

    @AfterAll
    static void stop() {
        for (AutoCloseable part : new AutoCloseable[] {hub, controllers, mirror}) {
            if (part != null) {
                try {
                    part.close();
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            }
        }
    }

    private static ObjectNode profile(String name) {
        return ManifestObjects.file(ShippedManifests.FOLDER.resolve("profiles/" + name + ".yaml"))
                .getFirst();
    }

    /** Creates a MachineDeployment for Debian and waits until new machines of it can start. */
    private static MachineDeploymentObjectNames publish(String name) {
        return publish(name, "debian", provider -> provider.put("cloudProvider", "baremetal")
                .putObject("cloudProviderSpec")
                .put("driver", "tinkerbell"));
    }

    private static MachineDeploymentObjectNames publish(
            String name, String operatingSystem, Consumer<ObjectNode> change) {
        ObjectNode machineDeployment = ExampleObjects.machineDeployment(name);
        ((ObjectNode) machineDeployment.path("metadata").path("annotations"))
                .put("k8c.io/operating-system-profile", "osp-" + operatingSystem);
        ObjectNode provider = (ObjectNode) machineDeployment.at("/spec/template/spec/providerSpec/value");
        ((ObjectNode) machineDeployment.at("/spec/template/spec/versions")).put("kubelet", version.substring(1));
        change.accept(provider.put("operatingSystem", operatingSystem));
        tenant.worker().admin().create(machineDeployment);
        MachineDeploymentObjectNames names = MachineDeploymentObjectNames.of(machineDeployment);
        Await.until(name + " has its secrets", JOIN, () -> names.secrets().stream()
                .allMatch(secret -> tenant.secret(secret).isPresent()));
        Await.until(name + " is published", JOIN, () -> why(names).code() == 0);
        return names;
    }

    /** Changes the profile, and waits until new machines would start with the change. */
    private static void changeProfile(MachineDeploymentObjectNames names, String version) {
        ObjectNode profile = profile("osp-debian");
        ObjectNode spec = (ObjectNode) profile.path("spec");
        spec.put("version", version);
        ((ArrayNode) spec.at("/provisioningConfig/files"))
                .addObject()
                .put("path", "/opt/osm/profile-version")
                .put("permissions", 644)
                .putObject("content")
                .putObject("inline")
                .put("data", version);
        tenant.storeProfile(profile);
        Await.until(version + " is published", JOIN, () -> {
            CommandResult answer = why(names);
            return answer.code() == 0 && answer.output().contains(version);
        });
    }

    private static CommandResult why(MachineDeploymentObjectNames names) {
        return InstalledHub.why(CLUSTERS.management(), api, tenant.namespace(), names.namespace() + "/" + names.name());
    }

    private static String userData(MachineDeploymentObjectNames names) {
        return ManifestObjects.value(tenant.secret(names.bootstrap()).orElseThrow(), "cloud-config");
    }

    /** A machine that starts as machine-controller would start it. */
    private static VirtualMachine machine(String name, String userData) {
        return VirtualMachine.create(CLUSTERS.folder(), name, userData.replace("<MACHINE_NAME>", name), routes());
    }

    private static List<Route> routes() {
        int port = tenant.worker().port();
        return List.of(new Route(RealCluster.ADVERTISED, port, port), new Route(MIRROR, 80, mirror.port()));
    }

    private static JsonNode awaitReady(String node) {
        return Await.awaitPresent(
                node + " is ready",
                JOIN,
                () -> tenant.worker().admin().find(NODES.named(node)).filter(found -> found.at("/status/conditions")
                        .valueStream()
                        .anyMatch(condition -> condition.path("type").asText().equals("Ready")
                                && condition.path("status").asText().equals("True"))));
    }

    /** Requests for client certificates of kubelets, the newest last. */
    private static List<JsonNode> certificateRequests() {
        return tenant.worker().admin().list(REQUESTS.all()).stream()
                .filter(request ->
                        request.at("/spec/signerName").asText().equals("kubernetes.io/kube-apiserver-client-kubelet"))
                .sorted(Comparator.comparing(
                        request -> request.at("/metadata/creationTimestamp").asText()))
                .toList();
    }

    /** Checksums of what the profile wrote. */
    private static String written(VirtualMachine machine) {
        return machine.output("find /etc/osm /opt /etc/kubernetes /etc/containerd /etc/systemd /etc/sysctl.d -type f"
                + " -exec sha256sum {} + | sort -k 2");
    }

    /** Waits for the end of the boot; no unit and no module of cloud-init has failed. */
    private static void assertBooted(VirtualMachine machine) {
        assertNoFailedUnit(machine);
        assertThat(machine.output("cat /run/cloud-init/result.json")).contains("\"errors\": []");
    }

    /** Waits for the end of the boot. */
    private static void assertNoFailedUnit(VirtualMachine machine) {
        machine.run("systemctl is-system-running --wait");
        assertThat(machine.output("systemctl --failed --no-legend --plain")).isEmpty();
    }

    /** HTTP status that a machine gets for a secret with the token that it has. */
    private static String statusOf(VirtualMachine machine, String secret) {
        return machine.output(
                "cd /etc/osm && sed /^-/Q access | curl -sS -K- -o /dev/null -w '%%{http_code}' https://%s:%d/api/v1/namespaces/%s/secrets/%s"
                        .formatted(RealCluster.ADVERTISED, tenant.worker().port(), RealTenant.SETTINGS, secret));
    }

    /** One request: to which server, and what for. */
    private record Request(Instant at, String text) {}

    /**
     * Prints the steps of a machine until it joined: when each began, how long it took, and what was requested meanwhile.
     *
     * @param begun what this test did, and when
     */
    private static void printTranscript(VirtualMachine machine, Map<Instant, String> begun, long mark, Instant ready) {
        TreeMap<Instant, String> steps = new TreeMap<>(begun);
        Instant powerOn = steps.firstKey();
        Matcher line = STEP.matcher(machine.output("journalctl -u bootstrap -u setup -o short-unix --no-pager"));
        while (line.find()) {
            steps.put(
                    Instant.ofEpochMilli((long) (Double.parseDouble(line.group(1)) * 1000)),
                    line.group(2).replaceFirst("https://.*/", ""));
        }
        steps.put(ready, "Node is Ready");
        List<Request> requests = Stream.concat(
                        mirror.requests().stream()
                                .map(request -> new Request(request.at(), "mirror " + request.path())),
                        tenant
                                .worker()
                                .audit()
                                .since(mark, entry -> MACHINES.matcher(entry.user())
                                        .matches())
                                .stream()
                                .map(entry -> new Request(
                                        entry.at(),
                                        "kube-apiserver " + entry.verb() + " " + entry.resource()
                                                + (entry.resource().equals("secrets") ? "/" + entry.name() : "") + " "
                                                + entry.code())))
                .toList();
        StringBuilder text =
                new StringBuilder("%s: seconds since power-on, duration, step, requests%n".formatted(machine.name()));
        steps.forEach((at, step) -> {
            Instant next = steps.higherKey(at);
            Instant end = next == null ? at : next;
            text.append("%8.1f %8.1f  %s%n".formatted(seconds(powerOn, at), seconds(at, end), step));
            requests.stream()
                    .filter(request ->
                            !request.at().isBefore(at) && request.at().isBefore(end))
                    .collect(groupingBy(Request::text, LinkedHashMap::new, counting()))
                    .forEach((request, count) -> text.append("%20s%d x %s%n".formatted("", count, request)));
        });
        System.out.printf(
                "%s%14d s of processor time until now%n",
                text, machine.processorTime().toSeconds());
    }

    private static double seconds(Instant from, Instant to) {
        return Duration.between(from, to).toMillis() / 1000.0;
    }

    @Test
    void aMachineJoinsAndStaysAsItIsAfterAReboot() {
        String userData = userData(publish("oak-1"));
        int earlier = certificateRequests().size();
        long start = tenant.worker().audit().position();
        Instant powerOn = Instant.now();
        try (VirtualMachine machine = machine("oak-1", userData)) {
            machine.boot().awaitConsole("this machine has joined the cluster", JOIN);
            JsonNode node = awaitReady("oak-1");
            Instant ready = Instant.now();
            assertJoined(machine, node);
            assertThat(machine.output("ls /etc/site-bootstrap")).isEqualTo("/etc/site-bootstrap");
            assertThat(certificateRequests()).hasSize(earlier + 1);
            assertBooted(machine);
            assertThat(machine.output("ls -1 /opt/osm/steps").lines().toList())
                    .isNotEmpty()
                    .allSatisfy(step -> assertThat(machine.console()).contains("osm " + step + ": started"));
            printTranscript(machine, Map.of(powerOn, "power-on"), start, ready);
            assertThat(mirror.requests()).extracting(NodeMirror.Request::path).contains(kubelet, kubelet + ".sha256");

            assertStaysAfterReboot(machine, node);
            assertBooted(machine);
            System.out.printf(
                    "%s: second boot until Ready: %d s of processor time%n",
                    machine.name(), machine.processorTime().toSeconds());
            machine.powerOff();
        }
    }

    /** A machine in the role of Flatcar. It boots twice: Ignition writes the first document, and then what the first boot fetched. */
    @Test
    void aMachineJoinsWithWhatIgnitionWrote() throws IOException {
        String bootstrap = userData(publish("pine-1", "flatcar", provider -> {
            provider.put("cloudProvider", "openstack")
                    .putObject("cloudProviderSpec")
                    .put("region", "one");
            provider.putObject("operatingSystemSpec").put("disableAutoUpdate", true);
        }));
        int earlier = certificateRequests().size();
        long start = tenant.worker().audit().position();
        FlatcarDisk disk = FlatcarDisk.create(CLUSTERS.folder(), "pine-1", bootstrap);
        Instant powerOn = Instant.now();
        try (VirtualMachine machine = VirtualMachine.create(CLUSTERS.folder(), "pine-1", disk, routes())) {
            machine.powerOn();
            machine.awaitOff(JOIN);
            Instant fetched = Instant.now();
            disk.applyNextDocument();
            Instant secondBoot = Instant.now();
            machine.boot().awaitConsole("this machine has joined the cluster", JOIN);
            JsonNode node = awaitReady("pine-1");
            Instant ready = Instant.now();
            assertJoined(machine, node);
            assertThat(certificateRequests()).hasSize(earlier + 1);
            assertThat(machine.output("ls /etc/systemd/system")).doesNotContain("bootstrap.service");
            assertThat(machine.output("stat -c %a /usr/share/oem/config.ign")).isEqualTo("600");
            assertThat(machine.run("systemctl is-enabled update-engine locksmithd")
                            .output())
                    .isEqualTo("masked\nmasked");
            assertNoFailedUnit(machine);
            printTranscript(
                    machine,
                    Map.of(powerOn, "power-on", fetched, "Ignition writes what was fetched", secondBoot, "second boot"),
                    start,
                    ready);

            assertStaysAfterReboot(machine, node);
            assertNoFailedUnit(machine);
            machine.powerOff();
        }
    }

    /** What extensions add was done before the kubelet started, and a command that failed was repeated and named on the console. */
    private static void assertExtended(VirtualMachine machine, JsonNode node) {
        assertThat(machine.console()).contains("osm 05-T0500-site: failed");
        assertThat(machine.output("cat /etc/site-attempts")).isEqualTo("3");
        assertThat(machine.output("cat /proc/sys/vm/max_map_count")).isEqualTo("262144");
        assertThat(node.at("/status/capacity/pods").asText()).isEqualTo("42");
    }

    /** The node runs the published version, and no credential that the machine started with is left where it was used. */
    private static void assertJoined(VirtualMachine machine, JsonNode node) {
        assertExtended(machine, node);
        assertThat(node.at("/status/nodeInfo/kubeletVersion").asText()).isEqualTo(version);
        assertThat(machine.output("ls /etc/osm /etc/kubernetes")).doesNotContain("access", "bootstrap-kubelet.conf");
    }

    /** Reboots a node: no file changes, no step runs, and it is the same node without another certificate. */
    private static void assertStaysAfterReboot(VirtualMachine machine, JsonNode node) {
        String before = written(machine);
        int certificates = certificateRequests().size();
        machine.powerOff();
        long mark = tenant.worker().audit().position();
        machine.boot();
        machine.output("until curl -fs http://127.0.0.1:10248/healthz; do sleep 2; done");
        assertThat(written(machine)).isEqualTo(before);
        assertThat(machine.console()).doesNotContain("osm 10-system");
        assertThat(certificateRequests()).hasSize(certificates);
        Await.until(
                "the node reports itself after the reboot",
                JOIN,
                () -> tenant.worker().audit().since(mark, "system:node:" + machine.name()).stream()
                        .anyMatch(entry -> entry.verb().equals("patch")));
        assertThat(awaitReady(machine.name()).at("/metadata/uid")).isEqualTo(node.at("/metadata/uid"));
    }

    /** One machine meets all faults, one after the other; what {@code hub why} answers for each is in docs/how-to/use-profiles.md. */
    @Test
    @Tag(RealClusters.BY_NAME)
    void aMachineJoinsOnceEachFaultOnItsWayIsRepaired() {
        RealCluster worker = tenant.worker();
        MachineDeploymentObjectNames names = publish("oak-2");
        MachineDeploymentObjectNames others = publish("oak-3");
        String userData = userData(names);
        String token = NodeBootE2E.token(userData);
        Instant now = Instant.now();
        String expired = worker.withLife(token, now.minus(Duration.ofHours(4)), now.minus(Duration.ofMinutes(2)));
        // It is refused for its time alone.
        assertThat(worker.client(worker.withLife(token, now, now.plus(Duration.ofHours(1))))
                        .allowed(ApiResource.SECRETS.in(RealTenant.SETTINGS, names.provisioning())))
                .isTrue();
        mirror.damage(kubelet);
        long start = worker.audit().position();
        Instant powerOn = Instant.now();
        try (VirtualMachine machine = machine("oak-2", userData.replace(token, expired))) {
            // The fetch token expired before the machine started: it waits, and new machines start with a valid one.
            machine.boot().awaitConsole("error: 401", JOIN);
            assertThat(why(names).output()).contains("ok      Bootstrap token");

            // The profile changes before the machine fetches: it gets the change.
            changeProfile(names, "v1.1.1");
            machine.output("sed -i 's/Bearer [^\"]*/Bearer " + token + "/' /etc/osm/access");

            // A download that differs from its checksum is not installed.
            machine.awaitConsole("osm 50-binaries: failed", JOIN);
            assertThat(machine.console()).contains("is damaged or not what was published");
            machine.output("test ! -e /opt/bin/kubelet");
            assertThat(why(names).code()).isZero();

            // The token of a machine reads its own secrets, and none of another MachineDeployment.
            for (String secret : List.of(names.provisioning(), names.kubeletBootstrap())) {
                assertThat(statusOf(machine, secret)).as(secret).isEqualTo("200");
            }
            for (String secret : others.secrets()) {
                assertThat(statusOf(machine, secret)).as(secret).isEqualTo("403");
            }
            for (MachineDeploymentObjectNames each : List.of(names, others)) {
                assertThat(why(each).code()).as(each.name()).isZero();
            }

            // The profile changes after the machine has fetched: it continues with what it has.
            changeProfile(names, "v1.1.2");

            // The bootstrap token of the kubelet expires before use: the hub extends it.
            for (JsonNode issued : tenant.bootstrapTokens(names)) {
                worker.admin()
                        .merge(
                                ApiResource.SECRETS.in("kube-system", ManifestObjects.name(issued)),
                                "{stringData: {expiration: '2020-01-01T00:00:00Z'}}");
            }
            Await.until("the token is valid again", JOIN, () -> tenant.bootstrapTokens(names).stream()
                    .anyMatch(issued -> isPublished(names, issued) && isValid(issued)));
            assertThat(why(names)).returns(0, CommandResult::code).satisfies(answer -> assertThat(answer.output())
                    .contains("ok      Bootstrap token"));

            // The API server is unavailable for a minute, in which the machine needs it.
            worker.stop();
            Instant stopped = Instant.now();
            mirror.damage("");
            machine.awaitConsole("osm 90-join: failed", JOIN);
            assertThat(machine.console()).contains("no answer that can be used");
            Await.until(
                    "hub why names the cause", JOIN, () -> why(names).output().contains("WorkerClusterUnreachable"));
            assertThat(why(names).output()).contains("BROKEN  Worker connection");
            Await.until("a minute has passed", JOIN, () -> Instant.now().isAfter(stopped.plusSeconds(60)));
            worker.resume();

            machine.awaitConsole("this machine has joined the cluster", JOIN);
            awaitReady("oak-2");
            printTranscript(machine, Map.of(powerOn, "power-on"), start, Instant.now());
            assertThat(machine.output("cat /opt/osm/profile-version")).isEqualTo("v1.1.1");
            assertBooted(machine);
            String requester =
                    certificateRequests().getLast().at("/spec/username").asText();
            assertThat(tenant.bootstrapTokens(names))
                    .filteredOn(
                            issued -> requester.equals("system:bootstrap:" + ManifestObjects.value(issued, "token-id")))
                    .hasSize(1)
                    .allMatch(NodeJoinE2E::isValid);
            machine.powerOff();
        }
    }

    private static boolean isValid(JsonNode bootstrapToken) {
        return Instant.parse(ManifestObjects.value(bootstrapToken, "expiration"))
                .isAfter(Instant.now());
    }

    /** Whether machines of the MachineDeployment fetch a kubeconfig with this token. */
    private static boolean isPublished(MachineDeploymentObjectNames names, JsonNode bootstrapToken) {
        return ManifestObjects.value(tenant.secret(names.kubeletBootstrap()).orElseThrow(), "kubeconfig")
                .contains(ManifestObjects.value(bootstrapToken, "token-id"));
    }
}
