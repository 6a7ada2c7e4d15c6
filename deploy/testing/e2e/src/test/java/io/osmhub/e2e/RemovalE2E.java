package io.osmhub.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.e2e.cluster.ApiResource;
import io.osmhub.e2e.cluster.Await;
import io.osmhub.e2e.cluster.RealClusters;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A tenant that goes leaves nothing where it can be reached, and does not hang where it cannot. */
final class RemovalE2E {
    @RegisterExtension
    static final RealClusters CLUSTERS = RealClusters.withWorkers(2);

    private static InstalledHub hub;

    @BeforeAll
    static void start() {
        var kubeconfig = RealTenant.prepareManagement(CLUSTERS.management(), CLUSTERS.folder());
        hub = InstalledHub.run(CLUSTERS.folder(), kubeconfig, HubConfigurationText.FOR_TESTS)
                .awaitReady();
    }

    @AfterAll
    static void stop() {
        hub.close();
    }

    private static MachineDeploymentObjectNames published(RealTenant tenant) {
        tenant.clusterInfo(ExampleObjects.clusterInfo("https://api.example.org:6443", tenant.worker()));
        tenant.storeProfile(ExampleObjects.profile());
        tenant.register().awaitSynced();
        ObjectNode machineDeployment = ExampleObjects.machineDeployment("workers");
        tenant.worker().admin().create(machineDeployment);
        MachineDeploymentObjectNames names = MachineDeploymentObjectNames.of(machineDeployment);
        Await.until("published", () -> tenant.secret(names.bootstrap()).isPresent());
        return names;
    }

    private static void awaitGone(RealTenant tenant) {
        Await.until("the WorkerCluster is deleted", () -> tenant.workerCluster().isEmpty());
    }

    @Test
    void aTenantWhoseWorkerAnswersLeavesNothingBehind() {
        RealTenant tenant = RealTenant.prepare("cluster-amber", CLUSTERS.management(), CLUSTERS.worker(1));
        MachineDeploymentObjectNames names = published(tenant);

        tenant.unregister();

        awaitGone(tenant);
        assertThat(names.secrets())
                .allSatisfy(secret -> assertThat(tenant.secret(secret)).isEmpty());
        assertThat(tenant.bootstrapTokens(names)).isEmpty();
        assertThat(tenant.osc(names.osc())).isEmpty();
        assertThat(tenant.worker().admin().get(names.path()).path("metadata").path("finalizers"))
                .isEmpty();
    }

    @Test
    void aTenantWhoseWorkerIsDeadGoesAllTheSame() {
        RealTenant tenant = RealTenant.prepare("cluster-birch", CLUSTERS.management(), CLUSTERS.worker(2));
        MachineDeploymentObjectNames names = published(tenant);
        tenant.mergeSettings("{cleanupTimeout: 2s}");

        tenant.worker().stop();
        tenant.unregister();

        awaitGone(tenant);
        Await.until(
                "its configuration is deleted", () -> tenant.osc(names.osc()).isEmpty());
        Await.until(
                "an Event says what stayed",
                () -> tenant.management().admin().list(ApiResource.EVENTS.in(tenant.namespace())).stream()
                        .anyMatch(event -> event.path("reason").asText().equals("WorkerCleanupIncomplete")));
    }
}
