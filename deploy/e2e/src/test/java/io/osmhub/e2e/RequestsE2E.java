package io.osmhub.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.e2e.cluster.AuditLog;
import io.osmhub.e2e.cluster.Await;
import io.osmhub.e2e.cluster.Clusters;
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
    static final Clusters CLUSTERS = Clusters.withWorkers(1);

    /** Requests for one new MachineDeployment until its secrets are readable. */
    private static final int BUDGET = 6;

    private static HubProcess hub;
    private static Tenant tenant;

    @BeforeAll
    static void start() {
        var kubeconfig = Tenant.prepareManagement(CLUSTERS.management(), CLUSTERS.folder());
        tenant = Tenant.prepare("cluster-amber", CLUSTERS.management(), CLUSTERS.worker(1));
        tenant.clusterInfo(Examples.clusterInfo("https://api.example.org:6443", tenant.worker()));
        tenant.profile(Examples.profile());
        hub = HubProcess.run(CLUSTERS.folder(), kubeconfig, Configuration.FOR_TESTS)
                .awaitReady();
        tenant.register().awaitSynced();
        // The first one may load what the others share.
        awaitStatus(publish("first"));
    }

    @AfterAll
    static void stop() {
        hub.close();
    }

    private static MachineDeploymentNames publish(String name) {
        var machineDeployment = Examples.machineDeployment(name);
        tenant.worker().admin().create(machineDeployment);
        MachineDeploymentNames names = MachineDeploymentNames.of(machineDeployment);
        Await.until("published", () -> tenant.secret(names.bootstrap()).isPresent());
        return names;
    }

    /** The last that is written. */
    private static void awaitStatus(MachineDeploymentNames names) {
        Await.until("its status is written", () -> tenant.osc(names.osc())
                .filter(osc -> osc.path("status").has("conditions"))
                .isPresent());
    }

    @Test
    void aNewMachineDeploymentTakesSixRequestsAndNoReading(TestReporter reporter) {
        Marks marks = new Marks();

        MachineDeploymentNames names = publish("counted");
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
        Await.until("what follows a publication is over", () -> {
            Marks quiet = new Marks();
            rest(Duration.ofSeconds(2));
            return quiet.asked().isEmpty();
        });
        Marks marks = new Marks();

        rest(Duration.ofSeconds(15));

        assertThat(marks.asked()).isEmpty();
    }

    private static void rest(Duration duration) {
        try {
            Thread.sleep(duration);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    /** Places in the logs of both API servers. */
    private static final class Marks {
        private final long inWorker = tenant.worker().audit().mark();
        private final long inManagement = tenant.management().audit().mark();

        /** All that the hub asked since, but for watches (open all the time) and the Lease of its membership. */
        List<AuditLog.Entry> asked() {
            List<AuditLog.Entry> asked = new ArrayList<>(tenant.worker().audit().since(inWorker, Tenant.HUB_IN_WORKER));
            asked.addAll(tenant.management().audit().since(inManagement, Tenant.HUB_IN_MANAGEMENT));
            asked.removeIf(
                    entry -> entry.verb().equals("watch") || entry.resource().equals("leases"));
            return asked;
        }
    }
}
