package io.osmhub.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.osmhub.e2e.cluster.AuditLog;
import io.osmhub.e2e.cluster.Await;
import io.osmhub.e2e.cluster.RealClusters;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.extension.RegisterExtension;

/** How much the hub asks of API servers, counted by them. */
final class RequestsE2E {
    @RegisterExtension
    static final RealClusters CLUSTERS = RealClusters.withWorkers(1);

    /** Requests for one new MachineDeployment until its secrets are readable. */
    private static final int BUDGET = 6;

    private static InstalledHub hub;
    private static RealTenant tenant;

    @BeforeAll
    static void start() {
        var kubeconfig = RealTenant.prepareManagement(CLUSTERS.management(), CLUSTERS.folder());
        tenant = RealTenant.prepare("cluster-amber", CLUSTERS.management(), CLUSTERS.worker(1));
        tenant.clusterInfo(ExampleObjects.clusterInfo("https://api.example.org:6443", tenant.worker()));
        tenant.storeProfile(ExampleObjects.profile());
        hub = InstalledHub.run(CLUSTERS.folder(), kubeconfig, HubConfigurationText.FOR_TESTS)
                .awaitReady();
        tenant.register().awaitSynced();
        // The first one may load what the others share.
        awaitStatus(publish("first"));
    }

    @AfterAll
    static void stop() {
        hub.close();
    }

    private static MachineDeploymentObjectNames publish(String name) {
        var machineDeployment = ExampleObjects.machineDeployment(name);
        tenant.worker().admin().create(machineDeployment);
        MachineDeploymentObjectNames names = MachineDeploymentObjectNames.of(machineDeployment);
        Await.until("published", () -> tenant.secret(names.bootstrap()).isPresent());
        return names;
    }

    /** The last that is written. */
    private static void awaitStatus(MachineDeploymentObjectNames names) {
        Await.until("its status is written", () -> tenant.osc(names.osc())
                .filter(osc -> osc.path("status").has("conditions"))
                .isPresent());
    }

    @Test
    void aNewMachineDeploymentTakesSixRequestsAndNoReading(TestReporter reporter) {
        Marks marks = new Marks();

        MachineDeploymentObjectNames names = publish("counted");
        awaitStatus(names);

        List<AuditLog.Entry> asked = marks.asked();
        reporter.publishEntry("requests", asked.toString());
        assertThat(asked).filteredOn(AuditLog.Entry::reads).isEmpty();
        assertThat(asked)
                .filteredOn(entry -> !entry.resource().endsWith("/status"))
                .hasSizeLessThanOrEqualTo(BUDGET);
        assertThat(asked)
                .filteredOn(entry -> entry.resource().equals("operatingsystemconfigs/status"))
                .filteredOn(entry -> entry.name().equals(names.osc()))
                .hasSize(1);
    }

    @Test
    void nothingIsReadAndNothingWrittenWhileNothingHappens() {
        publish("resting");
        Marks[] marks = {new Marks()};

        // Starts again after each request, so what follows a publication passes first.
        await().atMost(Duration.ofMinutes(2))
                .pollInterval(Duration.ofMillis(500))
                .during(Duration.ofSeconds(15))
                .until(() -> {
                    List<AuditLog.Entry> asked = marks[0].asked();
                    if (!asked.isEmpty()) {
                        marks[0] = new Marks();
                    }
                    return asked.isEmpty();
                });
    }

    /** Places in the logs of both API servers. */
    private static final class Marks {
        private final long inWorker = tenant.worker().audit().position();
        private final long inManagement = tenant.management().audit().position();

        /** All that the hub asked since, but for watches (open all the time) and the Lease of its membership. */
        List<AuditLog.Entry> asked() {
            List<AuditLog.Entry> asked =
                    new ArrayList<>(tenant.worker().audit().since(inWorker, RealTenant.HUB_IN_WORKER));
            asked.addAll(tenant.management().audit().since(inManagement, RealTenant.HUB_IN_MANAGEMENT));
            asked.removeIf(
                    entry -> entry.verb().equals("watch") || entry.resource().equals("leases"));
            return asked;
        }
    }
}
