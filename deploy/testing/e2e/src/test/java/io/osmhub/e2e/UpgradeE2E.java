package io.osmhub.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.e2e.cluster.Await;
import io.osmhub.e2e.cluster.RealClusters;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A rolling upgrade and its rollback, as a Deployment does both: a pod of the other version starts and becomes ready before one of
 * the old ones ends. Meanwhile MachineDeployments are created without a pause; none is lost, and none is published twice.
 */
@Tag(RealClusters.ONE_VERSION)
final class UpgradeE2E {
    @RegisterExtension
    static final RealClusters CLUSTERS = RealClusters.withWorkers(2);

    private static final Duration LIMIT = Duration.ofMinutes(3);
    private static final Duration PAUSE = Duration.ofMillis(200);

    @Test
    void noPublishIsLostWhilePodsAreReplacedAndRolledBack() throws Exception {
        Path kubeconfig = RealTenant.prepareManagement(CLUSTERS.management(), CLUSTERS.folder());
        List<RealTenant> tenants = List.of(
                RealTenant.prepare("cluster-amber", CLUSTERS.management(), CLUSTERS.worker(1)),
                RealTenant.prepare("cluster-birch", CLUSTERS.management(), CLUSTERS.worker(2)));
        List<InstalledHub> running = new ArrayList<>();
        List<ContinuousReader> machines = new ArrayList<>();
        AtomicBoolean over = new AtomicBoolean();
        try {
            running.add(start(kubeconfig, Distribution.previousProgram(), "old-1"));
            running.add(start(kubeconfig, Distribution.previousProgram(), "old-2"));
            for (RealTenant tenant : tenants) {
                tenant.clusterInfo(ExampleObjects.clusterInfo("https://api.example.org:6443", tenant.worker()));
                tenant.storeProfile(ExampleObjects.profile());
                tenant.register().awaitSynced();
            }
            tenants.forEach(tenant -> machines.add(readStanding(tenant)));
            Queue<CreatedMachineDeployment> created = new ConcurrentLinkedQueue<>();
            Thread load = Thread.ofVirtual().start(() -> createUntil(over, tenants, created));

            replaceOldest(running, kubeconfig, Distribution.program(), "new-1");
            replaceOldest(running, kubeconfig, Distribution.program(), "new-2");
            replaceOldest(running, kubeconfig, Distribution.previousProgram(), "back-1");
            replaceOldest(running, kubeconfig, Distribution.previousProgram(), "back-2");
            over.set(true);
            load.join();

            machines.forEach(ContinuousReader::assertAlwaysReadable);
            assertThat(created).hasSizeGreaterThan(10);
            for (CreatedMachineDeployment each : created) {
                Await.until(each + " is published", LIMIT, each::isPublished);
            }
            for (CreatedMachineDeployment each : created) {
                assertThat(each.tenant().bootstrapTokens(each.names()))
                        .as("bootstrap tokens of " + each)
                        .hasSize(1);
            }
            System.out.printf("upgrade: %d MachineDeployments created, 0 publishes lost%n", created.size());
        } finally {
            over.set(true);
            machines.forEach(ContinuousReader::close);
            running.forEach(InstalledHub::close);
        }
    }

    /** Publishes a MachineDeployment, and reads what its machines would read. */
    private static ContinuousReader readStanding(RealTenant tenant) {
        CreatedMachineDeployment standing =
                new CreatedMachineDeployment(tenant, new MachineDeploymentObjectNames("kube-system", "standing"));
        tenant.worker().admin().create(ExampleObjects.machineDeployment("standing"));
        Await.until(standing + " is published", LIMIT, standing::isPublished);
        return ContinuousReader.start(tenant, standing.names());
    }

    private static void createUntil(
            AtomicBoolean over, List<RealTenant> tenants, Queue<CreatedMachineDeployment> created) {
        for (int number = 0; !over.get(); number++) {
            RealTenant tenant = tenants.get(number % tenants.size());
            MachineDeploymentObjectNames names = new MachineDeploymentObjectNames("kube-system", "workers-" + number);
            tenant.worker().admin().create(ExampleObjects.machineDeployment(names.name()));
            created.add(new CreatedMachineDeployment(tenant, names));
            try {
                Thread.sleep(PAUSE);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    private static InstalledHub start(Path kubeconfig, Path program, String pod) throws Exception {
        Path folder = Files.createDirectories(CLUSTERS.folder().resolve(pod));
        return InstalledHub.replica(pod, program, folder, kubeconfig, HubConfigurationText.FOR_TESTS)
                .awaitReady();
    }

    private static void replaceOldest(List<InstalledHub> running, Path kubeconfig, Path program, String pod)
            throws Exception {
        running.add(start(kubeconfig, program, pod));
        try (InstalledHub oldest = running.removeFirst()) {
            assertThat(oldest.terminate()).isZero();
        }
    }
}
