package io.osmhub.tenancy.concern;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.Reason;
import io.osmhub.tenancy.concern.HubProblemMonitor.LeaseProblemDetector;
import io.osmhub.tenancy.lease.InFlightWrites;
import io.osmhub.tenancy.lease.LeaseConfig;
import io.osmhub.tenancy.lease.TenantSharding;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ApiRequest;
import io.osmhub.workersync.apiserver.KubeApi.Watch;
import io.osmhub.workersync.apiserver.KubeApi.WatchLineHandler;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.fake.ServerHandler;
import io.osmhub.workersync.fake.SimulatedServer;
import io.osmhub.workersync.fake.VirtualTime;
import io.osmhub.workersync.port.EventRecorder;
import io.osmhub.workersync.watch.RuntimeContext;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class HubProblemMonitorTest {
    private static final List<String> TENANTS =
            IntStream.range(0, 20).mapToObj(i -> "tenant-" + i).toList();
    private static final HubProblemMonitor.DetectedProblem FOREIGN = new HubProblemMonitor.DetectedProblem(
            "workerclusters.osmhub.io", Problem.ofHub(Reason.CRDForeignManaged, "hub: managed by helm; take it over"));

    private final VirtualTime time = new VirtualTime();
    private final SimulatedServer server = new SimulatedServer(time);
    private final RuntimeContext around = new RuntimeContext(time, time, new Random(1));

    /** A replica with its Lease, whose connection to the API server can be cut. */
    private final class Replica implements ServerHandler {
        final TenantSharding shares;
        final HubProblemMonitor problems;
        final List<String> events = new ArrayList<>();
        final List<HubProblemMonitor.DetectedProblem> found = new ArrayList<>();
        boolean cut;
        boolean faulty;

        Replica(String name) {
            String podUid = podUid(name);
            shares = new TenantSharding(
                    this.api(),
                    LeaseConfig.ofMember("osm-hub", name, name + "_1", podUid),
                    () -> {},
                    new InFlightWrites(),
                    around);
            problems = new HubProblemMonitor(
                    () -> {
                        if (faulty) {
                            throw new IllegalStateException("a fault of the hub");
                        }
                        return List.copyOf(found);
                    },
                    shares,
                    () -> TENANTS,
                    (regarding, related, event, action) ->
                            events.add(event.reason() + " on " + regarding.name() + " " + regarding.uid()),
                    new EventRecorder.Regarding("v1", "Pod", "osm-hub", name, podUid),
                    around);
            shares.start(() -> true);
            problems.start();
        }

        @Override
        public byte[] send(ApiRequest request) throws ApiFailure {
            if (cut) {
                throw ApiFailure.withoutResponse(ApiFailure.ApiFailureKind.TIMED_OUT, "cut off");
            }
            return server.send(request);
        }

        @Override
        public Watch watch(ApiRequest request, WatchLineHandler lines) {
            return server.watch(request, lines);
        }

        List<String> shown() {
            return problems.all().stream()
                    .map(problem -> problem.reason() + " " + problem.object())
                    .toList();
        }
    }

    private String podUid(String pod) {
        return server.podUid("osm-hub", pod);
    }

    private void pass(Duration duration) {
        for (long millis = 0; millis < duration.toMillis(); millis += 250) {
            time.pass(Duration.ofMillis(250));
        }
    }

    @Test
    void aLookThatFailsIsNotTheLast() {
        Replica a = new Replica("a");
        pass(Duration.ofSeconds(5));
        a.faulty = true;
        pass(Duration.ofSeconds(2));
        a.faulty = false;
        a.found.add(FOREIGN);

        pass(Duration.ofSeconds(10));

        assertThat(a.shown()).containsExactly("CRDForeignManaged workerclusters.osmhub.io");
    }

    @Test
    void whatOneHasAllShowUntilItIsOver() {
        Replica a = new Replica("a");
        Replica b = new Replica("b");
        pass(Duration.ofSeconds(10));
        assertThat(a.shown()).isEmpty();

        a.found.add(FOREIGN);
        pass(Duration.ofSeconds(10));

        assertThat(b.problems.all()).isEqualTo(a.problems.all()).hasSize(1);
        assertThat(b.problems.own()).isEmpty();
        assertThat(a.events).containsExactly("CRDForeignManaged on a " + podUid("a"));
        assertThat(b.events).isEmpty();

        a.found.clear();
        pass(Duration.ofSeconds(10));
        assertThat(a.shown()).isEmpty();
        assertThat(b.shown()).isEmpty();
    }

    @Test
    void whatBothHaveIsShownOnceAndTellingItCostsNoRequests() {
        Replica a = new Replica("a");
        Replica b = new Replica("b");
        pass(Duration.ofSeconds(20));
        long before = server.writes();
        pass(Duration.ofMinutes(1));
        long quiet = server.writes() - before;

        a.found.add(FOREIGN);
        b.found.add(FOREIGN);
        pass(Duration.ofMinutes(1));

        assertThat(a.shown()).containsExactly("CRDForeignManaged workerclusters.osmhub.io");
        assertThat(b.shown()).isEqualTo(a.shown());
        assertThat(server.writes() - before - quiet).isLessThanOrEqualTo(quiet + 1);
    }

    @Test
    void theOthersTellOfAReplicaThatCannotRenewItsLeaseAndItSaysSoItself() {
        Replica a = new Replica("a");
        Replica b = new Replica("b");
        pass(Duration.ofSeconds(20));
        long own = TENANTS.stream().filter(b.shares::serves).count();

        b.cut = true;
        pass(Duration.ofSeconds(25));

        assertThat(a.shown()).containsExactly("LeaseLost osm-hub-member-b");
        assertThat(a.problems.own()).isEmpty();
        assertThat(a.problems.all().getFirst().message()).contains("stopped writing for its " + own + " tenants");
        assertThat(a.events).containsExactly("LeaseLost on b " + podUid("b"));
        assertThat(b.problems.own()).singleElement().satisfies(problem -> {
            assertThat(problem.reason()).isEqualTo(Reason.LeaseLost);
            assertThat(problem.message()).contains("cut off", "stopped writing for its " + own + " tenants");
        });

        b.cut = false;
        pass(Duration.ofSeconds(150));
        assertThat(a.shown()).isEmpty();
        assertThat(b.shown()).isEmpty();
        assertThat(b.events).contains("LeaseLost on b " + podUid("b"));
    }

    @Test
    void everyReplicaShowsTheSameOfALostOneAlsoIfItStartedLater() {
        Replica a = new Replica("a");
        Replica b = new Replica("b");
        pass(Duration.ofMillis(750));
        Replica c = new Replica("c");
        pass(Duration.ofSeconds(20));

        b.cut = true;
        pass(Duration.ofMillis(15_250));
        Replica late = new Replica("late");
        pass(Duration.ofSeconds(40));

        assertThat(a.shown()).containsExactly("LeaseLost osm-hub-member-b");
        assertThat(c.problems.all()).isEqualTo(a.problems.all());
        assertThat(late.problems.all()).isEqualTo(a.problems.all());

        pass(LeaseProblemDetector.FORGOTTEN.minusSeconds(50));
        assertThat(a.shown()).isEmpty();
        assertThat(late.shown()).isEmpty();
    }

    @Test
    void everyReplicaShowsTheSameOfWhatSeveralHave() {
        Replica a = new Replica("a");
        Replica b = new Replica("b");
        pass(Duration.ofSeconds(20));
        HubProblemMonitor.DetectedProblem detected = new HubProblemMonitor.DetectedProblem(
                FOREIGN.object(),
                Problem.ofHub(Reason.CRDForeignManaged, FOREIGN.problem().message() + " now".repeat(1000)));

        b.found.add(detected);
        pass(Duration.ofSeconds(3));
        a.found.add(detected);
        pass(Duration.ofSeconds(20));

        assertThat(a.problems.all()).hasSize(1).isEqualTo(b.problems.all());
    }

    @Test
    void aReplicaThatEndsByItselfOrStaysAwayForLongIsNoProblem() {
        Replica a = new Replica("a");
        Replica b = new Replica("b");
        Replica c = new Replica("c");
        pass(Duration.ofSeconds(20));

        b.problems.stop();
        b.shares.stop();
        c.cut = true;
        pass(Duration.ofSeconds(40));
        assertThat(a.shown()).containsExactly("LeaseLost osm-hub-member-c");

        pass(LeaseProblemDetector.FORGOTTEN);
        assertThat(a.shown()).isEmpty();
    }

    @Test
    void aLeaseGoesWithItsPod() {
        new Replica("a");
        pass(Duration.ofSeconds(2));

        assertThat(server.all(Resource.LEASES)).singleElement().satisfies(lease -> assertThat(
                        lease.at("/metadata/ownerReferences/0/uid").asText())
                .isEqualTo(podUid("a")));
    }
}
