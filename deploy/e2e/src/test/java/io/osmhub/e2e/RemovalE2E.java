package io.osmhub.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.e2e.cluster.Await;
import io.osmhub.e2e.cluster.Clusters;
import io.osmhub.e2e.cluster.Resource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A tenant that goes leaves nothing where it can be reached, and does not hang where it cannot. */
final class RemovalE2E {
    @RegisterExtension
    static final Clusters CLUSTERS = Clusters.withWorkers(2);

    private static HubProcess hub;

    @BeforeAll
    static void start() {
        var kubeconfig = Tenant.prepareManagement(CLUSTERS.management(), CLUSTERS.folder());
        hub = HubProcess.run(CLUSTERS.folder(), kubeconfig, Configuration.FOR_TESTS)
                .awaitReady();
    }

    @AfterAll
    static void stop() {
        hub.close();
    }

    private static MachineDeploymentNames published(Tenant tenant) {
        tenant.clusterInfo(Examples.clusterInfo("https://api.example.org:6443", tenant.worker()));
        tenant.profile(Examples.profile());
        tenant.register().awaitSynced();
        ObjectNode machineDeployment = Examples.machineDeployment("workers");
        tenant.worker().admin().create(machineDeployment);
        MachineDeploymentNames names = MachineDeploymentNames.of(machineDeployment);
        Await.until("published", () -> tenant.secret(names.bootstrap()).isPresent());
        return names;
    }

    private static void awaitGone(Tenant tenant) {
        Await.until("the WorkerCluster is gone", () -> tenant.workerCluster().isEmpty());
    }

    @Test
    void aTenantWhoseWorkerAnswersLeavesNothingBehind() {
        Tenant tenant = Tenant.prepare("cluster-amber", CLUSTERS.management(), CLUSTERS.worker(1));
        MachineDeploymentNames names = published(tenant);

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
        Tenant tenant = Tenant.prepare("cluster-birch", CLUSTERS.management(), CLUSTERS.worker(2));
        MachineDeploymentNames names = published(tenant);
        tenant.settings("{cleanupTimeout: 2s}");

        tenant.worker().stop();
        tenant.unregister();

        awaitGone(tenant);
        Await.until("its configuration is gone", () -> tenant.osc(names.osc()).isEmpty());
        Await.until(
                "an Event says what stayed",
                () -> tenant.management().admin().list(Resource.EVENTS.in(tenant.namespace())).stream()
                        .anyMatch(event -> event.path("reason").asText().equals("WorkerCleanupIncomplete")));
    }
}
