package io.osmhub.tenancy.management;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.tenancy.management.StatusWriter.StatusPace;
import io.osmhub.tenancy.management.StatusWriter.StatusStore;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ApiRequest;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.apiserver.Verb;
import io.osmhub.workersync.fake.SimulatedServer;
import io.osmhub.workersync.fake.VirtualTime;
import io.osmhub.workersync.port.Scheduler;
import io.osmhub.workersync.watch.ObjectKey;
import io.osmhub.workersync.watch.RuntimeContext;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StatusWriterTest {
    /** Longer than a status rests. */
    private static final Duration REST = Duration.ofMillis(400);

    private final VirtualTime time = new VirtualTime();
    private final SimulatedServer management = new SimulatedServer(time);
    private final RuntimeContext around = new RuntimeContext(time, time, new Random(1));
    private final Keeper clusters = new Keeper(Resource.WORKER_CLUSTERS);
    private final Keeper configs = new Keeper(Resource.OPERATING_SYSTEM_CONFIGS);
    private boolean mayWrite = true;
    private boolean runsWait;
    private final StatusWriter statuses = new StatusWriter(
            management.api(),
            new StatusPace(20, () -> runsWait),
            () -> mayWrite,
            namespace -> true,
            wait -> {},
            around);

    /** Remembers statuses as the caches do. */
    private static final class Keeper implements StatusStore {
        private final Resource resource;
        private final Map<ObjectKey, StoredStatus> stored = new HashMap<>();
        private boolean keeps = true;
        private boolean failsOnce;

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
        public boolean isSubresourceOptional() {
            return resource != Resource.WORKER_CLUSTERS;
        }

        @Override
        public void onSubresourceUnusable() {
            keeps = false;
        }

        @Override
        public @Nullable StoredStatus findStored(String namespace, String name) {
            return stored.get(new ObjectKey(namespace, name));
        }

        @Override
        public Collection<ObjectKey> keysIn(StoredStatus.Place place) {
            return stored.keySet().stream()
                    .filter(key -> Objects.requireNonNull(stored.get(key)).place() == place)
                    .toList();
        }

        @Override
        public void onWritten(byte[] answer) {
            if (failsOnce) {
                failsOnce = false;
                throw new IllegalStateException("a bug");
            }
            try {
                JsonNode object = WireJson.read(answer);
                stored.put(
                        new ObjectKey(
                                object.at("/metadata/namespace").asText(),
                                object.at("/metadata/name").asText()),
                        StoredStatus.of(object));
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
    void aboutTwentyAreWrittenInASecond() throws Exception {
        for (int i = 0; i < 200; i++) {
            make(configs, "c" + i);
            offer(configs, "c" + i, "Ready");
        }

        time.pass(REST);
        management.forgetRequests();
        time.pass(Duration.ofSeconds(1));
        assertThat(management.count(Verb.PATCH)).isBetween(16L, 24L);

        time.pass(Duration.ofSeconds(9));
        assertThat(statuses.backlog()).isZero();
        assertThat(stored(configs, "c199")).isEqualTo("Ready");
    }

    /** Timers of event loops count milliseconds; the interval between writes is none. */
    @Test
    void allAreWrittenWithTimersThatRingEarly() throws Exception {
        Scheduler early = new Scheduler() {
            @Override
            public Instant now() {
                return time.now();
            }

            @Override
            public long nanoTime() {
                return time.nanoTime();
            }

            @Override
            public ScheduledTask schedule(Duration delay, Runnable task) {
                return time.schedule(delay.minus(delay.dividedBy(3)), task);
            }
        };
        StatusWriter writer = new StatusWriter(
                management.api(),
                new StatusPace(80, () -> false),
                () -> true,
                namespace -> true,
                wait -> {},
                new RuntimeContext(early, time, new Random(1)));
        for (int i = 0; i < 100; i++) {
            make(configs, "c" + i);
            writer.enqueue(configs, "ns", "c" + i, WireJson.object().put("state", "Ready"));
        }

        time.pass(Duration.ofSeconds(10));

        assertThat(writer.backlog()).isZero();
        assertThat(stored(configs, "c99")).isEqualTo("Ready");
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
    void aStateDoesNotWaitForThousandsOfMinorChangesNorDoesThatOfAClusterWithOne() throws Exception {
        for (int i = 0; i < 1000; i++) {
            make(clusters, "c" + i);
            statuses.enqueue(clusters, "ns", "c" + i, WireJson.object().put("state", "NoAnswer"), true);
        }
        make(clusters, "a");
        offer(clusters, "a", "Unauthorized");
        offer(clusters, "c999", "Unreachable");

        time.pass(Duration.ofSeconds(1));

        assertThat(stored(clusters, "a")).isEqualTo("Unauthorized");
        assertThat(stored(clusters, "c999")).isEqualTo("Unreachable");
        time.pass(Duration.ofMinutes(1));
        assertThat(statuses.backlog()).isZero();
        assertThat(stored(clusters, "c500")).isEqualTo("NoAnswer");
    }

    @Test
    void aMinorChangeThatWasUndoneBeforeItWasWrittenIsNotWritten() throws Exception {
        make(clusters, "a");
        offer(clusters, "a", "Ready");
        time.pass(REST);
        management.forgetRequests();

        statuses.enqueue(
                clusters, "ns", "a", WireJson.object().put("state", "Ready").put("noAnswerSince", "x"), true);
        time.pass(Duration.ofMillis(200));
        statuses.enqueue(clusters, "ns", "a", WireJson.object().put("state", "Ready"), true);
        time.pass(Duration.ofMinutes(1));

        assertThat(management.requests()).isEmpty();
    }

    @Test
    void aStatusThatCannotBeProcessedDoesNotKeepLaterOnesFromBeingWritten() throws Exception {
        make(clusters, "a");
        clusters.failsOnce = true;
        offer(clusters, "a", "Ready");
        time.pass(REST);

        offer(clusters, "a", "Degraded");
        time.pass(Duration.ofSeconds(10));

        assertThat(stored(clusters, "a")).isEqualTo("Degraded");
        assertThat(statuses.backlog()).isZero();
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
        management.failEverything(SimulatedServer.status(503, "ServiceUnavailable", "not now"));
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
    void aStatusYieldsToRunsThatWaitButNotForEver() throws Exception {
        make(clusters, "a");
        make(clusters, "b");
        runsWait = true;
        offer(clusters, "a", "Ready");
        time.pass(Duration.ofSeconds(4));
        assertThat(stored(clusters, "a")).isEmpty();

        time.pass(Duration.ofSeconds(2));
        assertThat(stored(clusters, "a")).isEqualTo("Ready");

        offer(clusters, "b", "Ready");
        time.pass(Duration.ofSeconds(1));
        assertThat(stored(clusters, "b")).isEmpty();
        runsWait = false;
        time.pass(REST);
        assertThat(stored(clusters, "b")).isEqualTo("Ready");
    }

    @Test
    void anObjectThatIsGoneIsForgotten() throws Exception {
        make(clusters, "a");
        management.send(ApiRequest.delete(Resource.WORKER_CLUSTERS, "ns", "a", "", null));

        offer(clusters, "a", "Ready");
        time.pass(Duration.ofMinutes(10));

        assertThat(management.count(Verb.PATCH)).isEqualTo(1);
        assertThat(statuses.backlog()).isZero();
    }

    @Test
    void aRefusalIsNotRepeated() throws Exception {
        make(clusters, "a");
        management.failEverything(SimulatedServer.status(403, "Forbidden", "no"));

        offer(clusters, "a", "Ready");
        time.pass(Duration.ofMinutes(10));

        assertThat(management.count(Verb.PATCH)).isEqualTo(1);
    }

    @Test
    void withoutAStatusSubresourceTheStatusIsAnAnnotation() throws Exception {
        make(configs, "c");
        configs.keeps = false;

        offer(configs, "c", "Ready");
        time.pass(REST);
        management.forgetRequests();
        offer(configs, "c", "Ready");
        time.pass(REST);

        assertThat(annotated(configs, "c")).isEqualTo("{\"state\":\"Ready\"}");
        assertThat(stored(configs, "c")).isEmpty();
        assertThat(management.requests()).noneMatch(request -> request.verb() == Verb.PATCH);
    }

    /** OSM's roles do not grant the subresource, and its definition does not have it. */
    @ParameterizedTest
    @ValueSource(ints = {403, 404})
    void aSubresourceThatCannotBeWrittenIsReplacedByTheAnnotation(int code) throws Exception {
        make(configs, "c");
        management.reject(request -> request.subresource().equals("status")
                ? SimulatedServer.status(code, code == 403 ? "Forbidden" : "NotFound", "not here")
                : null);

        offer(configs, "c", "Ready");
        time.pass(Duration.ofSeconds(10));

        assertThat(annotated(configs, "c")).isEqualTo("{\"state\":\"Ready\"}");
    }

    /** It was deleted before the write and created again before the next request. */
    @Test
    void theStatusOfAnObjectThatWasReplacedDoesNotReplaceTheSubresource() throws Exception {
        make(configs, "c");
        AtomicInteger writes = new AtomicInteger();
        management.reject(request -> request.subresource().equals("status") && writes.incrementAndGet() == 1
                ? SimulatedServer.status(404, "NotFound", "not here")
                : null);

        offer(configs, "c", "Ready");
        time.pass(Duration.ofSeconds(10));

        assertThat(stored(configs, "c")).isEqualTo("Ready");
        assertThat(annotated(configs, "c")).isEmpty();
    }

    @Test
    void aFieldWithoutSubresourceDoesNotHideTheAnnotation() throws Exception {
        make(configs, "c");
        offer(configs, "c", "Ready");
        time.pass(REST);
        configs.keeps = false;
        offer(configs, "c", "Later");
        time.pass(REST);

        assertThat(management.requests()).anySatisfy(request -> {
            assertThat(request.subresource()).isEmpty();
            assertThat(request.body()).contains("\"status\":null");
        });
        assertThat(annotated(configs, "c")).contains("Later");
    }

    @Test
    void theStatusOfADeletedObjectDoesNotReplaceTheSubresource() throws Exception {
        make(configs, "c");
        make(configs, "gone");
        management.send(ApiRequest.delete(configs.resource(), "ns", "gone", uid(configs, "gone"), null));

        offer(configs, "gone", "Ready");
        time.pass(REST);
        offer(configs, "c", "Ready");
        time.pass(REST);

        assertThat(stored(configs, "c")).isEqualTo("Ready");
        assertThat(annotated(configs, "c")).isEmpty();
    }

    @Test
    void atTheStartStatusesAreMovedToWhereTheyAreWrittenAndTheAnnotationStays() throws Exception {
        make(configs, "c");
        make(configs, "new");
        configs.keeps = false;
        offer(configs, "c", "Ready");
        time.pass(REST);

        configs.keeps = true;
        statuses.moveToPlace(configs);
        time.pass(REST);

        assertThat(stored(configs, "c")).isEqualTo("Ready");
        assertThat(annotated(configs, "c")).isNotEmpty();
        management.forgetRequests();
        statuses.moveToPlace(configs);
        time.pass(REST);
        assertThat(management.writes()).isZero();
        configs.keeps = false;
        offer(configs, "c", "Later");
        time.pass(REST);
        assertThat(annotated(configs, "c")).contains("Later");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aStatusThatIsMovedDoesNotReplaceANewerOne(boolean underWay) throws Exception {
        make(configs, "c");
        configs.keeps = false;
        offer(configs, "c", "Ready");
        time.pass(REST);
        configs.keeps = true;
        if (underWay) {
            management.reject(request -> {
                statuses.moveToPlace(configs);
                return null;
            });
        }

        offer(configs, "c", "Later");
        statuses.moveToPlace(configs);
        time.pass(Duration.ofSeconds(10));

        assertThat(stored(configs, "c")).isEqualTo("Later");
    }

    @Test
    void theLatestStatusIsFoundUntilItIsStored() throws Exception {
        make(configs, "c");

        offer(configs, "c", "Pending");
        offer(configs, "c", "Ready");
        assertThat(statuses.findQueued(configs, "ns", "c"))
                .isEqualTo(WireJson.object().put("state", "Ready"));
        time.pass(REST);

        assertThat(statuses.findQueued(configs, "ns", "c")).isNull();
        assertThat(stored(configs, "c")).isEqualTo("Ready");
    }

    @Test
    void afterClosingNothingIsWritten() throws Exception {
        make(clusters, "a");
        mayWrite = false;
        offer(clusters, "a", "Ready");
        statuses.close();
        mayWrite = true;

        offer(clusters, "a", "Later");
        time.pass(Duration.ofMinutes(1));

        assertThat(management.writes()).isZero();
    }

    private void make(Keeper keeper, String name) throws ApiFailure {
        ObjectNode object = WireJson.object();
        object.putObject("metadata").put("namespace", "ns").put("name", name);
        management.send(ApiRequest.create(keeper.resource(), "ns", object.toString()));
        keeper.stored.put(new ObjectKey("ns", name), new StoredStatus(WireJson.object(), StoredStatus.Place.NONE));
        management.forgetRequests();
    }

    private void offer(Keeper keeper, String name, String state) {
        statuses.enqueue(keeper, "ns", name, WireJson.object().put("state", state));
    }

    private String stored(Keeper keeper, String name) throws Exception {
        return object(keeper, name).at("/status/state").asText();
    }

    private String annotated(Keeper keeper, String name) throws Exception {
        return object(keeper, name)
                .at("/metadata/annotations")
                .path(StoredStatus.ANNOTATION)
                .asText();
    }

    private String uid(Keeper keeper, String name) throws Exception {
        return object(keeper, name).at("/metadata/uid").asText();
    }

    private JsonNode object(Keeper keeper, String name) throws Exception {
        return WireJson.read(management.send(ApiRequest.get(keeper.resource(), "ns", name)));
    }
}
