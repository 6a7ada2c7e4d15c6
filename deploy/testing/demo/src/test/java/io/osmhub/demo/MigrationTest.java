package io.osmhub.demo;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.demo.OsmInstallation.OsmCase;
import io.osmhub.demo.stage.SimulatedFleet;
import io.osmhub.demo.stage.SimulatedFleet.SimulatedTenant;
import io.osmhub.deploy.cli.HubCommand;
import io.osmhub.deploy.cli.Terminal;
import io.osmhub.deploy.run.HubService;
import io.osmhub.sim.SimulatedCluster;
import io.osmhub.sim.SimulationOptions;
import io.osmhub.sim.faults.ClusterFaults.FaultAction;
import io.osmhub.sim.objects.JsonTrees;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.io.TempDir;

/** {@code hub migrate} on simulated clusters with what Operating System Manager (OSM) wrote for its fixtures. */
final class MigrationTest {
    /** Written by OSM itself, for three operating systems on three providers each. */
    private static final List<String> CASES = List.of(
            "ubuntu-aws-default",
            "ubuntu-azure-131-distupgrade",
            "ubuntu-openstack-131-external",
            "flatcar-aws-default",
            "flatcar-azure-locksmith-engine",
            "flatcar-gce-external-proxy",
            "rhel-aws-default",
            "rhel-azure-subscription",
            "rhel-vsphere-satellite");

    private static final String OSC_VERSION = "operatingsystemmanager.k8c.io/v1alpha1";

    /** Requests after a change of the profile: two replace one immutable secret, one stamps the other with its version. */
    private static final long PROFILE_CHANGED = 3;

    private final SimulatedFleet fleet = SimulatedFleet.build(SimulationOptions.defaults());
    private final List<OsmInstallation> installations = new ArrayList<>();

    @TempDir
    private Path folder;

    private Path management = Path.of("set before each");

    /** What a command printed. */
    private record Run(int exit, String out, String err) {
        JsonNode json() {
            return JsonTrees.read(out);
        }
    }

    @BeforeEach
    void prepare() throws IOException {
        management = Files.writeString(
                folder.resolve("management.yaml"), fleet.management().kubeconfig());
    }

    @AfterEach
    void stop() {
        fleet.close();
    }

