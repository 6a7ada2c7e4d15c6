package io.osmhub.tenancy.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ApiRequest;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.apiserver.KubeApi.Watch;
import io.osmhub.workersync.apiserver.KubeApi.WatchLineHandler;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.fake.ServerHandler;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class WriteFenceTest {
    private static final ApiRequest WRITE = ApiRequest.create(Resource.SECRETS, "cluster-amber", "{}");

    private final AtomicBoolean mayWrite = new AtomicBoolean(true);
    private final Set<String> served = new HashSet<>(Set.of("cluster-amber"));
    private final InFlightWrites inFlight = new InFlightWrites();
    private final AtomicInteger tooOld = new AtomicInteger();
    private final WriteFence fence = new WriteFence(mayWrite::get, served::contains, inFlight, tooOld::incrementAndGet);

    /** Namespaces of unanswered writes when a request is sent. */
    private final List<Set<String>> sent = new ArrayList<>();

    private final KubeApi api = new ServerHandler() {
        @Override
        public byte[] send(ApiRequest request) throws ApiFailure {
            sent.add(inFlight.namespaces());
            return new byte[0];
        }

        @Override
        public Watch watch(ApiRequest request, WatchLineHandler lines) {
            throw new UnsupportedOperationException();
        }
    }.api();

    @Test
    void aWriteIsInFlightUntilItIsAnswered() throws ApiFailure {
        fence.ofTenant(api, "cluster-amber").send(ApiRequest.create(Resource.SECRETS, "kube-system", "{}"));
        fence.ofManagement(api).send(WRITE);
        fence.ofManagement(api).send(ApiRequest.get(Resource.SECRETS, "cluster-amber", "a"));

        assertThat(sent).containsExactly(Set.of("cluster-amber"), Set.of("cluster-amber"), Set.of());
        assertThat(inFlight.namespaces()).isEmpty();
    }

    @Test
    void noWriteIsSentForATenantOfAnother() throws ApiFailure {
        served.clear();
        assertRejected(fence.ofManagement(api));
        assertRejected(fence.ofTenant(api, "cluster-amber"));
        fence.ofManagement(api).send(ApiRequest.create(Resource.NAMESPACES, "", "{}"));
        assertThat(sent).hasSize(1);
    }

    @Test
    void noWriteIsSentWithoutALeaseOrAgainstACondition() {
        assertRejected(fence.onlyWhile(() -> false).ofTenant(api, "cluster-amber"));
        assertThat(tooOld).hasValue(0);
        mayWrite.set(false);
        assertRejected(fence.ofManagement(api));
        assertThat(tooOld).hasValue(1);
        assertThat(sent).isEmpty();
    }

    @Test
    void waitingEndsWithTheLastAnswerForTheTenant() throws InterruptedException {
        inFlight.begin("cluster-amber");
        inFlight.begin("cluster-amber");
        inFlight.begin("cluster-birch");
        Thread waiting = Thread.ofVirtual().start(() -> inFlight.await("cluster-amber"::equals));
        inFlight.end("cluster-amber");
        while (waiting.getState() != Thread.State.TIMED_WAITING) {
            assertThat(waiting.isAlive()).isTrue();
            Thread.onSpinWait();
        }

        inFlight.end("cluster-amber");
        waiting.join();

        assertThat(inFlight.namespaces()).containsExactly("cluster-birch");
    }

    private static void assertRejected(KubeApi fenced) {
        assertThatThrownBy(() -> fenced.send(WRITE))
                .isInstanceOfSatisfying(ApiFailure.class, failure -> assertThat(failure.kind())
                        .isEqualTo(ApiFailure.ApiFailureKind.CLOSED));
    }
}
