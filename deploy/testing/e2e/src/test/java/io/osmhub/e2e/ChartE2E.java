package io.osmhub.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.core.resource.ShippedDefinition;
import io.osmhub.e2e.cluster.ApiResource;
import io.osmhub.e2e.cluster.Await;
import io.osmhub.e2e.cluster.ClusterClient;
import io.osmhub.e2e.cluster.ManifestObjects;
import io.osmhub.e2e.cluster.RealCluster;
import io.osmhub.e2e.cluster.RealClusters;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** {@code helm install} on a real API server, and what it does where others own a CustomResourceDefinition. */
final class ChartE2E {
    @RegisterExtension
    static final RealClusters CLUSTERS = RealClusters.withWorkers(5);

    private static final ApiResource DEFINITIONS =
            new ApiResource("apiextensions.k8s.io", "v1", "customresourcedefinitions");
    private static final ApiResource SERVICE_MONITORS =
            new ApiResource("monitoring.coreos.com", "v1", "servicemonitors");
    private static final Path OSM_DEFINITIONS = Path.of(System.getProperty("osmhub.root", "../../.."))
            .resolve("core/src/test/resources/contracts/peer-crds.yaml");
    private static final List<String> OSM_KINDS = List.of(
            "operatingsystemconfigs.operatingsystemmanager.k8c.io",
            "operatingsystemprofiles.operatingsystemmanager.k8c.io");

    // There is no network of Services, so an API server cannot call a webhook.
    private static final String[] WITHOUT_WEBHOOKS = {"--set", "webhooks.install=false"};

    private static void createNamespace(RealCluster cluster, String name) {
        cluster.admin().apply(ManifestObjects.namespace(name));
    }