    private Run hub(String... arguments) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int exit = HubCommand.run(
                new Terminal(
                        InputStream.nullInputStream(),
                        new PrintStream(out, true, UTF_8),
                        new PrintStream(err, true, UTF_8)),
                arguments);
        return new Run(exit, out.toString(UTF_8), err.toString(UTF_8));
    }

    private Run plan(String... more) {
        List<String> arguments = new ArrayList<>(List.of("migrate", "plan", "--kubeconfig", management.toString()));
        arguments.addAll(List.of(more));
        return hub(arguments.toArray(String[]::new));
    }

    private OsmInstallation install(String namespace, OsmCase osmCase) {
        SimulatedTenant tenant = fleet.addTenant(namespace, "worker-" + namespace);
        OsmInstallation made = OsmInstallation.create(fleet.management(), tenant.cluster(), namespace, osmCase);
        installations.add(made);
        return made;
    }

    /** Requests that changed or tried to change objects, except reviews, by cluster. */
    private Map<String, Long> writes() {
        Map<String, Long> writes = new TreeMap<>();
        writes.put("management", writes(fleet.management()));
        installations.forEach(one -> writes.put(one.worker().name(), writes(one.worker())));
        return writes;
    }

    private static long writes(SimulatedCluster cluster) {
        return cluster.counters().all().entrySet().stream()
                .filter(series -> !List.of("get", "list", "watch")
                        .contains(series.getKey().verb()))
                .filter(series -> !series.getKey().resource().contains("review"))
                .mapToLong(Map.Entry::getValue)
                .sum();
    }

    private void assertNothingWasWritten() {
        assertThat(writes().values()).containsOnly(0L);
    }

    @Test
    void everyRenderingIsByteIdenticalToWhatOsmWrote(TestReporter reporter) throws IOException {
        installAll();

        Run run = plan("-A", "-o", "json");

        assertThat(run.err()).isEmpty();
        assertThat(run.json().path("items").findValuesAsText("what")).isEmpty();
        assertThat(run.json().path("totals"))
                .isEqualTo(JsonTrees.read(
                        "{\"tenants\":15,\"machineDeployments\":15,\"secrets\":45,\"writes\":0,\"unclear\":0}"));
        assertThat(run.json().findValuesAsText("bootstrap")).hasSize(15).containsOnly("Identical");
        assertThat(run.json().findValuesAsText("provisioning")).hasSize(15).containsOnly("Identical");
        assertThat(run.json().findValuesAsText("kubeletBootstrap")).hasSize(15).containsOnly("Identical");
        assertThat(run.exit()).isZero();
        assertNothingWasWritten();
        reporter.publishEntry("plan", run.json().path("totals").toString());
    }

    @Test
    void showsEverySettingWithItsSource() {
        OsmInstallation osm = install("cluster-a", OsmCase.read("flatcar-gce-external-proxy"));

        Run table = plan("-n", "cluster-a");
        JsonNode tenant = plan("-n", "cluster-a", "-o", "json").json().at("/items/0");

        assertThat(table.err()).isEmpty();
        assertThat(table.out())
                .contains("argument -node-http-proxy")
                .contains("\"http://proxy.example.org:3128\"")
                .contains("argument -external-cloud-provider")
                .contains("environment, Secret cloud-credentials, key clientID")
                .endsWith("tenants: 1, MachineDeployments: 1, secrets: 3, writes: 0, unclear: 0\n");
        assertThat(tenant.path("lease").asText()).isEqualTo("operating-system-manager");
        assertThat(tenant.path("holder").asText()).startsWith("operating-system-manager-");
        assertThat(tenant.path("kubeconfigSecret").asText()).isEqualTo("operatingsystemmanager-kubeconfig");
        assertThat(tenant.at("/profiles/0/action").asText()).isEqualTo("copy");
        assertThat(table.out() + tenant).doesNotContain(osm.worker().adminToken());
    }

    /** Gives OSM's profile only one file for provisioning, with this template. */
    private static void setProvisioningFile(OsmInstallation osm, String template) {
        osm.worker()
                .objects()
                .patch(
                        "operatingsystemmanager.k8c.io/v1alpha1",
                        "OperatingSystemProfile",
                        "kube-system",
                        "osp-ubuntu",
                        "{\"spec\":{\"provisioningConfig\":{\"files\":[{\"path\":\"/a\",\"permissions\":644,"
                                + "\"content\":{\"inline\":{\"encoding\":\"b64\",\"data\":\"" + template + "\"}}}]}}}");
    }

    @Test
    void namesWhatItDoesNotUnderstand() {
        OsmCase osmCase = OsmCase.read("ubuntu-aws-default");
        install("cluster-flag", osmCase)
                .patchDeployment(
                        "{\"spec\":{\"template\":{\"spec\":{\"containers\":[{\"name\":\"o\","
                                + "\"command\":[\"/usr/local/bin/osm-controller\",\"-namespace=kube-system\",\"-shiny=1\"]}]}}}}");
        setProvisioningFile(install("cluster-profile", osmCase), "{{ .Nope");
        ObjectNode orphan = osmCase.written().get(1).deepCopy();
        orphan.withObject("/metadata").put("name", "gone-kube-system-provisioning-config");
        install("cluster-orphan", osmCase).worker().objects().create(orphan);
        install("cluster-lease", osmCase).renewLease("someone-else");
        OsmInstallation twice = install("cluster-twice", osmCase);
        ObjectNode config = osmCase.written().getFirst().deepCopy();
        config.withObject("/metadata").put("namespace", "cluster-twice");
        fleet.management().objects().create(config);

        Run run = plan("-A");

        assertThat(run.exit()).isOne();
        assertThat(run.out())
                .contains(
                        "unclear: Deployment cluster-flag/operating-system-manager: flag provided but not defined: -shiny")
                .contains("unclear: Secret cloud-init-settings/gone-kube-system-provisioning-config at "
                        + installations.get(2).worker().url() + ": belongs to no MachineDeployment")
                .contains("is held by someone-else, which is not OSM")
                .contains("unclear: OperatingSystemConfig cluster-twice/ubuntu-aws-default-kube-system-config: its"
                        + " MachineDeployment has another one")
                .contains(
                        "unclear: MachineDeployment kube-system/ubuntu-aws-default: cluster-profile: OperatingSystemProfile")
                .contains("unclear: 5");
        assertThat(twice.namespace()).isEqualTo("cluster-twice");
        assertNothingWasWritten();
    }

    @Test
    void namesEveryMachineDeploymentWhoseProfileCallsARefusedFunction() {
        OsmInstallation osm = install("cluster-random", OsmCase.read("ubuntu-aws-default"));
        setProvisioningFile(osm, "{{ randAlphaNum 8 }}");
        ObjectNode second = osm.worker()
                .objects()
                .get("cluster.k8s.io/v1alpha1", "MachineDeployment", "kube-system", "ubuntu-aws-default")
                .orElseThrow()
                .deepCopy();
        second.putObject("metadata")
                .put("namespace", "kube-system")
                .put("name", "second")
                .putObject("annotations")
                .put("k8c.io/operating-system-profile", "osp-ubuntu");
        osm.worker().objects().create(second);

        Run run = plan("-n", "cluster-random");

        assertThat(run.exit()).isOne();
        assertThat(List.of("ubuntu-aws-default", "second"))
                .allSatisfy(name -> assertThat(run.out().lines()).anySatisfy(line -> assertThat(line)
                        .startsWith("  unclear: MachineDeployment kube-system/" + name + ":")
                        .contains("function \"randAlphaNum\" is not supported")
                        .contains("create the value once and put it into the profile or a secret")));
    }

    /** Nine of OSM's own cases, and three for each of the operating systems that its cases lack. */
    private void installAll() throws IOException {
        for (String name : CASES) {
            install("cluster-" + name, OsmCase.read(name));
        }
        for (String os : List.of("rockylinux", "amzn2")) {
            for (String name : CASES.subList(0, 3)) {
                install("cluster-" + os + "-" + name, OsmCase.derive(name, os, folder));
            }
        }
    }

    private HubService startHub() throws IOException {
        Path kubeconfig = folder.resolve("kubeconfig");
        Workspace.writeKubeconfig(kubeconfig, List.<SimulatedCluster>of(fleet.management()));
        Path file = Files.writeString(folder.resolve("hub.yaml"), Workspace.hubConfiguration(kubeconfig));
        return HubService.run(LiveApi.read(file), false, "osm-hub-migration");
    }

    private Run change(String verb, String... more) {
        List<String> arguments = new ArrayList<>(
                List.of("migrate", verb, "--yes", "--timeout", "2m", "--kubeconfig", management.toString()));
        arguments.addAll(List.of(more));
        return hub(arguments.toArray(String[]::new));
    }

    private static Map<String, String> secrets(OsmInstallation one) {
        Map<String, String> versions = new TreeMap<>();
        for (String namespace : List.of("cloud-init-settings", "kube-system")) {
            one.worker()
                    .objects()
                    .list("v1", "Secret", namespace)
                    .forEach(secret -> versions.put(
                            secret.at("/metadata/name").asText(),
                            secret.at("/metadata/resourceVersion").asText()));
        }
        return versions;
    }

    private static long secretWrites(OsmInstallation one) {
        return List.of("create", "update", "patch", "delete").stream()
                .mapToLong(verb -> one.worker().counters().total(verb, "secrets"))
                .sum();
    }

    private String holder(OsmInstallation one) {
        return one.worker()
                .objects()
                .get("coordination.k8s.io/v1", "Lease", "kube-system", OsmInstallation.NAME)
                .orElseThrow()
                .at("/spec/holderIdentity")
                .asText();
    }

    private int replicas(OsmInstallation one) {
        return fleet.management()
                .objects()
                .get("apps/v1", "Deployment", one.namespace(), OsmInstallation.NAME)
                .orElseThrow()
                .at("/spec/replicas")
                .asInt();
    }

    @Test
    void theTakeoverWritesNoSecretAndTheReturnRotatesNothing(TestReporter reporter) throws IOException {
        installAll();
        List<Map<String, String>> before =
                installations.stream().map(MigrationTest::secrets).toList();
        try (HubService _ = startHub()) {
            Run applied = change("apply", "-A");

            assertThat(applied.err()).isEmpty();
            assertThat(applied.out()).endsWith("tenants: 15, objects: 90, secrets written: 0, revisions moved: 0\n");
            assertThat(applied.exit()).isZero();
            assertThat(installations.stream().map(MigrationTest::secrets)).isEqualTo(before);
            assertThat(installations).allSatisfy(one -> {
                assertThat(secretWrites(one)).isZero();
                assertThat(one.worker().counters().total("patch", "machinedeployments"))
                        .isZero();
                assertThat(holder(one)).startsWith("osm-hub_").endsWith("_osm-hub-migration");
                assertThat(replicas(one)).isZero();
            });
            reporter.publishEntry("apply", applied.out().lines().toList().getLast());

            installations.forEach(this::changeProfile);
            LiveApi.awaitTrue(() -> installations.stream().allMatch(one -> secretWrites(one) >= PROFILE_CHANGED));
            LiveApi.awaitTrue(() -> installations.stream().allMatch(this::isSynced));
            assertThat(installations).allSatisfy(one -> {
                // Only the provisioning secret has other content. OSM's is immutable, so it is deleted and created.
                assertThat(one.worker().counters().total("create", "secrets")).isOne();
                assertThat(one.worker().counters().total("delete", "secrets")).isOne();
                assertThat(one.worker().counters().total("patch", "secrets")).isOne();
                assertThat(secretWrites(one)).isEqualTo(PROFILE_CHANGED);
            });
            List<Map<String, String>> rotated =
                    installations.stream().map(MigrationTest::secrets).toList();

            Run returned = change("back", "-A");

            assertThat(returned.err()).isEmpty();
            assertThat(returned.out()).contains("secrets written: 0, revisions moved: 0");
            assertThat(returned.exit()).isZero();
            assertThat(installations.stream().map(MigrationTest::secrets)).isEqualTo(rotated);
            assertThat(installations).allSatisfy(one -> {
                assertThat(holder(one)).isEmpty();
                assertThat(replicas(one)).isOne();
                assertThat(fleet.management().objects().list("osmhub.io/v1alpha1", "WorkerCluster", one.namespace()))
                        .isEmpty();
            });
            reporter.publishEntry("back", returned.out().lines().toList().getLast());
        }
    }

    /** The hub's copy of the profile gets another version and one more file for provisioning. */
    private void changeProfile(OsmInstallation one) {
        ObjectNode profile = fleet.management()
                .objects()
                .list("operatingsystemmanager.k8c.io/v1alpha1", "OperatingSystemProfile", one.namespace())
                .getFirst();
        profile.withObject("/spec").put("version", "v9.9.9");
        ObjectNode file = profile.withObject("/spec/provisioningConfig")
                .withArray("/files")
                .addObject();
        file.put("path", "/etc/migrated").put("permissions", 644);
        file.putObject("content").putObject("inline").put("encoding", "").put("data", "1");
        fleet.management().objects().replace(profile);
    }

    private boolean isSynced(OsmInstallation one) {
        return fleet.management()
                .objects()
                .list("osmhub.io/v1alpha1", "WorkerCluster", one.namespace())
                .getFirst()
                .at("/status/state")
                .asText()
                .equals("Synced");
    }

    @Test
    void withoutOsmsLeaseTheHubWritesNothing() throws IOException {
        OsmInstallation osm = install("cluster-a", OsmCase.read("ubuntu-aws-default"));
        try (HubService _ = startHub()) {
            assertThat(change("apply", "-n", "cluster-a").exit()).isZero();

            osm.renewLease(OsmInstallation.NAME + "-other_pod", Duration.ofHours(1));
            LiveApi.awaitTrue(() -> workerCluster(osm).toString().contains("PeerControllerActive")
                    && workerCluster(osm).toString().contains("holder " + OsmInstallation.NAME + "-other_pod"));
            changeProfile(osm);
            // The hub has seen the change once it has verified the profile.
            LiveApi.awaitTrue(() -> fleet.management()
                    .objects()
                    .list("operatingsystemmanager.k8c.io/v1alpha1", "OperatingSystemProfile", "cluster-a")
                    .getFirst()
                    .toString()
                    .contains("observedGeneration"));

            assertThat(secretWrites(osm)).isZero();

            osm.renewLease("", Duration.ofSeconds(1));
            LiveApi.awaitTrue(() -> secretWrites(osm) == PROFILE_CHANGED);
            assertThat(holder(osm)).startsWith("osm-hub_");
        }
    }

    private JsonNode workerCluster(OsmInstallation one) {
        return fleet.management()
                .objects()
                .list("osmhub.io/v1alpha1", "WorkerCluster", one.namespace())
                .getFirst();
    }

    @Test
    void kkpsConditionsAreCheckedAndItsClusterIsChanged() throws IOException {
        OsmInstallation osm = install("cluster-9tzl4w", OsmCase.read("flatcar-aws-default"));
        osm.installKkp();
        fleet.management().objects().patch(OsmInstallation.KKP, "Cluster", "", "9tzl4w", "{\"spec\":{\"pause\":true}}");
        fleet.management()
                .objects()
                .patch(
                        OsmInstallation.KKP,
                        "Seed",
                        "kubermatic",
                        "fjord",
                        "{\"spec\":{\"defaultComponentSettings\":{\"operatingSystemManager\":{\"replicas\":2}}}}");

        Run refused = change("apply", "-A");

        assertThat(refused.exit()).isOne();
        assertThat(refused.err())
                .contains("Cluster 9tzl4w: is paused, so KKP does not apply changes to it")
                .contains(
                        "Seed fjord: spec.defaultComponentSettings.operatingSystemManager.replicas is 2, which KKP stores"
                                + " in each Cluster instead of 0; remove it");
        assertNothingWasWritten();

        fleet.management().objects().patch(OsmInstallation.KKP, "Cluster", "", "9tzl4w", "{\"spec\":{\"pause\":null}}");
        fleet.management()
                .objects()
                .patch(
                        OsmInstallation.KKP,
                        "Seed",
                        "kubermatic",
                        "fjord",
                        "{\"spec\":{\"defaultComponentSettings\":null}}");
        try (HubService _ = startHub();
                ExecutorService kkp = Executors.newVirtualThreadPerTaskExecutor()) {
            kkp.execute(() -> {
                LiveApi.awaitTrue(() -> osm.clusterReplicas().isInt());
                osm.patchDeployment("{\"spec\":{\"replicas\":0}}");
            });
            Run applied = change("apply", "-A");

            assertThat(applied.err()).isEmpty();
            assertThat(applied.out())
                    .contains("WorkerCluster cluster-9tzl4w/9tzl4w took over from")
                    .endsWith("tenants: 1, objects: 6, secrets written: 0, revisions moved: 0\n");
            assertThat(osm.clusterReplicas().asInt(-1)).isZero();

            assertThat(change("back", "-A").exit()).isZero();
            assertThat(osm.clusterReplicas().isMissingNode()).isTrue();
        }
    }

    /** OSM would publish the user-data of the deleted one for a new MachineDeployment of the same name. */
    @Test
    void theReturnDeletesConfigsWhoseMachineDeploymentIsGone() throws IOException {
        OsmInstallation osm = install("cluster-a", OsmCase.read("ubuntu-aws-default"));
        try (HubService _ = startHub()) {
            assertThat(change("apply", "-n", "cluster-a").err()).isEmpty();
            ObjectNode config = osm.worker()
                    .objects()
                    .list(OSC_VERSION, "OperatingSystemConfig", "kube-system")
                    .getFirst();
            // As OSM left it for a MachineDeployment that was deleted while the hub served.
            config.withObject("/metadata")
                    .put("name", "gone-kube-system-config")
                    .remove(List.of("uid", "resourceVersion"));
            osm.worker().objects().create(config);
            config.withObject("/metadata").put("name", "of-another-program").remove(List.of("annotations", "uid"));
            osm.worker().objects().create(config);

            Run returned = change("back", "-n", "cluster-a");

            assertThat(returned.err()).isEmpty();
            assertThat(returned.out()).contains("whose MachineDeployment is deleted");
            assertThat(configs(osm.worker(), "kube-system"))
                    .containsExactlyInAnyOrder("of-another-program", "ubuntu-aws-default-kube-system-config");
        }
    }

    /** Its OperatingSystemConfigs hold placeholders, which OSM would publish. */
    @Test
    void aClusterWhereTheHubRunsInOsmsPlaceIsReturnedWithoutItsPlaceholders() {
        OsmInstallation osm = install("cluster-a", OsmCase.read("ubuntu-aws-default"));
        ObjectNode config = osm.worker()
                .objects()
                .list(OSC_VERSION, "OperatingSystemConfig", "kube-system")
                .getFirst();
        Run refused = change("back", "--in-place", "-n", "cluster-a");
        assertThat(refused.err()).contains("runs OSM").contains("nothing was changed");
        assertNothingWasWritten();

        config.withObject("/metadata/annotations").put("osmhub.io/machine-deployment", "kube-system/workers");
        osm.worker().objects().replace(config);
        osm.renewLease("");
        osm.patchDeployment("{\"status\":{\"replicas\":0}}");
        Map<String, String> before = secrets(osm);

        Run returned = change("back", "--in-place", "-n", "cluster-a");

        assertThat(returned.err()).isEmpty();
        assertThat(returned.exit()).isZero();
        assertThat(returned.out())
                .contains("secrets written: 0")
                .contains("kubectl -n cluster-a scale deployment operating-system-manager --replicas=1");
        assertThat(configs(osm.worker(), "kube-system")).isEmpty();
        assertThat(secrets(osm)).isEqualTo(before);
        assertThat(replicas(osm)).isZero();
        assertThat(holder(osm)).isEmpty();
        assertThat(change("back", "--in-place", "-A").err()).contains("select the namespace");
    }

    @Test
    void anAllowedWriteIsNoFailure() throws IOException {
        OsmInstallation osm = install("cluster-a", OsmCase.read("ubuntu-aws-default"));
        ObjectNode secret = osm.worker().objects().list("v1", "Secret", "cloud-init-settings").stream()
                .filter(object -> object.at("/metadata/name").asText().endsWith("-provisioning-config"))
                .findFirst()
                .orElseThrow();
        osm.worker()
                .objects()
                .delete(
                        "v1",
                        "Secret",
                        "cloud-init-settings",
                        secret.at("/metadata/name").asText());
        secret.withObject("/metadata").remove(List.of("uid", "resourceVersion"));
        secret.withObject("/data").put("cloud-config", "b3RoZXI=");
        osm.worker().objects().create(secret);
        try (HubService _ = startHub()) {
            assertThat(change("apply", "-n", "cluster-a").exit()).isOne();

            Run applied = change("apply", "--allow-writes", "-n", "cluster-a");

            assertThat(applied.out()).contains("Synced").endsWith("secrets written: 1, revisions moved: 0\n");
            assertThat(applied.exit()).isZero();
        }
    }

    private static List<String> configs(SimulatedCluster cluster, String namespace) {
        return cluster.objects().list(OSC_VERSION, "OperatingSystemConfig", namespace).stream()
                .map(object -> object.at("/metadata/name").asText())
                .toList();
    }

    @Test
    void theReturnStartsOsmEvenIfItWasStoppedBeforeTheTakeover() throws IOException {
        OsmInstallation osm = install("cluster-a", OsmCase.read("ubuntu-aws-default"));
        osm.patchDeployment("{\"spec\":{\"replicas\":0}}");
        try (HubService _ = startHub()) {
            Run applied = change("apply", "-A");
            assertThat(applied.err()).isEmpty();
            assertThat(replicas(osm)).isZero();

            Run returned = change("back", "-A");
            assertThat(returned.err()).isEmpty();
            assertThat(fleet.management()
                            .objects()
                            .get("apps/v1", "Deployment", "cluster-a", OsmInstallation.NAME)
                            .orElseThrow()
                            .at("/spec/replicas")
                            .asInt(1))
                    .isOne();
        }
    }

    @Test
    void nothingIsReturnedWhileAnExtensionApplies() throws IOException {
        OsmInstallation osm = install("cluster-a", OsmCase.read("ubuntu-aws-default"));
        try (HubService _ = startHub()) {
            assertThat(change("apply", "-A").err()).isEmpty();
            fleet.management().objects().create("""
                    {"apiVersion":"osmhub.io/v1alpha1","kind":"OperatingSystemProfileExtension",
                    "metadata":{"name":"corp-motd","namespace":"cluster-a"},"spec":{"policy":"Enforced","order":500,
                    "target":{"operatingSystems":["ubuntu"]},"provisioning":{"files":[
                    {"path":"/etc/motd.corp","operation":"Add","content":"x"}]}}}""");
            LiveApi.awaitTrue(() -> extensions().equals(List.of("corp-motd")));

            Run refused = change("back", "-A");

            assertThat(refused.exit()).isOne();
            assertThat(refused.err()).containsPattern("MachineDeployment \\S+/\\S+ in cluster-a: cluster-a/corp-motd");
            assertThat(replicas(osm)).isZero();
            assertThat(isSynced(osm)).isTrue();

            fleet.management()
                    .objects()
                    .delete("osmhub.io/v1alpha1", "OperatingSystemProfileExtension", "cluster-a", "corp-motd");
            LiveApi.awaitTrue(() -> extensions().isEmpty());
            assertThat(change("back", "-A").exit()).isZero();
        }
    }

    /** Names of the extensions in what was published. */
    private List<String> extensions() {
        return fleet.management().objects().list(OSC_VERSION, "OperatingSystemConfig", "cluster-a").stream()
                .flatMap(config -> config.at("/status/source/extensions").findValuesAsText("name").stream())
                .toList();
    }

    @Test
    void oneUnclearObjectStopsTheWholeTakeover() {
        install("cluster-a", OsmCase.read("ubuntu-aws-default"));
        install("cluster-b", OsmCase.read("rhel-aws-default")).renewLease("someone-else");

        Run run = change("apply", "-A");

        assertThat(run.exit()).isOne();
        assertThat(run.err())
                .contains("nothing was changed")
                .contains("Lease kube-system/operating-system-manager at "
                        + installations.getLast().worker().url() + ": is held by someone-else, which is not OSM");
        assertNothingWasWritten();
    }

    @Test
    void aFailedReadOfAWorkerClusterGetsNoAdviceForTheManagementCluster() {
        OsmInstallation installation = install("cluster-a", OsmCase.read("ubuntu-aws-default"));
        installation
                .worker()
                .faults()
                .script(line -> line.resource().equals("leases.coordination.k8s.io")
                        ? FaultAction.fail(403)
                        : FaultAction.PASS);

        Run run = plan("-n", "cluster-a");

        assertThat(run.out())
                .contains("unclear: namespace cluster-a: cannot be read (")
                .contains(" at " + installation.worker().url() + "); use a kubeconfig that may read it")
                .doesNotContain("osmhub.io:operator");
        assertNothingWasWritten();
    }

    @Test
    void anEmptyClusterHasNothingToMigrate() {
        Run all = plan("-A");
        Run one = plan("-n", "default");

        assertThat(all.exit()).isEqualTo(3);
        assertThat(all.err()).contains("no Deployment operating-system-manager");
        assertThat(one.exit()).isOne();
        assertThat(one.out()).contains("unclear: Deployment default/operating-system-manager: does not exist");
    }
}
