package io.osmhub.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.e2e.cluster.ApiResource;
import io.osmhub.e2e.cluster.Await;
import io.osmhub.e2e.cluster.FreePort;
import io.osmhub.e2e.cluster.ManifestObjects;
import io.osmhub.e2e.cluster.RealCluster;
import io.osmhub.e2e.cluster.RealClusters;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The installed fleet verbs on real API servers: through the hub's API, and as a kubectl plugin. */
final class CommandsE2E {
    @RegisterExtension
    static final RealClusters CLUSTERS = RealClusters.withWorkers(1);

    private static final String TENANT = "cluster-amber";
    private static final String MD = "kube-system/workers";

    @TempDir
    @SuppressWarnings("NullAway.Init") // set by JUnit
    static Path folder;

    private static InstalledHub hub;
    private static RealTenant tenant;
    private static List<String> rest;
    private static List<String> straight;

    /** What a command printed, results and errors together. */
    private record Run(int exit, String text) {}

    @BeforeAll
    static void start() {
        RealCluster management = CLUSTERS.management();
        int port = FreePort.find();
        Path kubeconfig = RealTenant.prepareManagement(management, folder);
        tenant = RealTenant.prepare(TENANT, management, CLUSTERS.worker(1));
        management.admin().apply("""
                apiVersion: v1
                kind: ServiceAccount
                metadata: {namespace: default, name: operator}
                ---
                apiVersion: rbac.authorization.k8s.io/v1
                kind: ClusterRoleBinding
                metadata: {name: operator-may-everything}
                roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: cluster-admin}
                subjects: [{kind: ServiceAccount, namespace: default, name: operator}]
                """);
        hub = InstalledHub.run(folder, kubeconfig, """
                apiVersion: config.osmhub.io/v1alpha1
                kind: HubConfiguration
                kubeconfigPolicy:
                  allow: [Loopback]
                api: {address: "127.0.0.1:%d"}
                webhooks: {address: ""}
                log: {format: console}
                """.formatted(port)).awaitReady();
        tenant.register().awaitSynced();
        tenant.storeProfile(ExampleObjects.profile());
        JsonNode authority =
                management.admin().get(ApiResource.SECRETS.in(InstalledHub.NAMESPACE, "osm-hub-webhook-tls"));
        rest = List.of(
                "--server",
                "https://127.0.0.1:" + port,
                "--token-file",
                file("token", management.tokenFor("osm-hub", "default", "operator")),
                "--ca-file",
                file("ca.pem", ManifestObjects.value(authority, "ca.crt")));
        straight = List.of("--kubeconfig", file("admin", management.kubeconfig(management.adminToken())));
        tenant.worker().admin().create(ExampleObjects.machineDeployment("workers"));
        Await.until(
                "it is published",
                () -> run(rest, "why", "workers", "-n", TENANT).exit() == 0);
    }

    @AfterAll
    static void stop() {
        if (hub != null) {
            hub.close();
        }
    }

    private static String file(String name, String text) {
        return InstalledHub.write(folder.resolve(name), text).toString();
    }

    private static ProcessBuilder program(String name, List<String> way, String... arguments) {
        // Tests that run in the background of a shell inherit that the signal of Ctrl-C is ignored.
        List<String> command = new ArrayList<>(List.of(
                "env",
                "--default-signal=INT",
                Distribution.program().resolveSibling(name).toString()));
        command.addAll(List.of(arguments));
        command.addAll(way);
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().remove("KUBECONFIG");
        builder.environment().put("XDG_CONFIG_HOME", folder.toString());
        return builder;
    }

    private static Run run(List<String> way, String... arguments) {
        return run("hub", way, arguments);
    }

