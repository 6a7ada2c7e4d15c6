package io.osmhub.demo;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.demo.stage.SimulatedFleet;
import io.osmhub.demo.stage.SimulatedFleet.SimulatedTenant;
import io.osmhub.deploy.cli.HubCommand;
import io.osmhub.deploy.cli.Terminal;
import io.osmhub.sim.SimulationOptions;
import io.osmhub.sim.faults.ClusterFaults.FaultAction;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code hub cluster} and {@code hub install} straight against a management cluster, over real connections to simulated clusters. */
final class ClusterCommandsTest {
    private static final String CRD_API = "apiextensions.k8s.io/v1";
    private static final String CRD = "CustomResourceDefinition";
    private static final String PROFILES = "operatingsystemprofiles.operatingsystemmanager.k8c.io";

    private final SimulatedFleet stage = SimulatedFleet.build(SimulationOptions.defaults());
    private final SimulatedTenant tenant = stage.addTenant("amber", "shop");
    private final List<String> printed = new ArrayList<>();
    /** Of the current command. */
    private volatile ByteArrayOutputStream standardOutput = new ByteArrayOutputStream();

    @TempDir
    private Path folder;

    private Path management = Path.of("set before each");
    private Path worker = Path.of("set before each");

    /** What a command printed. */
    private record Run(int exit, String out, String err) {}

    @BeforeEach
    void prepare() throws IOException {
        management = Files.writeString(
                folder.resolve("management.yaml"), stage.management().kubeconfig());
        worker = Files.writeString(folder.resolve("shop.yaml"), tenant.cluster().kubeconfig());
        ObjectNode namespace = stage.management()
                .objects()
                .get("v1", "Namespace", "", "osm-profiles")
                .orElseThrow()
                .deepCopy();
        namespace.putObject("metadata").put("name", "amber");
        stage.management().objects().create(namespace);
    }

    @AfterEach
    void stop() {
        stage.close();
    }

