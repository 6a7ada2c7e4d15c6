package io.osmhub.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.e2e.cluster.ApiResource;
import io.osmhub.e2e.cluster.Await;
import io.osmhub.e2e.cluster.RealCluster;
import io.osmhub.e2e.cluster.RealClusters;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** {@code hub run --single}: one cluster is management and worker cluster. */
final class SingleE2E {
    @RegisterExtension
    static final RealClusters CLUSTERS = RealClusters.withWorkers(0);

    @Test
    void oneClusterServesItself() {
        RealCluster cluster = CLUSTERS.management();
        RealClusters.installMachineKinds(cluster);
        var kubeconfig = RealTenant.prepareEmptyManagement(cluster, CLUSTERS.folder());
        RealTenant tenant = RealTenant.prepare(InstalledHub.NAMESPACE, cluster, cluster);
        ShippedManifests.chart(cluster, "--set", "mode=Single", "--show-only", "templates/rbac-single.yaml")
                .forEach(cluster.admin()::apply);
        tenant.clusterInfo(ExampleObjects.clusterInfo("https://api.example.org:6443", cluster));
        ObjectNode machineDeployment = ExampleObjects.machineDeployment("workers");
        MachineDeploymentObjectNames names = MachineDeploymentObjectNames.of(machineDeployment);

        try (InstalledHub hub = InstalledHub.run(
                        CLUSTERS.folder(), kubeconfig, HubConfigurationText.FOR_TESTS, "--single")
                .awaitReady()) {
            tenant.storeProfile(ExampleObjects.profile());
            cluster.admin().create(machineDeployment);

            Await.until("published", () -> tenant.secret(names.bootstrap()).isPresent());
            // It is written last.
            Await.until("its OperatingSystemConfig is stored", () -> tenant.osc(names.osc())
                    .isPresent());
            Await.until("its WorkerCluster is synced", () -> cluster.admin()
                    .find(ApiResource.WORKER_CLUSTERS.in(InstalledHub.NAMESPACE, "local"))
                    .filter(found -> found.path("status").path("state").asText().equals("Synced"))
                    .isPresent());

            cluster.admin().delete(names.path());
            Await.until("gone", () -> cluster.admin().find(names.path()).isEmpty());
            assertThat(names.secrets())
                    .allSatisfy(secret -> assertThat(tenant.secret(secret)).isEmpty());
            assertThat(hub.terminate()).isZero();
        }
    }
}
