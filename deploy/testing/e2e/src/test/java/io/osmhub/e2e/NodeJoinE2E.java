package io.osmhub.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.e2e.cluster.ApiResource;
import io.osmhub.e2e.cluster.Await;
import io.osmhub.e2e.cluster.FreePort;
import io.osmhub.e2e.cluster.ManifestObjects;
import io.osmhub.e2e.cluster.RealCluster;
import io.osmhub.e2e.cluster.RealClusters;
import io.osmhub.e2e.cluster.ServerProcess;
import io.osmhub.e2e.node.NodeMirror;
import io.osmhub.e2e.node.VirtualMachine;
import io.osmhub.e2e.node.VirtualMachine.Route;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A virtual machine becomes a node with nothing but the user-data that the hub published: systemd, cloud-init, containerd and the kubelet
 * are real, and so is who signs its certificate. What it downloads comes from a mirror, as in an air-gapped cluster.
 */
@Tag(NodeJoinE2E.EMULATED)
final class NodeJoinE2E {
    /** Tag of tests that emulate a processor: minutes of processor time each. */
    static final String EMULATED = "emulated";

    @RegisterExtension
    static final RealClusters CLUSTERS = RealClusters.withNodes();

    private static final String VERSION = "v1.34.2";
    private static final String KUBELET = "/kubernetes/" + VERSION + "/bin/linux/amd64/kubelet";
    private static final String MIRROR = "192.0.2.11";
    private static final Duration JOIN = Duration.ofMinutes(15);
    private static final ApiResource NODES = new ApiResource("", "v1", "nodes");
    private static final ApiResource REQUESTS =
            new ApiResource("certificates.k8s.io", "v1", "certificatesigningrequests");

    /** What an operator of nodes grants, as kubeadm and machine-controller do. */
    private static final Map<String, String> NODE_ROLES = Map.of(
            "system:node-bootstrapper", "system:bootstrappers:machine-controller:default-node-token",
            "system:certificates.k8s.io:certificatesigningrequests:nodeclient",
                    "system:bootstrappers:machine-controller:default-node-token",
            "system:certificates.k8s.io:certificatesigningrequests:selfnodeclient", "system:nodes");

    private static InstalledHub hub;
    private static RealTenant tenant;
    private static NodeMirror mirror;
    private static ServerProcess controllers;

