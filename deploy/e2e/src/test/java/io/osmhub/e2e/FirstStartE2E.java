package io.osmhub.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.e2e.cluster.Await;
import io.osmhub.e2e.cluster.Clusters;
import io.osmhub.e2e.cluster.Manifest;
import io.osmhub.e2e.cluster.RealCluster;
import io.osmhub.e2e.cluster.Resource;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A hub that starts in a cluster without its CustomResourceDefinitions, with those of others, and without its namespace. */
final class FirstStartE2E {
    private static final Path OSM_DEFINITIONS = Path.of(System.getProperty("osmhub.root", "../.."))
            .resolve("core/src/test/resources/contracts/peer-crds.yaml");
    private static final String PROFILES = "operatingsystemprofiles.operatingsystemmanager.k8c.io";

    @RegisterExtension
    static final Clusters CLUSTERS = Clusters.withWorkers(4);

    private static MachineDeploymentNames publish(Tenant tenant) {
        ObjectNode machineDeployment = Examples.machineDeployment("workers");
        machineDeployment.withObject("/metadata/annotations").put("k8c.io/operating-system-profile", "osp-ubuntu");
        tenant.worker().admin().create(machineDeployment);
        tenant.clusterInfo(Examples.clusterInfo("https://api.example.org:6443", tenant.worker()));
        return MachineDeploymentNames.of(machineDeployment);
    }

    private static Optional<JsonNode> defaultProfile(RealCluster cluster) {
        return cluster.admin().find(Resource.OSPS.in("osm-profiles", "osp-ubuntu"));
    }

    /** The account has every right, so that the hub may create its namespace; that of the shared profiles is the operator's. */
    @Test
    void anEmptyClusterWithoutTheHubsNamespace() {
        RealCluster management = CLUSTERS.management();
        Tenant tenant = Tenant.prepare("cluster-amber", management, CLUSTERS.worker(1));
        Path kubeconfig = HubProcess.write(
                CLUSTERS.folder().resolve("admin.kubeconfig"), management.kubeconfig(management.adminToken()));
        MachineDeploymentNames names = publish(tenant);

        try (HubProcess hub = HubProcess.run(CLUSTERS.folder(), kubeconfig, Configuration.FOR_TESTS)
                .awaitReady()) {
            Await.until(
                    "the missing namespace is reported",
                    () -> hub.process().output().contains("run: kubectl create namespace osm-profiles"));
            management.admin().apply(Manifest.namespace("osm-profiles"));
            Await.present("the default profiles are installed", () -> defaultProfile(management));
            tenant.register().awaitSynced();

            assertThat(tenant.secret(names.bootstrap())).isPresent();
            assertThat(management.admin().find(Resource.NAMESPACES.named(HubProcess.NAMESPACE)))
                    .isPresent();
            assertThat(hub.terminate()).isZero();
        }
    }

    /** As the manifests install it, in the default mode for replicas; there are no definitions. */
    @Test
    void anEmptyClusterWithTheShippedPermissions() {
        RealCluster management = CLUSTERS.worker(3);
        Tenant tenant = Tenant.prepare("cluster-blue", management, CLUSTERS.worker(4));
        Path kubeconfig = Tenant.prepareEmptyManagement(management, CLUSTERS.folder());
        MachineDeploymentNames names = publish(tenant);

        try (HubProcess hub = HubProcess.run(CLUSTERS.folder(), kubeconfig, Configuration.FOR_TESTS)
                .awaitReady()) {
            Await.present("the default profiles are installed", () -> defaultProfile(management));
            tenant.register().awaitSynced();

            assertThat(tenant.secret(names.bootstrap())).isPresent();
            assertThat(hub.terminate()).isZero();
        }
    }

    /** One cluster that serves itself: the definitions are those of Operating System Manager (OSM) at first. */
    @Test
    void definitionsOfOsmThatAreReplacedWhileTheHubRuns() {
        RealCluster cluster = CLUSTERS.worker(2);
        JsonNode definitions = Manifest.file(OSM_DEFINITIONS).getFirst();
        for (String kind : new String[] {"osp", "osc"}) {
            cluster.admin().apply(definitions.path(kind));
            Clusters.awaitServed(cluster, Manifest.name(definitions.path(kind)));
        }
        Path kubeconfig = Tenant.prepareEmptyManagement(cluster, CLUSTERS.folder());
        Tenant tenant = Tenant.prepare(HubProcess.NAMESPACE, cluster, cluster);
        Manifest.file(ShippedManifests.FOLDER.resolve("rbac-single.yaml")).forEach(cluster.admin()::apply);
        MachineDeploymentNames names = publish(tenant);

        try (HubProcess hub = HubProcess.run(CLUSTERS.folder(), kubeconfig, Configuration.FOR_TESTS, "--single")
                .awaitReady()) {
            JsonNode profile = Await.present("the default profiles are installed", () -> defaultProfile(cluster));
            assertThat(profile.path("spec").has("templateEngine")).isFalse();
            assertThat(profile.has("status")).isFalse();
            Await.until("published", () -> tenant.secret(names.bootstrap()).isPresent());

            cluster.admin()
                    .apply(Manifest.file(ShippedManifests.FOLDER.resolve("crds/" + PROFILES + ".yaml"))
                            .getFirst());

            Await.until("the profile is judged Valid", () -> defaultProfile(cluster)
                    .orElseThrow()
                    .at("/status/conditions/0/status")
                    .asText()
                    .equals("True"));
            assertThat(hub.terminate()).isZero();
        }
    }
}