    private static Run run(String program, List<String> way, String... arguments) {
        try {
            Process process = program(program, way, arguments).start();
            String text = new String(process.getInputStream().readAllBytes(), UTF_8);
            return new Run(process.waitFor(), text);
        } catch (IOException e) {
            throw new AssertionError(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void theVerbsListAndSayWhy() {
        assertThat(run(rest, "get", "clusters").text()).contains(TENANT + "  worker  Synced ");
        assertThat(run(rest, "get", "mds", "-A", "-o", "name").text()).contains("md/" + TENANT + "/" + MD + "\n");
        assertThat(run(rest, "get", "oscs", "-n", TENANT, "workers-kube-system-config", "--no-headers")
                        .text())
                .startsWith("workers-kube-system-config  True  Current ");
        assertThat(run(rest, "get", "md", "worker", "-n", TENANT).exit()).isEqualTo(3);
        assertThat(run(rest, "why", "md", MD, "-n", TENANT))
                .satisfies(why -> assertThat(why.exit()).as(why.text()).isZero());
    }

    @Test
    void oneLoginIsAllThatTheKubeconfigOfAnAdministratorNeeds() {
        List<String> way = List.of("--kubeconfig", file("other-admin", text(Path.of(straight.get(1)))));
        Run login = run(way, "login", "--server", rest.get(1));
        try {
            assertThat(login.exit()).as(login.text()).isZero();
            assertThat(login.text()).contains(" as osm-hub/osm-hub-viewer, created with read access to all tenants");
            for (String verb : List.of("get mds -A", "why workers -n " + TENANT, "get problems -n " + TENANT)) {
                Run run = run(way, verb.split(" "));
                assertThat(run.exit()).as(verb + ": " + run.text()).isZero();
            }
            assertThat(run(way, "get", "problems", "-A", "-o", "name").exit()).isZero();
        } finally {
            run(way, "login");
        }
    }

    @Test
    void aListIsWatchedUntilSomebodyStopsIt() throws Exception {
        Path seen = folder.resolve("watched");
        Process following = program("hub", rest, "get", "mds", "-w", "-n", TENANT)
                .redirectOutput(seen.toFile())
                .start();
        try {
            String name = "followed-";
            // The first connection may take a moment: what is changed is changed until it is seen.
            AtomicInteger number = new AtomicInteger();
            Await.until("a change is told", () -> {
                if (number.getAndIncrement() % 20 == 0) {
                    tenant.worker().admin().create(ExampleObjects.machineDeployment(name + number.get()));
                }
                return text(seen).contains("kube-system/" + name);
            });
            new ProcessBuilder("kill", "-INT", Long.toString(following.pid()))
                    .start()
                    .waitFor();
            assertThat(following.waitFor(30, TimeUnit.SECONDS)).isTrue();
            assertThat(following.exitValue()).isEqualTo(130);
        } finally {
            following.destroyForcibly();
        }
    }

    @Test
    void aProfileThatIsNotAppliedIsHeldAgainstTheOneThatIsAndNothingIsWritten() {
        ObjectNode same = ExampleObjects.profile();
        same.withObject("/metadata").put("namespace", TENANT);
        ObjectNode changed = same.deepCopy();
        changed.withObject("/spec").put("version", "v1.0.1");
        ((ObjectNode) changed.at("/spec/provisioningConfig/files/0/content/inline")).put("data", "told-by-diff\n");
        String untouched = file("same.json", same.toString());
        String other = file("changed.json", changed.toString());
        String before = generation();

        Run nothing = run(rest, "diff", "-f", untouched, "-n", TENANT);
        Run full = run(rest, "diff", "-f", other, "-n", TENANT, "--full");
        Run names = run(rest, "diff", "-f", other, "-n", TENANT, "-o", "name");
        Run json = run(rest, "diff", "-f", other, "-A", "-o", "json");

        assertThat(nothing.exit()).as(nothing.text()).isZero();
        assertThat(full.exit()).as(full.text()).isEqualTo(1);
        assertThat(full.text())
                .startsWith("OperatingSystemProfile " + TENANT + "/osp-example  v1.0.0 -> v1.0.1\nused by ")
                .contains("Changed  " + TENANT + "  " + MD)
                .contains("told-by-diff");
        assertThat(names.text()).contains("md/" + MD + "\n");
        assertThat(json.exit()).as(json.text()).isEqualTo(1);
        assertThat(json.text()).contains("\"changed\" : ");
        assertThat(generation()).isEqualTo(before);
    }

    /** The stored profile without its status, whose usage may change concurrently. */
    private static String generation() {
        return CLUSTERS.management()
                .admin()
                .get(ApiResource.OSPS.in(TENANT, "osp-example"))
                .at("/metadata/generation")
                .asText();
    }

    @Test
    void kubectlFindsThePluginWhichActsAsWhomItIsTold() {
        String unapplied = file("unapplied.json", ExampleObjects.profile().toString());
        Run allowed = run("kubectl-osmhub", straight, "lint", "-n", TENANT, "osp-example");
        Run withServer = run("kubectl-osmhub", rest, "diff", "-f", unapplied, "-n", TENANT, "-o", "name");
        Run withoutToken = run("kubectl-osmhub", straight, "get", "mds", "-n", TENANT);
        List<String> other = new ArrayList<>(straight);
        other.addAll(List.of("--as", "system:serviceaccount:default:nobody"));
        Run refused = run("kubectl-osmhub", other, "lint", "-n", TENANT, "osp-example");

        assertThat(allowed.text()).contains("osp-example");
        assertThat(withServer.exit()).as(withServer.text()).isLessThan(2);
        assertThat(withoutToken.exit()).isEqualTo(5);
        assertThat(withoutToken.text()).contains("no ready pod of the hub", "hub login --server");
        assertThat(refused.exit()).as(refused.text()).isEqualTo(4);
        assertThat(refused.text())
                .contains("nobody")
                .doesNotContain(CLUSTERS.management().adminToken());
    }
}
