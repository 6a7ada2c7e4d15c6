package io.osmhub.tenancy.lease;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ApiRequest;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.apiserver.KubeApi.Watch;
import io.osmhub.workersync.apiserver.KubeApi.WatchLineHandler;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.apiserver.Verb;
import io.osmhub.workersync.fake.ServerHandler;
import io.osmhub.workersync.fake.SimulatedServer;
import io.osmhub.workersync.fake.VirtualTime;
import io.osmhub.workersync.watch.RuntimeContext;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class LeaseRenewalLoopTest {
    private final VirtualTime time = new VirtualTime();
    private final SimulatedServer api = new SimulatedServer(time);
    private final RuntimeContext around = new RuntimeContext(time, time, new Random(1));
    private final List<String> told = new ArrayList<>();
    private final LeaseRenewalLoop one = keeper("one");
    private final LeaseRenewalLoop two = keeper("two");

    private LeaseRenewalLoop keeper(String holder) {
        return keeper(holder, LeaseConfig.ofDefaults("osm-hub", "osm-hub-leader", holder));
    }

    private LeaseRenewalLoop keeper(String holder, LeaseConfig terms) {
        return keeper(api.api(), holder, terms);
    }

    private LeaseRenewalLoop keeper(KubeApi api, String holder, LeaseConfig terms) {
        AtomicReference<LeaseRenewalLoop> made = new AtomicReference<>();
        made.set(new LeaseRenewalLoop(
                () -> api,
                terms,
                () -> {
                    LeaseRenewalLoop loop = Objects.requireNonNull(made.get());
                    if (loop.canWrite() || loop.awaitedHolder().isEmpty()) {
                        told.add(holder + (loop.canWrite() ? " taken" : " lost"));
                    }
                },
                around));
        return Objects.requireNonNull(made.get());
    }

    @Test
    void aLeaseThatIsNotThereIsMadeAndHeld() {
        one.start();
        time.settle();

        assertThat(one.canWrite()).isTrue();
        assertThat(told).containsExactly("one taken");
        JsonNode spec = lease().path("spec");
        assertThat(spec.path("holderIdentity").asText()).isEqualTo("one");
        assertThat(spec.path("leaseDurationSeconds").asInt()).isEqualTo(15);
        assertThat(spec.path("renewTime").asText()).matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{6}Z");
    }

    @Test
    void itLastsAndIsRenewedAsConfigured() {
        LeaseRenewalLoop slow = keeper(
                "slow",
                LeaseConfig.ofDefaults("osm-hub", "osm-hub-leader", "slow")
                        .withTimes(Duration.ofSeconds(40), Duration.ofSeconds(20)));
        slow.start();
        time.settle();
        api.forgetRequests();

        time.pass(Duration.ofSeconds(50));

        assertThat(lease().at("/spec/leaseDurationSeconds").asInt()).isEqualTo(40);
        assertThat(api.count(Verb.UPDATE)).isEqualTo(2);
        assertThat(slow.canWrite()).isTrue();
    }

    @Test
    void onlyOneOfTwoHoldsItHoweverLong() {
        one.start();
        two.start();

        for (int i = 0; i < 600; i++) {
            time.pass(Duration.ofSeconds(1));
            assertThat(one.canWrite() && two.canWrite()).isFalse();
        }
        assertThat(one.canWrite()).isTrue();
        assertThat(told).containsExactly("one taken");
    }

    @Test
    void whoStopsHandsOverWithinSeconds() {
        one.start();
        time.settle();
        two.start();
        time.pass(Duration.ofMinutes(1));

        one.stop();
        time.pass(Duration.ofSeconds(2));

        assertThat(one.canWrite()).isFalse();
        assertThat(two.canWrite()).isTrue();
    }

    @Test
    void whoStopsDuringARenewalReleasesTheLease() {
        one.start();
        time.pass(Duration.ofSeconds(1));
        // The response to the renewal has not been received.
        api.put(Resource.LEASES, lease().toString(), "osm-hub");

        one.stop();

        assertThat(lease().at("/spec/holderIdentity").asText()).isEmpty();
    }

    @Test
    void whoDiesIsFollowedWhenTheLeaseHasEndedAndNotBefore() {
        two.start();
        time.settle();
        two.stop();
        dies();

        one.start();
        time.pass(Duration.ofSeconds(12));
        assertThat(one.canWrite()).isFalse();
        time.pass(Duration.ofSeconds(8));
        assertThat(one.canWrite()).isTrue();
        assertThat(lease().at("/spec/leaseTransitions").asInt()).isPositive();
    }

    @Test
    void whoCannotRenewStopsWritingBeforeAnotherMayBegin() {
        one.start();
        time.pass(Duration.ofMinutes(1));
        ApiFailure noAnswer = ApiFailure.withoutResponse(ApiFailure.ApiFailureKind.TIMED_OUT, "no answer");

        api.failEverything(noAnswer);
        time.pass(Duration.ofSeconds(11));

        assertThat(one.canWrite()).isFalse();
        time.pass(Duration.ofSeconds(5));
        assertThat(told).containsExactly("one taken", "one lost");
        api.failEverything(null);
        time.pass(Duration.ofSeconds(5));
        assertThat(one.canWrite()).isTrue();
    }

    @Test
    void twoCutOffInTurnNeverWriteAtTheSameTime() {
        one.start();
        two.start();
        Random random = new Random(3);
        ApiFailure cut = ApiFailure.withoutResponse(ApiFailure.ApiFailureKind.TIMED_OUT, "cut");
        for (int i = 0; i < 2000; i++) {
            if (random.nextInt(40) == 0) {
                api.failEverything(random.nextBoolean() ? cut : null);
            }
            time.pass(Duration.ofMillis(500));
            assertThat(one.canWrite() && two.canWrite()).isFalse();
        }
    }

    @Test
    void renewingCostsOneRequestEachInterval() {
        one.start();
        time.pass(Duration.ofSeconds(1));
        api.forgetRequests();

        time.pass(Duration.ofMinutes(1));

        assertThat(api.count(Verb.UPDATE)).isBetween(11L, 13L);
        assertThat(api.requests()).hasSize((int) api.count(Verb.UPDATE));
    }

    @Test
    void somebodyWhoTakesItByForceIsNotOverwritten() {
        one.start();
        time.pass(Duration.ofSeconds(1));
        String stolen = lease().toString().replace("\"holderIdentity\":\"one\"", "\"holderIdentity\":\"thief\"");
        api.put(Resource.LEASES, stolen, "kubectl");

        time.pass(Duration.ofSeconds(6));

        assertThat(one.canWrite()).isFalse();
        assertThat(told).contains("one lost");
        assertThat(lease().at("/spec/holderIdentity").asText()).isEqualTo("thief");
    }

    @Test
    void aRenewalWhoseAnswerIsLostDoesNotLoseTheLease() {
        one.start();
        time.pass(Duration.ofSeconds(1));
        List<Integer> lost = new ArrayList<>();
        api.faults((request, number) -> {
            boolean first = request.verb() == Verb.UPDATE && lost.isEmpty();
            if (first) {
                lost.add(number);
            }
            return first ? SimulatedServer.Fault.ANSWER_LOST : null;
        });

        time.pass(Duration.ofSeconds(30));

        assertThat(lost).hasSize(1);
        assertThat(told).containsExactly("one taken");
        assertThat(one.canWrite()).isTrue();
    }

    @Test
    void aMembersLeaseIsLabelled() {
        LeaseRenewalLoop member = new LeaseRenewalLoop(
                api::api, LeaseConfig.ofMember("osm-hub", "pod-1", "pod-1_uid", podUid("pod-1")), () -> {}, around);

        member.start();
        time.settle();

        JsonNode metadata = Objects.requireNonNull(api.object(Resource.LEASES, "osm-hub", "osm-hub-member-pod-1"))
                .path("metadata");
        assertThat(metadata.at("/labels/osmhub.io~1member").asText()).isEqualTo("true");
    }

    private String podUid(String pod) {
        return api.podUid("osm-hub", pod);
    }

    private LeaseConfig restarted() {
        return LeaseConfig.ofMember("osm-hub", "pod-1", "pod-1_second", podUid("pod-1"));
    }

    /** The Lease of an earlier process, by the words of its mark that differ from this process's. */
    private void heldBy(String podUid, UnaryOperator<String> mark) {
        LeaseConfig terms = LeaseConfig.ofMember("osm-hub", "pod-1", "pod-1_first", podUid);
        terms = terms.with(Map.of(
                "osmhub.io/member-process", mark.apply(terms.annotations().get("osmhub.io/member-process"))));
        api.put(
                Resource.LEASES,
                new KubernetesSerialization().asJson(LeaseRenewalLoop.taken(null, terms, time.now())),
                "osm-hub");
    }

    @Test
    void aProcessThatHasEndedIsSucceededAtOnceInItsPod() {
        heldBy(podUid("pod-1"), mark -> mark + "0");

        LeaseRenewalLoop second = keeper("second", restarted());
        second.start();
        time.settle();

        assertThat(second.canWrite()).isTrue();
        assertThat(told).containsExactly("second taken");
    }

    @Test
    void aProcessBeforeTheNodeRestartedIsSucceededAtOnce() {
        heldBy(podUid("pod-1"), mark -> "another-boot" + mark.substring(mark.indexOf(' ')));

        LeaseRenewalLoop second = keeper("second", restarted());
        second.start();
        time.settle();

        assertThat(second.canWrite()).isTrue();
    }

    @Test
    void aProcessThatMayRunIsWaitedFor() {
        List<UnaryOperator<String>> marks = List.of(
                // It runs.
                mark -> mark,
                // In another container.
                mark -> mark.replace("pid:[", "pid:[9"),
                mark -> "",
                mark -> "a b c d");
        for (UnaryOperator<String> mark : marks) {
            told.clear();
            heldBy(podUid("pod-1"), mark);
            LeaseRenewalLoop second = keeper("second", restarted());
            second.start();
            time.pass(Duration.ofSeconds(14));
            assertThat(second.canWrite()).isFalse();
            time.pass(Duration.ofSeconds(4));
            assertThat(second.canWrite()).isTrue();
            second.stop();
        }
    }

    @Test
    void aProcessOfAnotherPodIsWaitedFor() {
        heldBy(podUid("pod-2"), mark -> mark + "0");

        LeaseRenewalLoop second = keeper("second", restarted());
        second.start();
        time.pass(Duration.ofSeconds(14));

        assertThat(second.canWrite()).isFalse();
    }

    /** A holder that stopped without releasing the Lease. */
    private void dies() {
        String held = lease().toString()
                .replace("\"holderIdentity\":\"\"", "\"holderIdentity\":\"dead\"")
                .replace("\"leaseDurationSeconds\":1", "\"leaseDurationSeconds\":15");
        api.put(Resource.LEASES, held, "dead");
    }

    private JsonNode lease() {
        return Objects.requireNonNull(api.object(Resource.LEASES, "osm-hub", "osm-hub-leader"));
    }

    /** Rejects objects in a missing namespace. */
    private final class WithNamespaces implements ServerHandler {
        private final boolean mayCreate;

        WithNamespaces(boolean mayCreate) {
            this.mayCreate = mayCreate;
        }

        @Override
        public byte[] send(ApiRequest request) throws ApiFailure {
            if (request.verb() == Verb.CREATE && request.resource() == Resource.NAMESPACES && !mayCreate) {
                throw SimulatedServer.status(403, "Forbidden", "cannot create resource namespaces");
            }
            if (request.verb() == Verb.CREATE
                    && request.resource() == Resource.LEASES
                    && api.object(Resource.NAMESPACES, "", "osm-hub") == null) {
                throw SimulatedServer.status(404, "NotFound", "namespaces \"osm-hub\" not found");
            }
            return api.send(request);
        }

        @Override
        public Watch watch(ApiRequest request, WatchLineHandler lines) {
            return api.watch(request, lines);
        }
    }

    @Test
    void aMissingNamespaceIsCreated() {
        LeaseRenewalLoop keeper =
                keeper(new WithNamespaces(true).api(), "one", LeaseConfig.ofDefaults("osm-hub", "own", "one"));
        keeper.start();
        time.settle();

        assertThat(keeper.canWrite()).isTrue();
    }

    @Test
    void aMissingNamespaceThatMayNotBeCreatedIsReportedWithTheCommandUntilItIsThere() {
        LeaseRenewalLoop keeper =
                keeper(new WithNamespaces(false).api(), "one", LeaseConfig.ofDefaults("osm-hub", "own", "one"));
        keeper.start();
        time.settle();
        assertThat(keeper.canWrite()).isFalse();
        assertThat(keeper.lastFailure())
                .isEqualTo("namespace osm-hub is missing and could not be created (cannot create resource namespaces);"
                        + " run: kubectl create namespace osm-hub");

        api.put(Resource.NAMESPACES, "{\"metadata\": {\"name\": \"osm-hub\"}}", "kubectl");
        time.pass(Duration.ofSeconds(3));

        assertThat(keeper.canWrite()).isTrue();
        assertThat(keeper.lastFailure()).isEmpty();
    }

    @Test
    void aLeaseWithoutMetadataIsAnUnexpectedResponse() {
        AtomicBoolean whole = new AtomicBoolean();
        KubeApi broken = new ServerHandler() {
            @Override
            public byte[] send(ApiRequest request) throws ApiFailure {
                return whole.get() || request.verb() != Verb.GET
                        ? api.send(request)
                        : "{\"apiVersion\":\"coordination.k8s.io/v1\",\"kind\":\"Lease\",\"spec\":{}}"
                                .getBytes(StandardCharsets.UTF_8);
            }

            @Override
            public Watch watch(ApiRequest request, WatchLineHandler lines) {
                return api.watch(request, lines);
            }
        }.api();
        LeaseRenewalLoop loop = keeper(broken, "three", LeaseConfig.ofDefaults("osm-hub", "osm-hub-leader", "three"));

        loop.start();
        time.settle();

        assertThat(loop.lastFailure()).isEqualTo("unexpected response: not a Lease");
        assertThat(loop.canWrite()).isFalse();
        whole.set(true);
        time.pass(Duration.ofSeconds(5));
        assertThat(loop.canWrite()).isTrue();
    }
}
