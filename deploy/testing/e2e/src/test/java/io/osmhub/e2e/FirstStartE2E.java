package io.osmhub.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.e2e.cluster.ApiResource;
import io.osmhub.e2e.cluster.Await;
import io.osmhub.e2e.cluster.ManifestObjects;
import io.osmhub.e2e.cluster.RealCluster;
import io.osmhub.e2e.cluster.RealClusters;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A hub that starts in a cluster without its CustomResourceDefinitions, with those of others, and without its namespace. */
final class FirstStartE2E {
    private static final Path OSM_DEFINITIONS = Path.of(System.getProperty("osmhub.root", "../../.."))
            .resolve("core/src/test/resources/contracts/peer-crds.yaml");

    @RegisterExtension
    static final RealClusters CLUSTERS = RealClusters.withWorkers(4);

    private static MachineDeploymentObjectNames publish(RealTenant tenant) {
        ObjectNode machineDeployment = ExampleObjects.machineDeployment("workers");
        machineDeployment.withObject("/metadata/annotations").put("k8c.io/operating-system-profile", "osp-ubuntu");
        tenant.worker().admin().create(machineDeployment);
        tenant.clusterInfo(ExampleObjects.clusterInfo("https://api.example.org:6443", tenant.worker()));
        return MachineDeploymentObjectNames.of(machineDeployment);
    }

    private static Optional<JsonNode> defaultProfile(RealCluster cluster) {
        return cluster.admin().find(ApiResource.OSPS.in("osm-profiles", "osp-ubuntu"));
    }

    /** The account has every right, so that the hub may create its namespace; that of the shared profiles is the operator's. */
    @Test
    void anEmptyClusterWithoutTheHubsNamespace() {
        RealCluster management = CLUSTERS.management();
        RealTenant tenant = RealTenant.prepare("cluster-amber", management, CLUSTERS.worker(1));
        Path kubeconfig = InstalledHub.write(
                CLUSTERS.folder().resolve("admin.kubeconfig"), management.kubeconfig(management.adminToken()));
        MachineDeploymentObjectNames names = publish(tenant);

        try (InstalledHub hub = InstalledHub.run(CLUSTERS.folder(), kubeconfig, HubConfigurationText.FOR_TESTS)
                .awaitReady()) {
            Await.until(
                    "the missing namespace is reported",
                    () -> hub.process().output().contains("create namespace osm-profiles"));
            management.admin().apply(ManifestObjects.namespace("osm-profiles"));
            Await.awaitPresent("the default profiles are installed", () -> defaultProfile(management));
            tenant.register().awaitSynced();

            assertThat(tenant.secret(names.bootstrap())).isPresent();
            assertThat(management.admin().find(ApiResource.NAMESPACES.named(InstalledHub.NAMESPACE)))
                    .isPresent();
            assertThat(hub.terminate()).isZero();
        }
    }

    /** As the manifests install it, in the default mode for replicas; there are no definitions. */
    @Test
    void anEmptyClusterWithTheShippedPermissions() {
        RealCluster management = CLUSTERS.worker(3);
        RealTenant tenant = RealTenant.prepare("cluster-blue", management, CLUSTERS.worker(4));
        Path kubeconfig = RealTenant.prepareEmptyManagement(management, CLUSTERS.folder());
        MachineDeploymentObjectNames names = publish(tenant);

        try (InstalledHub hub = InstalledHub.run(CLUSTERS.folder(), kubeconfig, HubConfigurationText.FOR_TESTS)
                .awaitReady()) {
            Await.awaitPresent("the default profiles are installed", () -> defaultProfile(management));
            tenant.register().awaitSynced();

            assertThat(tenant.secret(names.bootstrap())).isPresent();
            assertThat(hub.terminate()).isZero();
        }
    }

    /** One cluster that serves itself: the definitions are those of Operating System Manager (OSM) at first. */
    @Test
    void definitionsOfOsmThatAreReplacedAndComeBack() {
        RealCluster cluster = CLUSTERS.worker(2);
        JsonNode definitions = ManifestObjects.file(OSM_DEFINITIONS).getFirst();
        for (String kind : new String[] {"osp", "osc"}) {
            cluster.admin().apply(definitions.path(kind));
            RealClusters.awaitServed(cluster, ManifestObjects.name(definitions.path(kind)));
        }
        Path kubeconfig = RealTenant.prepareEmptyManagement(cluster, CLUSTERS.folder());
        RealTenant tenant = RealTenant.prepare(InstalledHub.NAMESPACE, cluster, cluster);
        ShippedManifests.chart(cluster, "--set", "mode=Single", "--show-only", "templates/rbac-single.yaml")
                .forEach(cluster.admin()::apply);
        MachineDeploymentObjectNames names = publish(tenant);

        try (InstalledHub hub = InstalledHub.run(
                        CLUSTERS.folder(), kubeconfig, HubConfigurationText.FOR_TESTS, "--single")
                .awaitReady()) {
            JsonNode profile = Await.awaitPresent("the default profiles are installed", () -> defaultProfile(cluster));
            assertThat(profile.path("spec").has("templateEngine")).isFalse();
            assertThat(profile.has("status")).isFalse();
            Await.until("published", () -> tenant.secret(names.bootstrap()).isPresent());
            Await.until("the profile's status is an annotation", () -> annotated(defaultProfile(cluster))
                    .contains("TemplatesVerified"));
            Await.until("so is that of the configuration", () -> annotated(tenant.osc(names.osc()))
                    .contains("\"newNodes\":\"Current\""));

            apply(cluster, ShippedManifests.FOLDER.resolve("crds"));
            assertThat(hub.terminate()).isZero();
        }
        try (InstalledHub hub = InstalledHub.run(
                        CLUSTERS.folder(), kubeconfig, HubConfigurationText.FOR_TESTS, "--single")
                .awaitReady()) {
            Await.until("the profile is judged Valid", () -> defaultProfile(cluster)
                    .orElseThrow()
                    .at("/status/conditions/0/status")
                    .asText()
                    .equals("True"));
            Await.until("the status of the configuration has moved with its history", () -> tenant.osc(names.osc())
                    .filter(found -> !found.path("status").path("history").isEmpty())
                    .isPresent());

            cluster.admin().apply(definitions.path("osp"));
            cluster.admin().apply(definitions.path("osc"));
            String before = annotated(tenant.osc(names.osc()));
            cluster.admin()
                    .merge(
                            names.path(),
                            "{metadata: {annotations: {v1.kubelet-config.machine-controller.kubermatic.io/MaxPods: '57'}}}");

            Await.until(
                    "the next status is an annotation",
                    () -> !annotated(tenant.osc(names.osc())).equals(before)
                            && annotated(tenant.osc(names.osc())).contains("\"newNodes\":\"Current\""));
            assertThat(tenant.osc(names.osc()).orElseThrow().has("status")).isFalse();
            assertThat(hub.terminate()).isZero();
        }
    }

    private static void apply(RealCluster cluster, Path folder) {
        for (String kind : new String[] {"operatingsystemprofiles", "operatingsystemconfigs"}) {
            cluster.admin()
                    .apply(ManifestObjects.file(folder.resolve(kind + ".operatingsystemmanager.k8c.io.yaml"))
                            .getFirst());
        }
    }

    /** The status where the definition stores none. */
    private static String annotated(Optional<JsonNode> object) {
        return object.map(found -> found.at("/metadata/annotations")
                        .path("osmhub.io/status")
                        .asText())
                .orElse("");
    }
}
