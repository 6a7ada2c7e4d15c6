package io.osmhub.tenancy.status;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.tenancy.status.StatusWriter.StatusStore;
import io.osmhub.tenancy.wire.WireJson;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ApiRequest;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.apiserver.Verb;
import io.osmhub.workersync.fake.FakeApiServer;
import io.osmhub.workersync.fake.VirtualTime;
import io.osmhub.workersync.watch.RuntimeContext;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class StatusWriterTest {
    /** Longer than a status rests. */
    private static final Duration REST = Duration.ofMillis(400);

    private final VirtualTime time = new VirtualTime();
    private final FakeApiServer management = new FakeApiServer(time);
    private final RuntimeContext around = new RuntimeContext(time, time, new Random(1));
    private final Keeper clusters = new Keeper(Resource.WORKER_CLUSTERS);
    private final Keeper configs = new Keeper(Resource.OPERATING_SYSTEM_CONFIGS);
    private boolean mayWrite = true;
    private final StatusWriter lane =
            new StatusWriter(management, 20, () -> mayWrite, namespace -> true, wait -> {}, around);

    /** Remembers statuses as the caches do. */
    private static final class Keeper implements StatusStore {
        private final Resource resource;
        private final Map<String, JsonNode> statuses = new HashMap<>();
        private boolean keeps = true;

        Keeper(Resource resource) {
            this.resource = resource;
        }

        @Override
        public Resource resource() {
            return resource;
        }

        @Override
        public boolean hasStatusSubresource() {
            return keeps;
        }

        @Override
        public @Nullable JsonNode findStored(String namespace, String name) {
            return statuses.get(namespace + "/" + name);
        }

        @Override
        public void onWritten(byte[] answer) {
            try {
                JsonNode object = WireJson.read(answer);
                statuses.put(
                        object.at("/metadata/namespace").asText() + "/"
                                + object.at("/metadata/name").asText(),
                        object.path("status"));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    @Test
    void aStatusReachesItsObject() throws Exception {
        make(clusters, "a");

        offer(clusters, "a", "Ready");
        time.pass(REST);

        assertThat(stored(clusters, "a")).isEqualTo("Ready");
    }

    @Test
    void whatIsThereAlreadyIsNotWritten() throws Exception {
        make(clusters, "a");
        offer(clusters, "a", "Ready");
        time.pass(REST);
        management.forgetRequests();

        offer(clusters, "a", "Ready");
        time.pass(Duration.ofMinutes(1));

        assertThat(management.requests()).isEmpty();
    }

    @Test
    void ofManyChangesOnlyTheLatestIsWritten() throws Exception {
        make(clusters, "a");
        mayWrite = false;
        for (int i = 0; i < 100; i++) {
            offer(clusters, "a", "state " + i);
        }
        time.pass(REST);
        mayWrite = true;

        time.pass(Duration.ofSeconds(5));

        assertThat(management.count(Verb.PATCH)).isEqualTo(1);
        assertThat(stored(clusters, "a")).isEqualTo("state 99");
    }

    @Test
    void changesThatComeTogetherAreOneWrite() throws Exception {
        make(clusters, "a");

        offer(clusters, "a", "Pending");
        time.pass(Duration.ofMillis(100));
        offer(clusters, "a", "Ready");
        time.pass(Duration.ofMinutes(1));

        assertThat(management.count(Verb.PATCH)).isEqualTo(1);
        assertThat(stored(clusters, "a")).isEqualTo("Ready");
    }

    @Test
    void changesThatDoNotEndAreWrittenAllTheSame() throws Exception {
        make(clusters, "a");

        for (int i = 0; i < 30; i++) {
            offer(clusters, "a", "state " + i);
            time.pass(Duration.ofMillis(100));
        }

        assertThat(management.count(Verb.PATCH)).isBetween(5L, 11L);
    }

    @Test
    void noMoreThanTwentyAreWrittenInASecond() throws Exception {
        for (int i = 0; i < 200; i++) {
            make(configs, "c" + i);
            offer(configs, "c" + i, "Ready");
        }

        time.pass(REST);
        management.forgetRequests();
        time.pass(Duration.ofSeconds(1));
        assertThat(management.count(Verb.PATCH)).isBetween(18L, 22L);

        time.pass(Duration.ofSeconds(9));
        assertThat(lane.backlog()).isZero();
        assertThat(stored(configs, "c199")).isEqualTo("Ready");
    }

    @Test
    void aWorkerClusterDoesNotWaitForThousandsOfConfigs() throws Exception {
        for (int i = 0; i < 1000; i++) {
            make(configs, "c" + i);
            offer(configs, "c" + i, "Ready");
        }
        make(clusters, "a");
        offer(clusters, "a", "Ready");

        time.pass(Duration.ofSeconds(1));

        assertThat(stored(clusters, "a")).isEqualTo("Ready");
    }

    @Test
    void nothingIsWrittenWhileTheReplicaMayNot() throws Exception {
        make(clusters, "a");
        mayWrite = false;
        offer(clusters, "a", "Ready");

        time.pass(Duration.ofMinutes(1));
        assertThat(management.writes()).isZero();

        mayWrite = true;
        time.pass(Duration.ofSeconds(1));
        assertThat(stored(clusters, "a")).isEqualTo("Ready");
    }

    @Test
    void aFailureThatMayPassIsTriedAgainWithTheLatest() throws Exception {
        make(clusters, "a");
        management.failEverything(FakeApiServer.status(503, "ServiceUnavailable", "not now"));
        offer(clusters, "a", "first");
        time.pass(REST);
        offer(clusters, "a", "second");
        time.pass(Duration.ofSeconds(3));

        management.failEverything(null);
        time.pass(Duration.ofSeconds(60));

        assertThat(stored(clusters, "a")).isEqualTo("second");
    }

    /** The Lease was not renewed in time while it was on its way. */
    @Test
    void aStatusThatIsHeldBackAtTheLastMomentIsWrittenLater() throws Exception {
        make(clusters, "a");
        management.failWrites(
                ApiFailure.withoutResponse(ApiFailure.ApiFailureKind.CLOSED, "this replica writes nothing"));
        offer(clusters, "a", "Ready");
        time.pass(REST);

        management.failWrites(null);
        time.pass(Duration.ofSeconds(5));

        assertThat(stored(clusters, "a")).isEqualTo("Ready");
    }

    @Test
    void anObjectThatIsGoneIsForgotten() throws Exception {
        make(clusters, "a");
        management.send(ApiRequest.delete(Resource.WORKER_CLUSTERS, "ns", "a", "", null));

        offer(clusters, "a", "Ready");
        time.pass(Duration.ofMinutes(10));

        assertThat(management.count(Verb.PATCH)).isEqualTo(1);
        assertThat(lane.backlog()).isZero();
    }

    @Test
    void aRefusalIsNotRepeated() throws Exception {
        make(clusters, "a");
        management.failEverything(FakeApiServer.status(403, "Forbidden", "no"));

        offer(clusters, "a", "Ready");
        time.pass(Duration.ofMinutes(10));

        assertThat(management.count(Verb.PATCH)).isEqualTo(1);
    }

    @Test
    void whereTheDefinitionHasNoStatusNothingIsTried() throws Exception {
        make(configs, "c");
        configs.keeps = false;

        offer(configs, "c", "Ready");
        time.pass(Duration.ofMinutes(1));

        assertThat(management.writes()).isZero();
    }

    @Test
    void afterClosingNothingIsWritten() throws Exception {
        make(clusters, "a");
        mayWrite = false;
        offer(clusters, "a", "Ready");
        lane.close();
        mayWrite = true;

        offer(clusters, "a", "Later");
        time.pass(Duration.ofMinutes(1));

        assertThat(management.writes()).isZero();
    }

    private void make(Keeper keeper, String name) throws ApiFailure {
        ObjectNode object = WireJson.object();
        object.putObject("metadata").put("namespace", "ns").put("name", name);
        management.send(ApiRequest.create(keeper.resource(), "ns", object.toString()));
        keeper.statuses.put("ns/" + name, WireJson.object());
        management.forgetRequests();
    }

    private void offer(Keeper keeper, String name, String state) {
        lane.enqueue(keeper, "ns", name, WireJson.object().put("state", state));
    }

    private String stored(Keeper keeper, String name) throws Exception {
        byte[] object = management.send(ApiRequest.get(keeper.resource(), "ns", name));
        return WireJson.read(new String(object, UTF_8).getBytes(UTF_8))
                .at("/status/state")
                .asText();
    }
}
