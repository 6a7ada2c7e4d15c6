package io.osmhub.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.e2e.cluster.ApiResource;
import io.osmhub.e2e.cluster.Await;
import io.osmhub.e2e.cluster.ClusterClient;
import io.osmhub.e2e.cluster.ManifestObjects;
import io.osmhub.e2e.cluster.RealClusters;
import io.osmhub.e2e.node.ImpostorServer;
import io.osmhub.e2e.node.ImpostorServer.ImpostorResponse;
import io.osmhub.e2e.node.NodeMachine;
import io.osmhub.e2e.node.Relay;
import java.net.URI;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A Debian machine starts with what the hub published: with Debian's own cloud-init and curl, and with no other way than to where it
 * looks for the API server. Stand-ins are systemd, the pauses and, where there is no network, the programs of a node.
 */
final class NodeBootE2E {
    @RegisterExtension
    static final RealClusters CLUSTERS = RealClusters.withWorkers(1);

    private static final String[] WRITTEN = {"/etc", "/opt", "/usr/local/bin"};
    private static final Pattern BEARER = Pattern.compile("Bearer ([A-Za-z0-9._-]+)");

    private static InstalledHub hub;
    private static RealTenant tenant;
    private static ImpostorServer portal;
    private static ImpostorServer stranger;
    private static Relay relay;
    private static int port;

    @BeforeAll
    static void start() {
        assumeTrue(NodeMachine.unavailableReason().isEmpty(), NodeMachine::unavailableReason);
        Path folder = CLUSTERS.folder();
        portal = ImpostorServer.start(folder, "portal");
        stranger = ImpostorServer.start(folder, "stranger");
        var kubeconfig = RealTenant.prepareManagement(CLUSTERS.management(), folder);
        tenant = RealTenant.prepare("cluster-elm", CLUSTERS.management(), CLUSTERS.worker(1));
        ManifestObjects.file(ShippedManifests.FOLDER.resolve("rbac-worker-scoped-fetch.yaml"))
                .forEach(tenant.worker().admin()::apply);
        tenant.fetchToken(tenant.worker().token(RealTenant.SETTINGS, "cloud-init-getter"));
        tenant.clusterInfo(ExampleObjects.clusterInfo(tenant.worker().url(), tenant.worker()));
        hub = InstalledHub.run(folder, kubeconfig, HubConfigurationText.FOR_TESTS)
                .awaitReady();
        tenant.register().awaitSynced();
        tenant.storeProfile(ManifestObjects.file(ShippedManifests.FOLDER.resolve("profiles/osp-debian.yaml"))
                .getFirst());
        port = URI.create(tenant.worker().url()).getPort();
        relay = Relay.to(port);
    }