    private Run hub(String... arguments) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        standardOutput = out;
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int exit = HubCommand.run(
                new Terminal(
                        InputStream.nullInputStream(),
                        new PrintStream(out, true, UTF_8),
                        new PrintStream(err, true, UTF_8)),
                arguments);
        printed.add(out.toString(UTF_8) + err.toString(UTF_8));
        return new Run(exit, out.toString(UTF_8), err.toString(UTF_8));
    }

    private Run add(String... more) {
        List<String> arguments = new ArrayList<>(List.of("cluster", "add", "shop", "-n", "amber", "--kubeconfig"));
        arguments.addAll(List.of(worker.toString(), "--management-kubeconfig", management.toString(), "--no-wait"));
        arguments.addAll(List.of(more));
        return hub(arguments.toArray(String[]::new));
    }

    private String stored() {
        ObjectNode secret = stage.management()
                .objects()
                .get("v1", "Secret", "amber", "shop-kubeconfig")
                .orElseThrow();
        return new String(
                Base64.getDecoder().decode(secret.at("/data/kubeconfig").asText()), UTF_8);
    }

    private void assertNothingTellsACredential() {
        assertThat(printed).allSatisfy(text -> assertThat(text)
                .doesNotContain(tenant.cluster().adminToken())
                .doesNotContain(stage.management().adminToken()));
    }

    @Test
    void registersWithATokenOfItsOwnAccount() {
        Run added = add("--scoped", "--set", "provisioning.clusterDNS=[10.240.16.10]");

        assertThat(added.err()).isEmpty();
        assertThat(added.exit()).isZero();
        assertThat(added.out())
                .contains("  read      " + worker + ": context ")
                .contains("TLS verified")
                .contains("  allowed   29 of 29 permissions\n")
                .contains("  created   ServiceAccount kube-system/osm-hub with 6 Roles in the worker cluster\n")
                .contains("  stored    Secret amber/shop-kubeconfig: its token, valid 7 days, renewed by the hub\n")
                .endsWith("WorkerCluster amber/shop at " + managementCluster()
                        + " registered; the given kubeconfig was not stored\n");
        assertThat(stored()).doesNotContain(tenant.cluster().adminToken());
        ObjectNode cluster = stage.management()
                .objects()
                .get("osmhub.io/v1alpha1", "WorkerCluster", "amber", "shop")
                .orElseThrow();
        assertThat(cluster.at("/spec/provisioning/clusterDNS").toString()).isEqualTo("[\"10.240.16.10\"]");
        assertThat(cluster.at("/metadata/annotations/osmhub.io~1registered-by").asText())
                .isEqualTo("CLI");
        assertNothingTellsACredential();
    }

    @Test
    void aClusterThatIsRegisteredAlreadyIsRejectedAndNothingIsStored() {
        add();
        ObjectNode system = tenant.cluster()
                .objects()
                .get("v1", "Namespace", "", "kube-system")
                .orElseThrow();
        stage.management()
                .objects()
                .patchStatus(
                        "osmhub.io/v1alpha1",
                        "WorkerCluster",
                        "amber",
                        "shop",
                        "{\"status\":{\"clusterID\":\""
                                + system.at("/metadata/uid").asText() + "\"}}");
        ObjectNode namespace = stage.management()
                .objects()
                .get("v1", "Namespace", "", "amber")
                .orElseThrow()
                .deepCopy();
        namespace.putObject("metadata").put("name", "blue");
        stage.management().objects().create(namespace);

        Run added = hub(
                "cluster",
                "add",
                "store",
                "-n",
                "blue",
                "--kubeconfig",
                worker.toString(),
                "--management-kubeconfig",
                management.toString(),
                "--no-wait",
                "--scoped");
        Run tested = hub(
                "cluster",
                "test",
                "store",
                "-n",
                "blue",
                "--kubeconfig",
                worker.toString(),
                "--management-kubeconfig",
                management.toString());
        Run repeated = add();

        assertThat(added.exit()).isEqualTo(1);
        assertThat(added.err())
                .contains("already registered as WorkerCluster shop in namespace amber")
                .contains("hub cluster rotate shop -n amber --kubeconfig FILE");
        assertThat(tested.exit()).isEqualTo(1);
        assertThat(tested.out()).contains("already registered as WorkerCluster shop in namespace amber");
        assertThat(repeated.exit()).isZero();
        assertThat(stage.management().objects().get("osmhub.io/v1alpha1", "WorkerCluster", "blue", "store"))
                .isEmpty();
        assertThat(stage.management().objects().get("v1", "Secret", "blue", "store-kubeconfig"))
                .isEmpty();
        assertThat(tenant.cluster().objects().get("v1", "ServiceAccount", "kube-system", "osm-hub"))
                .isEmpty();
    }

    @Test
    void theDoctorPrintsEachCheckBeforeTheNextOneStarts() {
        List<String> before = new CopyOnWriteArrayList<>();
        stage.management().faults().script(line -> {
            if (line.resource().equals("workerclusters.osmhub.io")) {
                before.add(standardOutput.toString(UTF_8));
            }
            return FaultAction.PASS;
        });

        hub("doctor", "--kubeconfig", management.toString(), "-A");

        assertThat(before)
                .isNotEmpty()
                .allMatch(text -> text.contains("ok       definition      workerclusters.osmhub.io\n"));
    }

    @Test
    void theDoctorSaysWhatTheClustersLackAndHowToMendIt() throws IOException {
        Run nothing = hub("doctor", "--kubeconfig", management.toString(), "-A");
        add();
        stage.management()
                .objects()
                .patchStatus(
                        "osmhub.io/v1alpha1",
                        "WorkerCluster",
                        "amber",
                        "shop",
                        "{\"status\":{\"state\":\"Unauthorized\"}}");
        Run some = hub("doctor", "--kubeconfig", management.toString(), "-A");
        stage.management()
                .objects()
                .delete(
                        "apiextensions.k8s.io/v1",
                        "CustomResourceDefinition",
                        "",
                        "operatingsystemconfigs.operatingsystemmanager.k8c.io");
        Run undefined = hub("doctor", "--kubeconfig", management.toString());
        stage.management().faults().refuseConnections(true);
        Run silent = hub("doctor", "--kubeconfig", management.toString(), "--timeout", "3s");
        Run without = hub("doctor", "--kubeconfig", folder.resolve("nowhere").toString());

        assertThat(nothing.out())
                .contains("ok       definition      workerclusters.osmhub.io\n")
                .contains("ok       management      https://127.0.0.1:")
                .contains("note     worker clusters none visible; register one with hub cluster add\n");
        assertThat(some.exit()).isEqualTo(1);
        assertThat(some.out())
                .contains("MISSING  worker cluster  amber/shop Unauthorized; run hub get problems -n amber\n");
        assertThat(undefined.exit()).isEqualTo(1);
        assertThat(undefined.out())
                .contains("MISSING  definition      operatingsystemconfigs.operatingsystemmanager.k8c.io not found;"
                        + " run hub install crds\n")
                .contains("note     worker clusters not checked until the definitions are installed\n");
        assertThat(silent.exit()).isEqualTo(1);
        assertThat(silent.out())
                .contains("ok       java ")
                .contains("MISSING  management      no response from https://");
        assertThat(without.exit()).isEqualTo(1);
        assertThat(without.out()).contains("MISSING  management      ");
        assertNothingTellsACredential();
    }

    @Test
    void saysBeforeRegisteringThatNodesWouldNotKnowTheApiServer() {
        String[] test = {
            "cluster",
            "test",
            "shop",
            "-n",
            "amber",
            "--kubeconfig",
            worker.toString(),
            "--management-kubeconfig",
            management.toString()
        };
        String missing = "no address for nodes: ConfigMap kube-public/cluster-info is missing and no endpointslices"
                + " found for kubernetes service";
        Run healthy = hub(test);
        tenant.cluster().objects().delete("v1", "ConfigMap", "kube-public", "cluster-info");
        Run withSlice = hub(test);
        tenant.cluster().objects().delete("discovery.k8s.io/v1", "EndpointSlice", "default", "kubernetes");
        Run tested = hub(test);
        tenant.cluster().objects().delete("v1", "Secret", "cloud-init-settings", "cloud-init-getter-token");
        Run both = hub(test);
        Run added = add();
        Run set = add("--set", "provisioning.bootstrap.apiServerURL=https://api.shop.example.org:6443");
        Run stored = hub("cluster", "test", "shop", "-n", "amber", "--management-kubeconfig", management.toString());
        Run given = hub(test);

        assertThat(healthy.out()).contains("  ok      prerequisites  ").doesNotContain(missing);
        assertThat(withSlice.out()).contains("  ok      prerequisites  ").doesNotContain(missing);
        assertThat(tested.out())
                .contains("  warning prerequisites  worker cluster: " + missing)
                .contains("set spec.provisioning.bootstrap.apiServerURL, unless the hub's configuration does");
        assertThat(tested.exit()).isZero();
        assertThat(both.out()).contains("cloud-init-getter-token").contains(missing);
        assertThat(added.out() + added.err()).contains(missing);
        assertThat(added.exit()).isZero();
        assertThat(List.of(set, stored, given)).allSatisfy(run -> {
            assertThat(run.exit()).isZero();
            assertThat(run.out() + run.err())
                    .contains("cloud-init-getter-token")
                    .doesNotContain(missing);
        });
    }

    @Test
    void storesTheKubeconfigUnderTheKeyThatIsNamed() {
        Run added = add("--key", "admin.conf");
        Run other = add("--key", "value");
        Run wrong = add("--key", "a b");

        assertThat(added.exit()).isZero();
        ObjectNode secret = stage.management()
                .objects()
                .get("v1", "Secret", "amber", "shop-kubeconfig")
                .orElseThrow();
        assertThat(secret.path("data").fieldNames()).toIterable().containsExactly("admin.conf");
        assertThat(hub("cluster", "test", "shop", "-n", "amber", "--management-kubeconfig", management.toString())
                        .exit())
                .isZero();
        assertThat(other.exit()).isEqualTo(6);
        assertThat(other.err()).contains("has its kubeconfig under admin.conf of Secret amber/shop-kubeconfig; ");
        assertThat(wrong.exit()).isNotZero();
        assertNothingTellsACredential();
    }

    @Test
    void keepsWhatIsRegistered() {
        add();

        Run tested = hub("cluster", "test", "shop", "-n", "amber", "--management-kubeconfig", management.toString());
        assertThat(tested.out())
                .contains("  ok      kubeconfig     one usable context, a token\n")
                .contains("  ok      permissions    29 of 29\n");
        assertThat(tested.exit()).isZero();

        Run paused = hub("cluster", "pause", "shop", "-n", "amber", "--kubeconfig", management.toString());
        assertThat(paused.out()).startsWith("WorkerCluster amber/shop at " + managementCluster() + " paused");
        assertThat(stage.management()
                        .objects()
                        .get("osmhub.io/v1alpha1", "WorkerCluster", "amber", "shop")
                        .orElseThrow()
                        .at("/spec/paused")
                        .asBoolean())
                .isTrue();

        Run rotated = hub(
                "cluster",
                "rotate",
                "shop",
                "-n",
                "amber",
                "--scoped",
                "--kubeconfig",
                worker.toString(),
                "--management-kubeconfig",
                management.toString());
        assertThat(rotated.out())
                .endsWith("WorkerCluster amber/shop at " + managementCluster() + " has a new kubeconfig\n");
        assertThat(stored()).doesNotContain(tenant.cluster().adminToken());

        Run removed = hub(
                "cluster",
                "remove",
                "shop",
                "-n",
                "amber",
                "--yes",
                "--no-wait",
                "--kubeconfig",
                management.toString());
        assertThat(removed.exit()).isZero();
        assertThat(hub("cluster", "rbac", "shop", "-n", "amber", "--kubeconfig", management.toString())
                        .exit())
                .isEqualTo(3);
        assertNothingTellsACredential();
    }

    @Test
    void saysAllThatIsWrongWithAKubeconfigAndStoresNothing() throws IOException {
        Files.writeString(worker, """
            apiVersion: v1
            kind: Config
            clusters:
            - {name: c, cluster: {server: 'https://203.0.113.1', certificate-authority: /etc/passwd}}
            users:
            - {name: u, user: {exec: {command: /bin/sh}}}
            contexts:
            - {name: x, context: {cluster: c, user: u}}
            current-context: x
            """);

        Run refused = add();

        assertThat(refused.exit()).isEqualTo(2);
        assertThat(refused.err())
                .contains(" in " + worker + ", nothing was stored\n")
                .contains("users[0].user.exec")
                .contains("clusters[0].cluster.certificate-authority");
        assertThat(stage.management().objects().list("v1", "Secret", "amber")).isEmpty();
    }

    @Test
    void suggestsANameThatIsThere() {
        add();

        Run missing = hub("cluster", "rbac", "shpo", "-n", "amber", "--kubeconfig", management.toString());

        assertThat(missing.exit()).isEqualTo(3);
        assertThat(missing.err()).isEqualTo("hub: no WorkerCluster shpo in namespace amber; did you mean shop?\n");
    }

    @Test
    void removesWhatALostHubLeftAndAsksFirst() {
        add("--scoped");

        Run asked = hub("cluster", "clean", "--kubeconfig", worker.toString());
        assertThat(asked.exit()).isEqualTo(2);
        assertThat(asked.out()).contains("  serviceaccounts kube-system/osm-hub\n");
        assertThat(asked.err()).contains("use --yes");

        assertThat(hub("cluster", "clean", "--kubeconfig", worker.toString(), "--yes")
                        .exit())
                .isZero();
        assertThat(hub("cluster", "clean", "--kubeconfig", worker.toString()).out())
                .startsWith("no leftovers of a hub in ");
    }

    @Test
    void preparesAWorkerClusterAndInstallsDefinitions() {
        assertThat(hub("cluster", "prepare", "shop", "--kubeconfig", worker.toString())
                        .out())
                .endsWith("Worker cluster shop at " + tenant.cluster().url() + " prepared\n");
        assertThat(hub("install", "crds", "--dry-run", "--kubeconfig", management.toString())
                        .out())
                .startsWith("CustomResourceDefinitions of " + managementCluster() + "\n")
                .contains("unchanged   workerclusters.osmhub.io");
    }

    @Test
    void installsDefinitionsWhereThereAreNoneAndLeavesThoseOfOthers() {
        var objects = stage.management().objects();
        objects.list(CRD_API, CRD, "")
                .forEach(one -> objects.delete(
                        CRD_API, CRD, "", one.at("/metadata/name").asText()));

        Run foretold = install("--dry-run");
        assertThat(objects.list(CRD_API, CRD, "")).isEmpty();
        Run installed = install();
        ObjectNode stored = objects.get(CRD_API, CRD, "", PROFILES).orElseThrow();
        objects.patch(CRD_API, CRD, "", PROFILES, """
                {"metadata": {"annotations": null}}""");
        Run left = install();
        Run taken = install("--take-over", "--context", stage.management().name());

        assertThat(foretold.out()).contains("  would be created     " + PROFILES + "\n");
        assertThat(installed.exit()).isZero();
        assertThat(installed.out()).contains("  created     " + PROFILES + "\n");
        assertThat(stored.at("/spec/versions/0/schema/openAPIV3Schema/properties/spec")
                        .isEmpty())
                .isFalse();
        assertThat(left.exit()).isEqualTo(1);
        assertThat(left.out())
                .contains("  unchanged   " + PROFILES + ", managed by ")
                .contains("  unchanged   workerclusters.osmhub.io\n");
        assertThat(left.err()).contains("use --take-over to replace its schema");
        assertThat(taken.out()).contains("  taken over  " + PROFILES + " from ");
        assertThat(objects.get(CRD_API, CRD, "", PROFILES).orElseThrow().path("spec"))
                .isEqualTo(stored.path("spec"));
    }

    @Test
    void anInstallationThatIsRefusedSaysWhyAndNoCredential() {
        stage.management().faults().failNext(10, 500);
        Run broken = install();
        stage.management().faults().clear();
        stage.management().faults().credentialsExpired(true);
        Run expired = install();
        stage.management().faults().clear();
        stage.management().faults().refuseConnections(true);
        Run silent = install();

        assertThat(broken.exit()).isNotZero();
        assertThat(broken.err()).contains("responded 500");
        assertThat(expired.err()).contains("not authenticated at ").contains("renew the kubeconfig's credential");
        assertThat(silent.err()).contains("no response from the management cluster (");
        assertNothingTellsACredential();
    }

    private Run install(String... more) {
        List<String> arguments = new ArrayList<>(List.of("install", "crds", "--kubeconfig", management.toString()));
        arguments.addAll(List.of(more));
        return hub(arguments.toArray(String[]::new));
    }

    /** As every command that changes something names it. */
    private String managementCluster() {
        return stage.management().url() + "/ (context " + stage.management().name() + ")";
    }

    @Test
    void everyCommandRefusesAContextThatDoesNotExist() {
        add();
        String[][] commands = {
            {"cluster", "pause", "shop", "-n", "amber"},
            {"cluster", "resume", "shop", "-n", "amber"},
            {"cluster", "renew", "shop", "-n", "amber"},
            {"cluster", "remove", "shop", "-n", "amber", "--yes"},
            {"cluster", "rbac", "shop", "-n", "amber"},
            {"install", "crds"},
            {"get", "mds", "-A"},
            {"get", "clusters"},
            {"why", "workers", "-n", "amber"},
            {"run"},
        };
        for (String[] command : commands) {
            List<String> arguments = new ArrayList<>(List.of(command));
            arguments.addAll(List.of("--kubeconfig", management.toString(), "--context", "no-such"));

            Run run = hub(arguments.toArray(String[]::new));

            assertThat(run.err())
                    .as(String.join(" ", command))
                    .startsWith("hub: context \"no-such\" does not exist in kubeconfig " + management);
            assertThat(run.exit()).isEqualTo(2);
        }
        Run doctor = hub("doctor", "--kubeconfig", management.toString(), "--context", "no-such");
        assertThat(doctor.out()).contains("MISSING  management      context \"no-such\" does not exist");
        Run added = add("--context", "no-such");
        assertThat(added.err()).startsWith("hub: context \"no-such\" does not exist");
        assertThat(stage.management()
                        .objects()
                        .get("osmhub.io/v1alpha1", "WorkerCluster", "amber", "shop")
                        .orElseThrow()
                        .at("/spec/paused")
                        .asBoolean())
                .isFalse();
    }

    @Test
    void aContextIsNeverIgnoredInFavourOfAServer() {
        Run run = hub("get", "clusters", "-A", "--server", "https://127.0.0.1:1", "--context", "prod");

        assertThat(run.exit()).isEqualTo(2);
        assertThat(run.err()).startsWith("hub: --context selects a management cluster and --server the hub's API");
    }

    @ParameterizedTest
    @CsvSource({
        "cluster pause w -n amber, --token-file, token",
        "cluster test w -n amber, --ca-file, ca.pem",
        "cluster remove w -n amber, --service-account, team/ops"
    })
    void optionsOfTheApiAreRejectedWithoutIt(String command, String option, String value) {
        List<String> arguments = new ArrayList<>(List.of(command.split(" ")));
        arguments.addAll(List.of(option, value));

        Run run = hub(arguments.toArray(String[]::new));

        assertThat(run.exit()).isEqualTo(2);
        assertThat(run.err())
                .contains(option + ": has no effect without --server")
                .hasLineCount(1);
    }

    @Test
    void tellsWhenNobodyAnswers() {
        stage.close();

        for (String command : List.of("get clusters --service-account team/ops", "cluster rbac shop -n amber")) {
            List<String> arguments = new ArrayList<>(List.of(command.split(" ")));
            arguments.addAll(List.of("--kubeconfig", management.toString()));
            Run run = hub(arguments.toArray(String[]::new));

            assertThat(run.exit()).isEqualTo(5);
            assertThat(run.err())
                    .startsWith("hub: no response from https://127.0.0.1:")
                    .hasLineCount(1);
        }
    }
}