    /** The values with which the chart is rendered by {@code ./hub chart} too. */
    static Stream<Path> valueFiles() {
        try (Stream<Path> files = Files.list(HelmChart.TOOLS.resolve("values"))) {
            return Stream.concat(Stream.of(HelmChart.FOLDER.resolve("values.yaml")), files.sorted().toList().stream());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @ParameterizedTest
    @MethodSource("valueFiles")
    void everyRenderingPassesAServerSideDryRun(Path values) {
        RealCluster cluster = CLUSTERS.worker(4);
        installPrometheusOperatorKinds(cluster);
        // A dry run creates no namespace for the objects after it.
        for (String name : List.of(
                InstalledHub.NAMESPACE,
                "cloud-init-settings",
                "kubermatic",
                "osm-profiles",
                "shared-profiles",
                "tenant-a",
                "tenant-b")) {
            createNamespace(cluster, name);
        }

        List<ObjectNode> objects = HelmChart.render("--values", values.toString());

        assertThat(objects).isNotEmpty().allSatisfy(object -> cluster.admin().dryRunApply(object));
    }

    private static void installPrometheusOperatorKinds(RealCluster cluster) {
        if (cluster.admin()
                .find(DEFINITIONS.named("servicemonitors.monitoring.coreos.com"))
                .isPresent()) {
            return;
        }
        for (String kind : List.of("podmonitors", "servicemonitors", "prometheusrules")) {
            ManifestObjects.file(HelmChart.programs().resolve("definitions/" + kind + ".yaml"))
                    .forEach(cluster.admin()::apply);
            RealClusters.awaitServed(cluster, kind + ".monitoring.coreos.com");
        }
        // The server answers with an error until it has initialized their storage.
        Await.untilAsserted(() -> assertThatCode(() -> cluster.admin().list(SERVICE_MONITORS.all()))
                .doesNotThrowAnyException());
    }

    /** Nothing but the chart is in the management cluster, and the hub has no other permissions than the chart's. */
    @Test
    void anInstalledHubServesATenantAndIsUpgradedAndRemoved() {
        RealCluster management = CLUSTERS.management();
        createNamespace(management, InstalledHub.NAMESPACE);
        RealTenant tenant = RealTenant.prepareUnbound("cluster-green", management, CLUSTERS.worker(1));
        String[] options = {
            "--set", "webhooks.install=false",
            "--set", "tenants.namespaces={cluster-green}",
            "--set-json", """
            config={"kubeconfigPolicy": {"allow": ["Loopback"]}, "api": {"address": ""}, "webhooks": {"address": ""}, "log": {"format": "console"}}"""
        };

        HelmChart.helm(management, "install", options).expectSuccess();
        OSM_KINDS.forEach(kind -> RealClusters.awaitServed(management, kind));
        String configuration = management
                .admin()
                .get(ApiResource.CONFIG_MAPS.in(InstalledHub.NAMESPACE, "osm-hub-config"))
                .at("/data/hub.yaml")
                .asText();
        ObjectNode machineDeployment = ExampleObjects.machineDeployment("workers");
        machineDeployment.withObject("/metadata/annotations").put("k8c.io/operating-system-profile", "osp-ubuntu");
        tenant.worker().admin().create(machineDeployment);
        tenant.clusterInfo(ExampleObjects.clusterInfo("https://api.example.org:6443", tenant.worker()));
        Path kubeconfig = InstalledHub.write(
                CLUSTERS.folder().resolve("hub.kubeconfig"),
                management.kubeconfig(management.token(InstalledHub.NAMESPACE, "osm-hub")));
        MachineDeploymentObjectNames names = MachineDeploymentObjectNames.of(machineDeployment);
        try (InstalledHub hub =
                InstalledHub.run(CLUSTERS.folder(), kubeconfig, configuration).awaitReady()) {
            tenant.register().awaitSynced();
            assertThat(tenant.secret(names.bootstrap())).isPresent();
            assertThat(tenant.secret(names.provisioning())).isPresent();

            HelmChart.helm(
                            management,
                            "upgrade",
                            Stream.concat(Stream.of(options), Stream.of("--set", "replicas=3"))
                                    .toArray(String[]::new))
                    .expectSuccess();

            assertThat(management
                            .admin()
                            .stored(deployment())
                            .at("/spec/replicas")
                            .asInt())
                    .isEqualTo(3);
            assertThat(hub.terminate()).isZero();
        }
        checkPolicies(tenant, names);

        HelmChart.helm(management, "uninstall").expectSuccess();

        assertThat(management.admin().list(DEFINITIONS.all())).hasSize(ShippedDefinition.values().length);
        assertThat(management.admin().find(ApiResource.NAMESPACES.named("osm-profiles")))
                .isPresent();
        assertThat(tenant.osc(names.osc())).isPresent();
        assertThat(tenant.secret(names.bootstrap())).isPresent();
    }

    private static ObjectNode deployment() {
        return ManifestObjects.object("""
                {apiVersion: apps/v1, kind: Deployment, metadata: {name: osm-hub, namespace: osm-hub}}""");
    }

    /** What the webhooks check too, here by the API server alone, while no hub runs. */
    private static void checkPolicies(RealTenant tenant, MachineDeploymentObjectNames names) {
        var admin = tenant.management().admin();
        var osc = ApiResource.OSCS.in(tenant.namespace(), names.osc());
        var osp = ApiResource.OSPS.in("osm-profiles", "osp-ubuntu");

        assertThatThrownBy(() -> admin.merge(osc, "{spec: {osName: debian}}"))
                .hasMessageContaining("OperatingSystemConfig is immutable and updates are not allowed");
        assertThatThrownBy(() -> admin.merge(osp, "{spec: {osVersion: '1'}}"))
                .hasMessageContaining(
                        "OperatingSystemProfile is immutable. For updates .spec.version needs to be updated");

        admin.merge(osc, "{metadata: {labels: {example.org/kept: 'true'}}}");
        admin.merge(osp, "{metadata: {labels: {example.org/kept: 'true'}}}");
        admin.merge(osp, "{spec: {osVersion: '1', version: v99.0.0}}");
        try (ClusterClient hub =
                tenant.management().client(tenant.management().token(InstalledHub.NAMESPACE, "osm-hub"))) {
            hub.merge(osp, "{spec: {osVersion: '2'}}");
        }
    }

    /** KubeOne and KKP own these definitions in their clusters, and apply them again on every upgrade. */
    @Test
    void definitionsOfAnotherOwnerStayAsTheyAre() {
        RealCluster cluster = CLUSTERS.worker(2);
        createNamespace(cluster, InstalledHub.NAMESPACE);
        applyDefinitionsOfOsm(cluster);
        List<JsonNode> before = specs(cluster);

        HelmChart.helm(cluster, "install", WITHOUT_WEBHOOKS).expectSuccess();
        HelmChart.helm(cluster, "upgrade", WITHOUT_WEBHOOKS).expectSuccess();
        HelmChart.helm(cluster, "uninstall").expectSuccess();

        assertThat(specs(cluster)).isEqualTo(before);
        assertThat(cluster.admin().find(DEFINITIONS.named("workerclusters.osmhub.io")))
                .isPresent();
    }

    /** They keep the labels and annotations of the chart's. */
    @Test
    void definitionsThatAnotherOwnerReplacesStayAsTheyAre() {
        RealCluster cluster = CLUSTERS.worker(5);
        createNamespace(cluster, InstalledHub.NAMESPACE);
        HelmChart.helm(cluster, "install", WITHOUT_WEBHOOKS).expectSuccess();
        OSM_KINDS.forEach(kind -> RealClusters.awaitServed(cluster, kind));
        applyDefinitionsOfOsm(cluster);
        List<JsonNode> before = specs(cluster);

        HelmChart.helm(cluster, "upgrade", WITHOUT_WEBHOOKS).expectSuccess();

        assertThat(specs(cluster)).isEqualTo(before).allSatisfy(definition -> assertThat(definition
                        .at("/metadata/labels/app.kubernetes.io~1part-of")
                        .asText())
                .isEqualTo("osm-hub"));
    }

    private static void applyDefinitionsOfOsm(RealCluster cluster) {
        JsonNode definitions = ManifestObjects.file(OSM_DEFINITIONS).getFirst();
        for (String kind : List.of("osp", "osc")) {
            cluster.admin().apply(definitions.path(kind));
            RealClusters.awaitServed(cluster, ManifestObjects.name(definitions.path(kind)));
        }
    }

    private static List<JsonNode> specs(RealCluster cluster) {
        return OSM_KINDS.stream()
                .map(kind -> cluster.admin().get(DEFINITIONS.named(kind)))
                .<JsonNode>map(ClusterClient::asWritten)
                .toList();
    }

    /** The hub and the plain manifests installed them; Helm takes over everything else. */
    @Test
    void anInstallationWithKubectlIsAdoptedAndItsDefinitionsAreLeftToTheHub() {
        RealCluster cluster = CLUSTERS.worker(3);
        ShippedManifests.management().stream()
                .filter(object -> !ShippedManifests.webhookConfigurations().contains(object))
                .forEach(cluster.admin()::apply);
        ShippedManifests.definitions().forEach(cluster.admin()::apply);
        assertThat(HelmChart.helm(cluster, "install", WITHOUT_WEBHOOKS).code()).isNotZero();

        HelmChart.helm(
                        cluster,
                        "install",
                        Stream.concat(Stream.of("--take-ownership"), Stream.of(WITHOUT_WEBHOOKS))
                                .toArray(String[]::new))
                .expectSuccess();

        Optional<JsonNode> definition = cluster.admin().find(DEFINITIONS.named(OSM_KINDS.getFirst()));
        assertThat(definition.orElseThrow().at("/metadata/annotations").has("meta.helm.sh/release-name"))
                .isFalse();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    replicas=0                                       | replicas
                    replicas=two                                     | replicas
                    mode=Multi                                       | mode
                    size=Tiny                                        | size
                    image.digest=latest                              | digest
                    image.repo=other                                 | repo
                    tenant.namespaces={a}                            | tenant
                    tenants.namespaces={Upper}                       | tenants
                    tenants.namespaces={a,a}                         | tenants
                    resources.limits.memory=lots                     | memory
                    service.type=External                            | type
                    monitoring.scrape=Yes                            | scrape
                    config.log.level=loud                            | level
                    config.logs.level=info                           | logs
                    config.tenancy.sharedProfileNamespace=Not_a_name | sharedProfileNamespace
                    crds.install=maybe                               | install
                    """)
    void theSchemaRejectsAnInvalidValue(String value, String named) {
        assertThatThrownBy(() -> HelmChart.render("--set", value))
                .hasMessageContaining("values don't meet the specifications of the schema")
                .hasMessageContaining(named);
    }
}
