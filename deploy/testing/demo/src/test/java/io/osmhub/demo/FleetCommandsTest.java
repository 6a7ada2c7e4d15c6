package io.osmhub.demo;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.demo.DemoRun.DemoTenant;
import io.osmhub.demo.stage.MachineDeploymentName;
import io.osmhub.demo.stage.MachineFlavor;
import io.osmhub.demo.stage.SimulatedFleet;
import io.osmhub.demo.stage.SimulatedFleet.SimulatedTenant;
import io.osmhub.deploy.cli.HubCommand;
import io.osmhub.deploy.cli.Terminal;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** The fleet verbs as clients of the real hub: at its URL, and through a management cluster that forwards to its pod. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class FleetCommandsTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    private static Path folder;

    private final SimulatedFleet stage = LiveApi.stage(2);
    private LiveApi api;
    private List<String> rest;
    private List<String> tunnel;
    /** The simulated management cluster itself. */
    private List<String> straight;

    private ForwardingApiServer forwarding;

    /** What a command printed. */
    private record Run(int exit, String out, String err) {}

    @BeforeAll
    void start() throws Exception {
        api = LiveApi.start(stage, folder, "");
        for (SimulatedTenant tenant : stage.tenants()) {
            stage.register(tenant);
            new DemoTenant(tenant)
                    .create(new MachineDeploymentName("kube-system", "workers"), MachineFlavor.UBUNTU_ON_AWS, 1);
        }
        ObjectNode spoilt =
                MachineFlavor.UBUNTU_ON_AWS.machineDeployment(new MachineDeploymentName("kube-system", "lost"), 1);
        spoilt.withObject("/metadata/annotations").put("k8c.io/operating-system-profile", "osp-exampel");
        stage.tenants().get(1).objects().create(spoilt);
        api.listen();
        Path token = Files.writeString(folder.resolve("token"), api.admin());
        Path authority = Files.writeString(folder.resolve("ca.pem"), authority());
        rest = List.of("--server", api.server(), "--token-file", token.toString(), "--ca-file", authority.toString());
        straight = List.of("--kubeconfig", folder.resolve("kubeconfig").toString(), "--context", "management");
        forwarding = new ForwardingApiServer(URI.create(api.server()).getPort(), authority(), api.admin());
        tunnel = List.of(
                "--kubeconfig",
                forwarding.kubeconfig(folder.resolve("forwarding")).toString(),
                "--service-account",
                "team/ops");
        LiveApi.awaitTrue(() -> hub(rest, "get", "mds", "-A").out().contains("Blocked"));
        LiveApi.awaitTrue(() -> hub(rest, "get", "mds", "-A").out().split("Current", -1).length == 3);
        LiveApi.awaitTrue(() -> hub(rest, "get", "problems", "-A").out().contains("ProfileNotFound"));
    }

    @AfterAll
    void stop() {
        if (forwarding != null) {
            forwarding.close();
        }
        if (api != null) {
            api.close();
        }
    }

    private String authority() {
        ObjectNode secret = stage.management()
                .objects()
                .get("v1", "Secret", "osm-hub", "osm-hub-webhook-tls")
                .orElseThrow();
        StringBuilder authorities = new StringBuilder();
        for (Map.Entry<String, JsonNode> entry : secret.path("data").properties()) {
            String text = new String(Base64.getDecoder().decode(entry.getValue().asText()), UTF_8);
            if (text.contains("BEGIN CERTIFICATE")) {
                authorities.append(text);
            }
        }
        return authorities.toString();
    }

    private static Run hub(List<String> way, String... arguments) throws IOException {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(way);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int exit = HubCommand.run(
                new Terminal(
                        InputStream.nullInputStream(),
                        new PrintStream(out, true, UTF_8),
                        new PrintStream(err, true, UTF_8)),
                all.toArray(String[]::new));
        return new Run(exit, out.toString(UTF_8), err.toString(UTF_8));
    }

    @Test
    void bothWaysListTheSame() throws Exception {
        for (String noun : List.of("clusters", "osps", "oscs", "mds", "problems", "causes")) {
            Run asked = hub(rest, "get", noun, "-A", "-o", "name");
            Run read = hub(tunnel, "get", noun, "-A", "-o", "name");

            assertThat(asked.exit()).as(asked.err()).isZero();
            assertThat(read.out()).as(noun).isEqualTo(asked.out()).isNotEmpty();
        }
    }

    @Test
    void theVersionOfTheHubIsShownToEachCallerAndToNoOther() throws Exception {
        for (List<String> way : List.of(rest, tunnel)) {
            Run run = hub(way, "version", "-o", "json");

            assertThat(run.exit()).as(run.err()).isZero();
            JsonNode versions = JSON.readTree(run.out());
            assertThat(versions.path("serverVersion").path("gitVersion").asText())
                    .isNotEmpty();
            assertThat(versions.path("serverVersion")).isEqualTo(versions.path("clientVersion"));
        }
        Run anonymous = hub(
                List.of(
                        "--server",
                        api.server(),
                        "--ca-file",
                        folder.resolve("ca.pem").toString()),
                "version");

        assertThat(anonymous.exit()).isEqualTo(4);
        assertThat(anonymous.out()).startsWith("Client Version: ").doesNotContain("Server");
        assertThat(anonymous.err()).contains("not authenticated");
    }

    @Test
    void clustersAreListedMostSevereFirst() throws Exception {
        for (List<String> way : List.of(rest, tunnel)) {
            Run listed = hub(way, "get", "clusters");
            Run missing = hub(way, "get", "cluster", "worker-x", "-n", "cluster-1");

            assertThat(listed.out())
                    .startsWith("TENANT ")
                    .containsPattern("cluster-1 +worker-1 +Degraded(?s:.*)cluster-0 +worker-0 +Synced");
            assertThat(listed.err()).isEqualTo("2 worker clusters: 1 degraded, 1 synced\n");
            assertThat(hub(way, "get", "cluster", "worker-0", "-n", "cluster-0", "-o", "json")
                            .out())
                    .contains("\"name\" : \"worker-0\"");
            assertThat(missing.exit()).isEqualTo(3);
            assertThat(missing.err()).contains("did you mean worker-1?");
        }
    }

    @Test
    void theContextsNamespaceIsTheTenant() throws Exception {
        Run run = hub(tunnel, "get", "mds", "--no-headers");

        assertThat(run.exit()).as(run.err()).isZero();
        assertThat(run.out()).contains("kube-system/workers", "Current").doesNotContain("?", "cluster-1");
    }

    @Test
    void theKubeconfigsCredentialIsNotSentToTheHub() throws Exception {
        String kubeconfig = Files.readString(folder.resolve("forwarding"));
        Path given = Files.writeString(folder.resolve("rejected-token"), "of-the-kubeconfig");

        Run rejected = hub(tunnel, "get", "mds", "-A", "--token-file", given.toString());

        assertThat(kubeconfig).contains("of-the-kubeconfig");
        assertThat(rejected.exit()).isEqualTo(4);
        assertThat(rejected.err())
                .startsWith("hub: not authenticated at pod osm-hub/osm-hub-1 at http://127.0.0.1:")
                .contains("the token was rejected; use another --token-file");
    }

    @Test
    void aLoginToTheHubsAddressNeedsOnlyTheKubeconfigAndStoresNoToken() throws Exception {
        Path home = Files.createDirectory(folder.resolve("home"));
        String before = System.setProperty("user.home", home.toString());
        try {
            Run without = hub(straight, "get", "mds", "-A");
            Run login = hub(straight, "login", "--server", api.server());
            Run listed = hub(straight, "get", "mds", "-A", "-o", "name");
            Run why = hub(straight, "why", "workers", "-n", "cluster-0");

            assertThat(without.exit()).isEqualTo(5);
            assertThat(without.err()).contains("hub login --server");
            assertThat(login.exit()).as(login.err()).isZero();
            assertThat(login.out())
                    .isEqualTo("logged in to " + api.server()
                            + " (of hub login) as osm-hub/osm-hub-viewer, created with read access to all tenants\n");
            assertThat(hub(straight, "login", "--server", api.server()).out()).doesNotContain("created");
            assertThat(listed.out())
                    .as(listed.err())
                    .isEqualTo(hub(rest, "get", "mds", "-A", "-o", "name").out());
            assertThat(why.exit()).as(why.err()).isZero();
            try (Stream<Path> files = Files.walk(home)) {
                Path stored = files.filter(Files::isRegularFile).findFirst().orElseThrow();
                assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(stored)))
                        .isEqualTo("rw-------");
                assertThat(Files.readString(stored))
                        .contains("BEGIN CERTIFICATE")
                        .doesNotContain("eyJ", "token");
            }
        } finally {
            System.setProperty("user.home", before);
        }
    }

    @Test
    void theAccountOfALoginIsUsedThroughAForwardedPort() throws Exception {
        List<String> way = tunnel.subList(0, 2);
        forwarding.hasViewer = false;
        Run without = hub(way, "get", "mds", "-A");
        Run login = hub(way, "login");
        Run listed = hub(way, "get", "mds", "-A");

        assertThat(without.exit()).isEqualTo(3);
        assertThat(without.err()).contains("create the default account with hub login");
        assertThat(login.exit()).as(login.err()).isZero();
        assertThat(login.out()).contains("as osm-hub/osm-hub-viewer, created");
        assertThat(listed.exit()).as(listed.err()).isZero();
        assertThat(forwarding.requests)
                .containsSubsequence(
                        "POST /apis/rbac.authorization.k8s.io/v1/clusterroles",
                        "POST /apis/rbac.authorization.k8s.io/v1/clusterrolebindings",
                        "POST /api/v1/namespaces/osm-hub/serviceaccounts");
    }

    @Test
    void aHubThatCannotBeReachedIsExplainedInOneLine() throws Exception {
        forwarding.ready = false;
        Run notReady = hub(tunnel, "get", "mds", "-A");
        forwarding.ready = true;
        Run elsewhere = hub(tunnel, "get", "mds", "-A", "--hub-namespace", "other");
        forwarding.forwards = false;
        Run notForwarded = hub(tunnel, "get", "mds", "-A");
        forwarding.forwards = true;
        forwarding.issuesTokens = false;
        Run withoutToken = hub(tunnel, "get", "mds", "-A");
        forwarding.issuesTokens = true;

        assertThat(notReady.exit()).isEqualTo(5);
        assertThat(notReady.err())
                .startsWith("hub: no ready pod of the hub in namespace osm-hub of http://127.0.0.1:")
                .contains("--hub-namespace", "--server");
        assertThat(elsewhere.exit()).isEqualTo(3);
        assertThat(notForwarded.exit()).isEqualTo(4);
        assertThat(notForwarded.err())
                .startsWith("hub: not allowed to reach pod osm-hub/osm-hub-1 at http://127.0.0.1:")
                .contains("; ask for permission to list the hub's pods and forward their ports, or use");
        assertThat(withoutToken.exit()).isEqualTo(4);
        assertThat(withoutToken.err()).contains("ask for permission to request tokens of ServiceAccount team/ops");
        for (Run run : List.of(notReady, elsewhere, notForwarded, withoutToken)) {
            assertThat(run.err()).hasLineCount(1);
        }
    }

    @Test
    void theHubsCertificateIsVerifiedInsideTheTunnel() throws Exception {
        forwarding.tellsAuthority = false;
        Run untrusted = hub(tunnel, "get", "mds", "-A");
        Run given = hub(
                tunnel,
                "get",
                "mds",
                "-A",
                "--ca-file",
                folder.resolve("ca.pem").toString());
        forwarding.tellsAuthority = true;

        assertThat(untrusted.exit()).isEqualTo(5);
        assertThat(untrusted.err())
                .startsWith("hub: the certificate of pod osm-hub/osm-hub-1 at ")
                .contains("set its certificate authority with --ca-file");
        assertThat(given.exit()).as(given.err()).isZero();
    }

    @Test
    void bothWaysNameTheCauseAndItsCure() throws Exception {
        for (List<String> way : List.of(rest, tunnel)) {
            Run why = hub(way, "why", "lost", "-n", "cluster-1");

            assertThat(why.exit()).as(why.err()).isEqualTo(1);
            assertThat(why.out())
                    .startsWith("Blocked for ")
                    .contains("  Nodes   new nodes of kube-system/lost do not start.")
                    .contains("ProfileNotFound at MachineDeployment kube-system/lost")
                    .contains("  Fix     did you mean \"osp-example\"? Set it, in worker cluster worker-1:")
                    .contains("  BROKEN  Profile              osp-exampel");
        }
    }

    @Test
    void aStrangerIsToldThatTheyMayNot() throws Exception {
        Path token = Files.writeString(
                folder.resolve("restricted"), stage.management().tokenForAudience("osm-hub", "restricted"));
        for (List<String> way : List.of(rest, tunnel)) {
            List<String> stranger = new ArrayList<>(way);
            if (way == rest) {
                stranger.set(3, token.toString());
            } else {
                stranger.addAll(List.of("--token-file", token.toString()));
            }

            assertThat(hub(stranger, "get", "mds", "-A").out()).isEmpty();
            assertThat(hub(stranger, "why", "md", "kube-system/workers", "-n", "cluster-0")
                            .exit())
                    .isEqualTo(3);
            assertThat(hub(stranger, "diff", "-f", "-", "-A").exit()).isNotZero();
        }
    }

    @Test
    void aChangeThatIsNotAppliedIsRenderedByTheHub() throws Exception {
        ObjectNode profile = stage.management()
                .objects()
                .get(
                        "operatingsystemmanager.k8c.io/v1alpha1",
                        "OperatingSystemProfile",
                        SimulatedFleet.PROFILES,
                        "osp-example")
                .orElseThrow()
                .deepCopy();
        profile.remove("status");
        profile.withObject("/spec").put("version", "v9.9.9");
        profile.withObject("/spec/provisioningConfig")
                .withArray("/files")
                .addObject()
                .put("path", "/etc/more")
                .putObject("content")
                .putObject("inline")
                .put("data", "more\n");
        Path file = Files.writeString(folder.resolve("changed.json"), profile.toString());

        Run asked = hub(rest, "diff", "-f", file.toString(), "-A", "--full");
        Run forwarded = hub(tunnel, "diff", "-f", file.toString(), "-A", "--full");

        assertThat(asked.exit()).as(asked.err()).isEqualTo(1);
        assertThat(asked.out())
                .startsWith(
                        "OperatingSystemProfile osm-profiles/osp-example  v1.0.0 -> v9.9.9\nused by 2 MachineDeployments")
                .contains(": 2 changed, 0 repaired, 0 the same, rejected: 0\n")
                .contains("Changed  cluster-0");
        assertThat(forwarded.exit()).isEqualTo(1);
        assertThat(forwarded.out()).isEqualTo(asked.out());
    }

    @Test
    void aRejectedExtensionIsExplainedAndDeletesNothing() throws Exception {
        Path file = Files.writeString(folder.resolve("conflict.yaml"), """
                apiVersion: osmhub.io/v1alpha1
                kind: OperatingSystemProfileExtension
                metadata: {name: conflict, namespace: osm-profiles}
                spec:
                  target: {profiles: [osp-example]}
                  policy: Enforced
                  provisioning:
                    files: [{path: /opt/bin/bootstrap, content: x}]
                """);

        Run run = hub(rest, "diff", "-f", file.toString(), "-A", "--full");

        assertThat(run.exit()).as(run.err()).isEqualTo(1);
        assertThat(run.out())
                .contains("rejected: 2", "Rejected  cluster-0")
                .containsPattern("workers in cluster-0 keeps the published one: .*/opt/bin/bootstrap is written by")
                .doesNotContain("none", "--- ");
    }

    @Test
    void anExtensionWithATypoIsRejectedAtItsLine() throws Exception {
        Path file = Files.writeString(folder.resolve("typo.yaml"), """
                apiVersion: osmhub.io/v1alpha1
                kind: OperatingSystemProfileExtension
                metadata: {name: typo, namespace: osm-profiles}
                spec:
                  target: {profiles: [osp-example]}
                  policy: Enforced
                  provisioning:
                    files:
                    - {path: /etc/x, permissions: 0644, content: x}
                """);

        Run run = hub(rest, "diff", "-f", file.toString(), "-A");

        assertThat(run.exit()).isEqualTo(2);
        assertThat(run.err())
                .contains("1 error, nothing was compared")
                .containsPattern("typo.yaml:9:\\d+ +spec.provisioning.files\\[0].permissions ");
    }

    @Test
    void theDoctorChecksTheFleet() throws Exception {
        Run run = hub(straight, "doctor", "-A");

        assertThat(run.exit()).as(run.out()).isEqualTo(1);
        assertThat(run.out())
                .contains("ok       management      https://")
                .contains("ok       definition      workerclusters.osmhub.io\n")
                .contains("ok       worker cluster  cluster-0/worker-0 Synced\n")
                .containsPattern("MISSING  worker cluster  cluster-1/worker-1 Degraded: \\w+; run hub get problems"
                        + " -n cluster-1\n");
    }

    @Test
    void bothWaysWatchAListAndShowEachChange() throws Exception {
        MachineDeploymentName name = new MachineDeploymentName("kube-system", "watched");
        SimulatedTenant tenant = stage.tenants().getFirst();
        try (RunningCommand asked = RunningCommand.start(rest, "get", "mds", "-n", "cluster-0", "-w", "-o", "name");
                RunningCommand read =
                        RunningCommand.start(tunnel, "get", "mds", "-n", "cluster-0", "-w", "-o", "name")) {
            List<RunningCommand> both = List.of(asked, read);
            for (RunningCommand one : both) {
                LiveApi.awaitTrue(() -> one.lines().contains("md/kube-system/workers"));
            }

            new DemoTenant(tenant).create(name, MachineFlavor.UBUNTU_ON_AWS, 1);
            for (RunningCommand one : both) {
                LiveApi.awaitTrue(() -> one.lines().contains("md/kube-system/watched"));
            }
            tenant.objects().delete("cluster.k8s.io/v1alpha1", "MachineDeployment", "kube-system", "watched");
            for (RunningCommand one : both) {
                LiveApi.awaitTrue(() -> one.errorOutput().contains("md/kube-system/watched deleted"));
                assertThat(one.lines().indexOf("md/kube-system/workers"))
                        .isLessThan(one.lines().indexOf("md/kube-system/watched"));
                assertThat(one.stop()).isEqualTo(130);
            }
        }
    }

    @Test
    void aWatchedTableHasItsHeadersOnceAndOneObjectAsJsonIsOneLine() throws Exception {
        for (List<String> way : List.of(rest, tunnel)) {
            try (RunningCommand table = RunningCommand.start(way, "get", "osps", "-A", "-w");
                    RunningCommand json = RunningCommand.start(way, "get", "osps", "-A", "-w", "-o", "json")) {
                LiveApi.awaitTrue(
                        () -> table.lines().size() > 1 && !json.lines().isEmpty());
                String name = "osp-new-" + way.size();
                profile(name, 0);
                LiveApi.awaitTrue(() -> table.lines().stream().anyMatch(line -> line.contains(name))
                        && json.lines().stream().anyMatch(line -> line.contains(name)));

                assertThat(table.lines())
                        .filteredOn(line -> line.startsWith("TENANT "))
                        .hasSize(1);
                assertThat(json.lines())
                        .allSatisfy(line ->
                                assertThat(JSON.readTree(line).isObject()).isTrue());
            }
        }
    }

    /** A profile that is made, or changed if it is there. */
    private void profile(String name, int version) {
        ObjectNode profile = stage.management()
                .objects()
                .get(
                        "operatingsystemmanager.k8c.io/v1alpha1",
                        "OperatingSystemProfile",
                        SimulatedFleet.PROFILES,
                        "osp-example")
                .orElseThrow()
                .deepCopy();
        profile.remove("status");
        ObjectNode metadata = profile.putObject("metadata").put("namespace", SimulatedFleet.PROFILES);
        metadata.put("name", name).putObject("labels").put("change", String.valueOf(version));
        if (version == 0) {
            stage.management().objects().create(profile);
        } else {
            stage.management()
                    .objects()
                    .patch(
                            "operatingsystemmanager.k8c.io/v1alpha1",
                            "OperatingSystemProfile",
                            SimulatedFleet.PROFILES,
                            name,
                            "{\"metadata\":{\"labels\":{\"change\":\"" + version + "\"}}}");
        }
    }

    @Test
    void nothingTellsACredential() throws Exception {
        List<String> all = List.of(stage.management().adminToken(), api.admin());
        for (List<String> way : List.of(rest, tunnel)) {
            for (String noun : List.of("clusters", "oscs", "mds", "problems", "causes")) {
                Run run = hub(way, "get", noun, "-A", "-o", "json", "-v");
                assertThat(all).noneMatch(token -> (run.out() + run.err()).contains(token));
            }
        }
    }
}
