package io.osmhub.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.e2e.cluster.Await;
import io.osmhub.e2e.cluster.Clusters;
import io.osmhub.e2e.cluster.Manifest;
import io.osmhub.e2e.cluster.RealCluster;
import io.osmhub.e2e.cluster.Resource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** {@code hub run --single}: one cluster is management and worker cluster. */
final class SingleE2E {
    @RegisterExtension
    static final Clusters CLUSTERS = Clusters.withWorkers(0);

    @Test
    void oneClusterServesItself() {
        RealCluster cluster = CLUSTERS.management();
        Clusters.installMachineKinds(cluster);
        var kubeconfig = Tenant.prepareEmptyManagement(cluster, CLUSTERS.folder());
        Tenant tenant = Tenant.prepare(HubProcess.NAMESPACE, cluster, cluster);
        Manifest.file(ShippedManifests.FOLDER.resolve("rbac-single.yaml")).forEach(cluster.admin()::apply);
        tenant.clusterInfo(Examples.clusterInfo("https://api.example.org:6443", cluster));
        ObjectNode machineDeployment = Examples.machineDeployment("workers");
        MachineDeploymentNames names = MachineDeploymentNames.of(machineDeployment);

        try (HubProcess hub = HubProcess.run(CLUSTERS.folder(), kubeconfig, Configuration.FOR_TESTS, "--single")
                .awaitReady()) {
            tenant.profile(Examples.profile());
            cluster.admin().create(machineDeployment);

            Await.until("published", () -> tenant.secret(names.bootstrap()).isPresent());
            // It is written last.
            Await.until("its OperatingSystemConfig is stored", () -> tenant.osc(names.osc())
                    .isPresent());
            Await.until("its WorkerCluster is synced", () -> cluster.admin()
                    .find(Resource.WORKER_CLUSTERS.in(HubProcess.NAMESPACE, "local"))
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