    @BeforeAll
    static void start() {
        assumeTrue(VirtualMachine.unavailableReason().isEmpty(), VirtualMachine::unavailableReason);
        Path folder = CLUSTERS.folder();
        Path programs = VirtualMachine.folder("kubernetes/programs");
        mirror = NodeMirror.start(Map.of(
                KUBELET,
                programs.resolve("kubelet"),
                "/cri-tools/v1.34.0/crictl-v1.34.0-linux-amd64.tar.gz",
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
        tenant.fetchToken(worker.token(RealTenant.SETTINGS, "cloud-init-getter"));
        tenant.clusterInfo(
                ExampleObjects.clusterInfo("https://" + RealCluster.ADVERTISED + ":" + worker.port(), worker));
        hub = InstalledHub.run(folder, kubeconfig, HubConfigurationText.FOR_TESTS)
                .awaitReady();
        tenant.register().awaitSynced();
        tenant.storeProfile(ManifestObjects.file(ShippedManifests.FOLDER.resolve("profiles/osp-debian.yaml"))
                .getFirst());
        String base = "http://" + MIRROR;
        tenant.mergeSettings(
                "{provisioning: {airGapped: true, downloads: {kubernetes: %1$s/kubernetes, criTools: %1$s/cri-tools, cniPlugins: %1$s/cni}}}"
                        .formatted(base));
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

    /** Publishes a MachineDeployment and returns a machine that starts as machine-controller would start it. */
    private static VirtualMachine machine(String name) {
        ObjectNode machineDeployment = ExampleObjects.machineDeployment(name);
        ((ObjectNode) machineDeployment.path("metadata").path("annotations"))
                .put("k8c.io/operating-system-profile", "osp-debian");
        ObjectNode provider = (ObjectNode) machineDeployment.at("/spec/template/spec/providerSpec/value");
        provider.put("operatingSystem", "debian").put("cloudProvider", "baremetal");
        provider.putObject("cloudProviderSpec").put("driver", "tinkerbell");
        tenant.worker().admin().create(machineDeployment);
        MachineDeploymentObjectNames names = MachineDeploymentObjectNames.of(machineDeployment);
        Await.until(name + " is published", () -> tenant.osc(names.osc()).isPresent());
        String userData = ManifestObjects.value(tenant.secret(names.bootstrap()).orElseThrow(), "cloud-config");
        return VirtualMachine.create(
                CLUSTERS.folder(),
                name,
                userData.replace("<MACHINE_NAME>", name),
                List.of(
                        new Route(
                                RealCluster.ADVERTISED,
                                tenant.worker().port(),
                                tenant.worker().port()),
                        new Route(MIRROR, 80, mirror.port())));
    }

    private static void awaitReady(String node) {
        Await.until(node + " is ready", JOIN, () -> tenant.worker().admin().find(NODES.named(node)).stream()
                .flatMap(found -> found.at("/status/conditions").valueStream())
                .anyMatch(condition -> condition.path("type").asText().equals("Ready")
                        && condition.path("status").asText().equals("True")));
    }

    private static List<String> certificateRequests() {
        return tenant.worker().admin().list(REQUESTS.all()).stream()
                .filter(request ->
                        request.at("/spec/signerName").asText().equals("kubernetes.io/kube-apiserver-client-kubelet"))
                .map(ManifestObjects::name)
                .toList();
    }

    /** Checksums of what the profile wrote. */
    private static String written(VirtualMachine machine) {
        return machine.output("find /etc/osm /opt /etc/kubernetes /etc/containerd /etc/systemd /etc/sysctl.d -type f"
                + " -exec sha256sum {} + | sort -k 2");
    }

    @Test
    void joinsAndStaysAsItIsAfterAReboot() {
        List<String> earlier = certificateRequests();
        try (VirtualMachine machine = machine("oak-1")) {
            machine.boot().awaitConsole("this machine has joined the cluster", JOIN);
            awaitReady("oak-1");
            JsonNode node = tenant.worker().admin().get(NODES.named("oak-1"));
            assertThat(node.at("/status/nodeInfo/kubeletVersion").asText()).isEqualTo(VERSION);
            assertThat(certificateRequests()).hasSize(earlier.size() + 1);

            // No credential that the machine started with is left where it was used.
            assertThat(machine.output("ls /etc/osm /etc/kubernetes"))
                    .doesNotContain("access", "bootstrap-kubelet.conf");
            assertThat(machine.output("systemctl --failed --no-legend --plain")).isEmpty();
            machine.output("cloud-init status --wait");
            assertThat(machine.output("journalctl -u bootstrap -u setup -o short-monotonic --no-pager"))
                    .contains("osm 10-system: started", "osm 90-join: started");
            assertThat(mirror.requests()).contains(KUBELET, KUBELET + ".sha256");

            String before = written(machine);
            machine.powerOff();
            long mark = tenant.worker().audit().position();
            machine.boot();
            machine.output("systemctl is-system-running --wait || true");
            Await.until(
                    "the kubelet runs again",
                    JOIN,
                    () -> machine.run("curl -fs http://127.0.0.1:10248/healthz").code() == 0);
            assertThat(written(machine)).isEqualTo(before);
            assertThat(machine.output("systemctl --failed --no-legend --plain")).isEmpty();
            assertThat(machine.console()).doesNotContain("osm 10-system");
            assertThat(certificateRequests()).hasSize(earlier.size() + 1);
            Await.until(
                    "the node reports itself after the reboot",
                    JOIN,
                    () -> tenant.worker().audit().since(mark, "system:node:oak-1").stream()
                            .anyMatch(entry -> entry.verb().equals("patch")));
            assertThat(tenant.worker().admin().get(NODES.named("oak-1")).at("/metadata/uid"))
                    .isEqualTo(node.at("/metadata/uid"));
            machine.powerOff();
        }
    }

    @Test
    void waitsOutADamagedDownloadAndAnApiServerThatIsAway() {
        mirror.damage(KUBELET);
        try (VirtualMachine machine = machine("oak-2")) {
            machine.boot().awaitConsole("osm 50-binaries: failed", JOIN);
            assertThat(machine.console()).contains("is damaged or not what was published");
            machine.output("test ! -e /opt/bin/kubelet");

            tenant.worker().stop();
            mirror.damage("");
            machine.awaitConsole("osm 90-join: failed", JOIN);
            assertThat(machine.console()).contains("no answer that can be used");
            tenant.worker().resume();

            machine.awaitConsole("this machine has joined the cluster", JOIN);
            awaitReady("oak-2");
            assertThat(machine.output("systemctl --failed --no-legend --plain")).isEmpty();
            machine.powerOff();
        }
    }
}