    @AfterAll
    static void stop() {
        for (AutoCloseable part : new AutoCloseable[] {hub, relay, portal, stranger}) {
            if (part != null) {
                try {
                    part.close();
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            }
        }
    }

    /** Publishes a MachineDeployment under settings, and returns what its machines start with. */
    private static MachineDeploymentObjectNames publish(String name, boolean airGapped) {
        ObjectNode provisioning = ManifestObjects.json("{}").deepCopy();
        // Machines trust the portal's certificate too, so that only what it answers can tell it from the API server.
        provisioning
                .putObject("kubernetesCA")
                .put("inline", tenant.worker().certificateAuthority() + portal.certificate());
        provisioning.put("airGapped", airGapped);
        tenant.mergeSettings("{provisioning: " + provisioning + "}");
        ObjectNode machineDeployment = ExampleObjects.machineDeployment(name);
        ((ObjectNode) machineDeployment.path("metadata").path("annotations"))
                .put("k8c.io/operating-system-profile", "osp-debian");
        ((ObjectNode) machineDeployment.at("/spec/template/spec/providerSpec/value")).put("operatingSystem", "debian");
        tenant.worker().admin().create(machineDeployment);
        MachineDeploymentObjectNames names = MachineDeploymentObjectNames.of(machineDeployment);
        Await.until(name + " is published", () -> tenant.osc(names.osc()).isPresent());
        return names;
    }

    private static String cloudConfig(String secret) {
        return value(secret, "cloud-config");
    }

    private static String value(String secret, String key) {
        JsonNode found = tenant.secret(secret).orElseThrow();
        return new String(
                Base64.getDecoder().decode(found.path("data").path(key).asText()), UTF_8);
    }

    /** The fetch token in user-data. */
    static String token(String document) {
        Matcher bearer = BEARER.matcher(document);
        assertThat(bearer.find()).as("a token in the user-data").isTrue();
        return bearer.group(1);
    }

    @Test
    void takesWhatTheApiServerGivesWholeAndNothingElse() {
        MachineDeploymentObjectNames names = publish("workers", false);
        String userData = cloudConfig(names.bootstrap());
        String token = token(userData);
        NodeMachine machine = NodeMachine.unpack(CLUSTERS.folder(), "takes");
        machine.userData(userData);
        machine.maskUnit("setup");
        SortedMap<String, String> before = machine.snapshot(WRITTEN);

        // A server with an untrusted certificate receives nothing.
        relay.connectTo(stranger.port());
        CompletableFuture<Integer> boot =
                CompletableFuture.supplyAsync(() -> machine.run(relay, port, "/usr/local/lib/machine/first-boot"));
        Await.until(
                "the machine refused a certificate twice",
                () -> occurrences(machine.consoleOutput(), "curl: (60)") >= 2);
        assertThat(stranger.requests()).isZero();

        // Nor is anything but a whole configuration taken over.
        for (ImpostorResponse answer : ImpostorResponse.values()) {
            portal.setResponse(answer);
            int said = portal.requests();
            relay.connectTo(portal.port());
            Await.until("three times " + answer, () -> portal.requests() >= said + 3);
            assertThat(machine.snapshot(WRITTEN).keySet())
                    .as("after %s", answer)
                    .allSatisfy(path -> assertThat(before.containsKey(path)
                                    || bootstrapPaths(userData).contains(path)
                                    || path.startsWith("/etc/osm/"))
                            .as(path)
                            .isTrue());
        }
        assertThat(boot).isNotDone();
        assertThat(pauses(machine)).as("pauses grow").isSorted().hasSizeGreaterThan(3);

        // And then all of it.
        relay.connectTo(port);
        assertThat(boot.join()).as("%s", machine.consoleOutput()).isZero();
        String provisioning = cloudConfig(names.provisioning());
        assertThat(files(provisioning)).isNotEmpty().allSatisfy(file -> assertWritten(machine, file));
        assertThat(machine.read("/var/log/machine/systemctl")).contains("setup");
        assertThat(machine.unroutedPackets()).as("packets to anywhere else").isZero();

        // The token is nowhere but where root alone reads it.
        assertThat(machine.read("/var/log/machine/command-lines"))
                .contains("curl")
                .doesNotContain(token);
        assertThat(machine.consoleOutput()).contains(names.provisioning()).doesNotContain(token);
        assertThat(machine.readableByAllWith(token)).isEmpty();

        // The token is scoped: it grants access only to this MachineDeployment's secrets.
        assertThat(account(token)).startsWith("system:serviceaccount:cloud-init-settings:osm-hub-fetch-");
        ClusterClient bearer = tenant.worker().client(token);
        for (String secret : List.of(names.provisioning(), names.kubeletBootstrap())) {
            assertThat(bearer.allowed(ApiResource.SECRETS.in(RealTenant.SETTINGS, secret)))
                    .as(secret)
                    .isTrue();
        }
        for (String secret : publish("others", false).secrets()) {
            assertThat(bearer.allowed(ApiResource.SECRETS.in(RealTenant.SETTINGS, secret)))
                    .as(secret)
                    .isFalse();
        }

        // A reboot does nothing, and a run that is not kept from it does the same again.
        long mark = tenant.worker().audit().position();
        SortedMap<String, String> first = machine.snapshot(WRITTEN);
        assertThat(machine.run(relay, port, "sh", "-e", "/run/commands")).isZero();
        assertThat(machine.snapshot(WRITTEN)).isEqualTo(first);
        assertThat(gets(mark, token, names.provisioning())).isZero();
        assertThat(machine.run(relay, port, "/opt/bin/bootstrap")).isZero();
        assertThat(gets(mark, token, names.provisioning())).isEqualTo(1);
        assertThat(machine.snapshot(WRITTEN)).isEqualTo(first);
        machine.remove();
    }

    @Test
    void joinsWithoutAWayOutWhereItsImageHoldsWhatANodeNeeds() {
        MachineDeploymentObjectNames names = publish("sealed", true);
        String userData = cloudConfig(names.bootstrap());
        NodeMachine machine = NodeMachine.unpack(CLUSTERS.folder(), "sealed");
        machine.installNodePrograms();
        machine.userData(userData);
        relay.connectTo(port);

        assertThat(machine.run(relay, port, "/usr/local/lib/machine/first-boot"))
                .as("%s", machine.consoleOutput())
                .isZero();

        assertThat(machine.consoleOutput()).contains("this machine has joined the cluster");
        assertThat(machine.unroutedPackets()).as("packets to anywhere else").isZero();
        // The stand-in of the kubelet showed the API server what it was to join with.
        assertThat(machine.read("/var/log/machine/kubelet")).contains("system:bootstrap:");
        String kubeconfig = value(names.kubeletBootstrap(), "kubeconfig");
        String joinToken =
                ManifestObjects.object(kubeconfig).at("/users/0/user/token").asText();
        for (String token : List.of(token(userData), joinToken)) {
            assertThat(machine.read("/var/log/machine/command-lines")).doesNotContain(token);
            assertThat(machine.consoleOutput()).doesNotContain(token);
            assertThat(machine.readableByAllWith(token)).isEmpty();
        }

        // What is measured is seen: on the same machine, one that tries.
        assertThat(machine.run(relay, port, "/usr/bin/curl", "--silent", "--max-time", "5", "https://192.0.2.80/"))
                .isNotZero();
        assertThat(machine.unroutedPackets()).isPositive();
        machine.remove();
    }

    /** How often the bearer of a token asked for a secret. */
    private static long gets(long mark, String token, String secret) {
        return tenant.worker().audit().since(mark, account(token)).stream()
                .filter(entry -> entry.name().equals(secret))
                .count();
    }

    /** The account whose token it is. */
    private static String account(String token) {
        String claims = new String(Base64.getUrlDecoder().decode(token.split("\\.")[1]), UTF_8);
        return ManifestObjects.json(claims).path("sub").asText();
    }

    private static int occurrences(String text, String part) {
        return (text.length() - text.replace(part, "").length()) / part.length();
    }

    private static List<Integer> pauses(NodeMachine machine) {
        // Each is drawn between a bound and twice as much; the bounds grow until they stay.
        return machine.read("/var/log/machine/pauses")
                .lines()
                .map(pause -> Integer.highestOneBit(Integer.parseInt(pause.strip())))
                .toList();
    }

    private static List<String> bootstrapPaths(String userData) {
        return files(userData).stream().map(file -> file.path("path").asText()).toList();
    }

    private static List<JsonNode> files(String document) {
        return ManifestObjects.object(document)
                .path("write_files")
                .valueStream()
                .toList();
    }

    private static void assertWritten(NodeMachine machine, JsonNode file) {
        String path = file.path("path").asText();
        String content = file.path("content").asText();
        assertThat(machine.read(path))
                .as(path)
                .isEqualTo(
                        file.path("encoding").asText().equals("b64")
                                ? new String(Base64.getMimeDecoder().decode(content), UTF_8)
                                : content);
        int mode = Integer.parseInt(file.path("permissions").asText(), 8);
        StringBuilder permissions = new StringBuilder("rwxrwxrwx");
        for (int bit = 0; bit < 9; bit++) {
            if ((mode & 0400 >> bit) == 0) {
                permissions.setCharAt(bit, '-');
            }
        }
        assertThat(machine.permissions(path)).as(path).isEqualTo(permissions.toString());
    }
}
