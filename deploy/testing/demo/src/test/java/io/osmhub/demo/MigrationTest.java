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
import io.osmhub.sim.SimulatedCluster;
import io.osmhub.sim.SimulationOptions;
import io.osmhub.sim.objects.JsonTrees;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
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
    void everyRenderingIsByteIdenticalToWhatOsmWrote(TestReporter reporter) {
        CASES.forEach(name -> install("cluster-" + name, OsmCase.read(name)));

        Run run = plan("-A", "-o", "json");

        assertThat(run.err()).isEmpty();
        assertThat(run.json().path("items").findValuesAsText("what")).isEmpty();
        assertThat(run.json().path("totals"))
                .isEqualTo(JsonTrees.read(
                        "{\"tenants\":9,\"machineDeployments\":9,\"secrets\":27,\"writes\":0,\"unclear\":0}"));
        assertThat(run.json().findValuesAsText("bootstrap")).hasSize(9).containsOnly("Identical");
        assertThat(run.json().findValuesAsText("provisioning")).hasSize(9).containsOnly("Identical");
        assertThat(run.json().findValuesAsText("kubeletBootstrap")).hasSize(9).containsOnly("Identical");
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

    @Test
    void namesWhatItDoesNotUnderstand() {
        OsmCase osmCase = OsmCase.read("ubuntu-aws-default");
        install("cluster-flag", osmCase)
                .patchDeployment(
                        "{\"spec\":{\"template\":{\"spec\":{\"containers\":[{\"name\":\"o\","
                                + "\"command\":[\"/usr/local/bin/osm-controller\",\"-namespace=kube-system\",\"-shiny=1\"]}]}}}}");
        install("cluster-profile", osmCase)
                .worker()
                .objects()
                .patch(
                        "operatingsystemmanager.k8c.io/v1alpha1",
                        "OperatingSystemProfile",
                        "kube-system",
                        "osp-ubuntu",
                        "{\"spec\":{\"provisioningConfig\":{\"files\":[{\"path\":\"/a\",\"permissions\":644,"
                                + "\"content\":{\"inline\":{\"encoding\":\"b64\",\"data\":\"{{ .Nope\"}}}]}}}");
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
    void anEmptyClusterHasNothingToMigrate() {
        Run all = plan("-A");
        Run one = plan("-n", "default");

        assertThat(all.exit()).isEqualTo(3);
        assertThat(all.err()).contains("no Deployment operating-system-manager");
        assertThat(one.exit()).isOne();
        assertThat(one.out()).contains("unclear: Deployment default/operating-system-manager: does not exist");
    }
}
