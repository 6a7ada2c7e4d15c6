package io.osmhub.workersync.watch;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ApiRequest;
import io.osmhub.workersync.apiserver.ItemSplitter;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.apiserver.KubeApi.Watch;
import io.osmhub.workersync.apiserver.KubeApi.WatchLineHandler;
import io.osmhub.workersync.apiserver.MemoryBudget;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.apiserver.Verb;
import io.osmhub.workersync.fake.ServerHandler;
import io.osmhub.workersync.fake.SimulatedServer;
import io.osmhub.workersync.fake.VirtualTime;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class ListWatchTest {
    private final VirtualTime time = new VirtualTime();
    private final SimulatedServer server = new SimulatedServer(time);
    private final List<String> changes = new ArrayList<>();
    private final List<String> heard = new ArrayList<>();
    private final ObjectCache<String> cache = new ObjectCache<>(
            (key, before, after, origin) -> changes.add(key.name() + ": " + before + " -> " + after + " " + origin));
    private final ListWatch<String> watch = new ListWatch<>(configMaps(false), new Heard(), surroundings());

    private CachedSelection<String> configMaps(boolean optional) {
        return CachedSelection.unlimited(
                Selection.all(Resource.CONFIG_MAPS, "n"), ListWatchTest::decode, cache, optional);
    }

    private RuntimeContext surroundings() {
        return new RuntimeContext(time, time, new Random(1));
    }

    /** Keeps the value of a ConfigMap; ignores one without. */
    private static ObservedObject<String> decode(com.fasterxml.jackson.core.JsonParser parser) throws IOException {
        JsonNode object = SimulatedServer.JSON.readTree(parser);
        JsonNode metadata = object.path("metadata");
        if (object.path("data").path("v").asText().equals("poison")) {
            throw new IllegalArgumentException("unexpected call");
        }
        return new ObservedObject<>(
                new ObjectKey(
                        metadata.path("namespace").asText(),
                        metadata.path("name").asText()),
                metadata.path("uid").asText(),
                metadata.path("resourceVersion").asText(),
                object.path("data").path("v").textValue());
    }

    private final List<String> failures = new ArrayList<>();
    private Runnable onRestarted = () -> {};

    private class Heard implements ListWatchListener {
        @Override
        public void onSynced() {
            heard.add("synced");
        }

        @Override
        public void onFailed(ApiFailure failure, int inARow) {
            heard.add("failed " + inARow);
            failures.add(failure.text());
        }

        @Override
        public void onAccessDenied(ApiFailure failure) {
            heard.add("refused " + failure.code());
        }

        @Override
        public void onShortWatches(int inARow) {
            heard.add("ends at once");
        }

        @Override
        public void onRecovered() {
            heard.add("recovered");
        }

        @Override
        public void onRestarted(RestartReason why) {
            heard.add(why.wireName());
            onRestarted.run();
        }
    }

    private void put(String name, @Nullable String value) {
        server.put(
                Resource.CONFIG_MAPS,
                "{\"metadata\":{\"namespace\":\"n\",\"name\":\"" + name + "\"},\"data\":{"
                        + (value == null ? "" : "\"v\":\"" + value + "\"") + "}}",
                "test");
    }

    private void begin() {
        watch.resume(server.api());
        time.settle();
    }

    @Test
    void bringsWhatIsThereThenEachChange() {
        put("a", "1");
        put("b", "1");

        begin();
        put("b", "2");
        put("c", "1");
        server.remove(Resource.CONFIG_MAPS, "n", "a");
        time.settle();

        assertThat(changes)
                .containsExactly(
                        "a: null -> 1 LISTED",
                        "b: null -> 1 LISTED",
                        "b: 1 -> 2 WATCHED",
                        "c: null -> 1 WATCHED",
                        "a: 1 -> null WATCHED");
        assertThat(heard).containsExactly("synced");
        assertThat(cache.all()).containsExactlyInAnyOrder("2", "1");
    }

    @Test
    void listsInPages() {
        for (int i = 0; i < 1_100; i++) {
            put("m" + i, "1");
        }

        begin();

        assertThat(cache.size()).isEqualTo(1_100);
        assertThat(server.count(Verb.LIST)).isEqualTo(3);
    }

    @Test
    void namesWhatCouldNotBeReadOfAListButNotItsContent() {
        put("a", "1");

        watch.resume(
                new ServerHandler() {
                    @Override
                    public byte[] send(ApiRequest request) {
                        return "{\"items\":[{\"metadata\":secret-content}]}".getBytes(StandardCharsets.UTF_8);
                    }

                    @Override
                    public Watch watch(ApiRequest request, WatchLineHandler lines) {
                        throw new AssertionError("there is nothing to watch from");
                    }
                }.api());
        time.settle();

        assertThat(failures)
                .singleElement()
                .asString()
                .startsWith("unexpected response from the API server: an object without a name")
                .doesNotContain("secret-content");
    }

    /** Sends some objects of a page of 500, then stalls. */
    private final class Slow implements ServerHandler {
        private final int objects;

        Slow(int objects) {
            this.objects = objects;
        }

        @Override
        public byte[] send(ApiRequest request) throws ApiFailure {
            return server.send(request);
        }

        @Override
        public byte[] list(ApiRequest request, ItemSplitter.ItemHandler items) throws ApiFailure, IOException {
            boolean slow = "500".equals(request.query().get("limit"));
            int[] sent = {0};
            return ServerHandler.super.list(request, json -> {
                if (slow && sent[0]++ == objects) {
                    throw ApiFailure.withoutResponse(ApiFailure.ApiFailureKind.TIMED_OUT, "no data for 10 s");
                }
                items.onItem(json);
            });
        }

        @Override
        public Watch watch(ApiRequest request, WatchLineHandler lines) {
            return server.watch(request, lines);
        }
    }

    private List<String> limits() {
        return server.requests().stream()
                .filter(request -> request.verb() == Verb.LIST)
                .map(request -> request.query().getOrDefault("limit", ""))
                .toList();
    }

    private ListWatch<String> within(SelectionLimits bounds, MemoryBudget budget) {
        return new ListWatch<>(
                new CachedSelection<>(
                        Selection.all(Resource.CONFIG_MAPS, "n"),
                        ListWatchTest::decode,
                        cache,
                        bounds,
                        budget.createShare(),
                        false),
                new Heard(),
                surroundings());
    }

    @Test
    void requestsSmallerPagesWhenOneIsNotReceivedInTime() {
        for (int i = 0; i < 150; i++) {
            put("m" + i, "1");
        }
        MemoryBudget budget = new MemoryBudget(10_000_000, 0);
        ListWatch<String> watched = within(new SelectionLimits(150, Long.MAX_VALUE), budget);

        watched.resume(new Slow(60).api());
        time.settle();

        assertThat(cache.size()).isEqualTo(150);
        assertThat(limits()).as("larger again after a complete one").containsExactly("500", "100", "200");
        assertThat(heard).containsExactly("failed 1", "synced", "recovered");
        assertThat(budget.used()).as("each object counts once").isEqualTo(cache.bytes());
    }

    @Test
    void requestsSmallerPagesAfterAPauseWhenNothingOfOneIsReceivedInTime() {
        for (int i = 0; i < 150; i++) {
            put("m" + i, "1");
        }

        watch.resume(new Slow(0).api());
        time.settle();
        assertThat(limits()).as("the server may as well be down").containsExactly("500");
        time.pass(Duration.ofMinutes(1));

        assertThat(limits()).containsExactly("500", "100", "200");
        assertThat(cache.size()).isEqualTo(150);
        assertThat(heard).containsExactly("error", "failed 1", "synced", "recovered");
    }

    @Test
    void requestsPagesOfTheSameSizeAfterAnOutage() {
        put("a", "1");
        server.faults((request, number) -> number <= 3 ? SimulatedServer.Fault.REFUSED : null);

        begin();
        time.pass(Duration.ofMinutes(1));

        assertThat(cache.size()).isEqualTo(1);
        assertThat(limits()).hasSizeGreaterThan(1).containsOnly("500");
    }

    @Test
    void reportsNoSlowPageOfAListThatWasSuspended() {
        for (int i = 0; i < 150; i++) {
            put("m" + i, "1");
        }
        server.faults((request, number) -> {
            watch.suspend();
            return null;
        });

        watch.resume(new Slow(60).api());
        time.settle();

        assertThat(limits()).startsWith("500", "100");
        assertThat(heard).isEmpty();
    }

    @Test
    void aListenerThatIsDelayedLearnsOfAFailureBeforeTheRecovery() {
        begin();
        heard.clear();
        onRestarted = () -> { // the connection works again before the listener learns of the failure
            watch.resume(server.api());
            time.settle();
        };

        server.breakWatches(ApiFailure.withoutResponse(ApiFailure.ApiFailureKind.NO_CONNECTION, "reset"));
        time.settle();

        assertThat(heard).containsExactly("error", "failed 1", "recovered");
    }

    @Test
    void keepsNoMoreThanThereIsMemoryFor() {
        MemoryBudget budget = new MemoryBudget(200_000, 0);
        MemoryBudget.MemoryShare other = budget.createShare();
        other.tryReserve(90_000);
        put("a", "1");
        ListWatch<String> watched = within(SelectionLimits.NONE, budget);

        watched.resume(server.api());
        time.settle();
        assertThat(heard).as("a list takes memory in steps of 64 KiB").containsExactly("error", "failed 1");
        assertThat(budget.used()).isEqualTo(90_000);

        other.release(90_000);
        time.pass(Duration.ofMinutes(2));
        assertThat(cache.all()).containsExactly("1");
        assertThat(heard).contains("synced", "recovered");
        assertThat(budget.used()).as("only what the list has is kept").isBetween(500L, 10_000L);

        watched.end();
        assertThat(budget.used()).isZero();
    }

    @Test
    void takesNoMoreMemoryForManyEventsOfOneObject() {
        MemoryBudget budget = new MemoryBudget(150_000, 0);
        put("a", "0");
        ListWatch<String> watched = within(SelectionLimits.NONE, budget);
        watched.resume(server.api());
        time.settle();

        for (int i = 1; i <= 200; i++) {
            put("a", Integer.toString(i));
            put("b" + i, "1");
            server.remove(Resource.CONFIG_MAPS, "n", "b" + i);
        }
        time.settle();

        assertThat(server.count(Verb.LIST)).isEqualTo(1);
        assertThat(cache.all()).containsExactly("200");
        assertThat(budget.used()).isBetween(500L, 2_000L);
        server.remove(Resource.CONFIG_MAPS, "n", "a");
        time.settle();
        assertThat(budget.used()).isZero();
    }

    @Test
    void keepsNoObjectOfAnEventForWhichThereIsNoMemory() {
        MemoryBudget budget = new MemoryBudget(150_000, 0);
        put("a", "0");
        within(SelectionLimits.NONE, budget).resume(server.api());
        time.settle();

        put("a", "x".repeat(80_000));
        time.pass(Duration.ofSeconds(5));
        assertThat(cache.all()).containsExactly("0");
        assertThat(heard).startsWith("synced", "closed", "error", "failed 1");

        put("a", "1");
        time.pass(Duration.ofMinutes(5));
        assertThat(cache.all()).containsExactly("1");
        assertThat(heard).endsWith("recovered");
    }

    private ListWatch<String> bounded(int objects, long bytes) {
        return within(new SelectionLimits(objects, bytes), MemoryBudget.unlimited());
    }

    @Test
    void takesNoMoreObjectsThanItsBoundsAllow() {
        for (int i = 0; i < 5; i++) {
            put("m" + i, "1");
        }
        ListWatch<String> few = bounded(3, Long.MAX_VALUE);

        few.resume(server.api());
        time.settle();
        assertThat(heard).containsExactly("error", "failed 1");
        assertThat(cache.size()).isZero();

        server.remove(Resource.CONFIG_MAPS, "n", "m0");
        server.remove(Resource.CONFIG_MAPS, "n", "m1");
        time.pass(Duration.ofMinutes(10));
        assertThat(cache.size()).isEqualTo(3);
        assertThat(heard).contains("synced", "recovered");

        heard.clear();
        put("one-more", "1");
        time.settle();
        assertThat(heard).containsExactly("error", "failed 1");
    }

    @Test
    void aListThatNeverEndsIsGivenUp() {
        List<String> asked = new ArrayList<>();
        KubeApi endless = new ServerHandler() {
            @Override
            public byte[] send(ApiRequest request) {
                asked.add(request.uri());
                return ("{\"metadata\":{\"resourceVersion\":\"1\",\"continue\":\"more\"},\"items\":[{\"metadata\":"
                                + "{\"namespace\":\"n\",\"name\":\"m" + asked.size()
                                + "\",\"uid\":\"u\",\"resourceVersion\":\"1\"},\"data\":{\"v\":\"1\"}}]}")
                        .getBytes(java.nio.charset.StandardCharsets.UTF_8);
            }

            @Override
            public Watch watch(ApiRequest request, WatchLineHandler lines) {
                throw new AssertionError("nothing was listed");
            }
        }.api();

        bounded(100, Long.MAX_VALUE).resume(endless);
        time.settle();
        assertThat(asked).hasSize(101);
        bounded(Integer.MAX_VALUE, 10_000).resume(endless);
        time.settle();

        assertThat(asked).hasSizeLessThan(101 + 100);
        assertThat(heard).containsExactly("error", "failed 1", "error", "failed 1");
    }

    @Test
    void listsAgainAfterManyBytesOfEventsToKnowHowMuchThereIs() {
        put("a", "0");
        ListWatch<String> few = bounded(Integer.MAX_VALUE, 2_000);
        few.resume(server.api());
        time.settle();

        for (int i = 1; i <= 20; i++) {
            put("a", Integer.toString(i));
        }
        time.pass(Duration.ofSeconds(5));

        assertThat(server.count(Verb.LIST)).isEqualTo(2);
        assertThat(cache.all()).containsExactly("20");
        assertThat(heard).containsExactly("synced", "closed");
    }

    @Test
    void dropsAnObjectThatStopsToMatter() {
        put("a", "1");
        begin();

        put("a", null);
        time.settle();

        assertThat(changes).endsWith("a: 1 -> null WATCHED");
        assertThat(cache.size()).isZero();
    }

    @Test
    void renewsItsWatchWithoutListingAgain() {
        put("a", "1");
        begin();

        time.pass(Duration.ofHours(6));

        assertThat(server.count(Verb.LIST)).isEqualTo(1);
        assertThat(server.count(Verb.WATCH)).isBetween(6L, 13L);
        assertThat(heard).doesNotContain("failed 1", "error", "expired");
    }

    @Test
    void goesOnFromTheLastVersionAfterABreak() {
        put("a", "1");
        begin();

        server.breakWatches(ApiFailure.withoutResponse(ApiFailure.ApiFailureKind.NO_CONNECTION, "reset"));
        put("b", "1");
        time.pass(Duration.ofSeconds(1));

        assertThat(cache.all()).containsExactlyInAnyOrder("1", "1");
        assertThat(server.count(Verb.LIST)).isEqualTo(1);
        assertThat(heard).containsExactly("synced", "error", "failed 1", "recovered");
    }

    @Test
    void listsOnceMoreWhenTheServerHasForgottenTheVersion() {
        put("a", "1");
        put("b", "1");
        begin();
        time.pass(Duration.ofSeconds(10));

        server.failWatches(SimulatedServer.status(503, "", "starting"));
        server.breakWatches(ApiFailure.withoutResponse(ApiFailure.ApiFailureKind.NO_CONNECTION, "reset"));
        time.pass(Duration.ofSeconds(2));
        server.remove(Resource.CONFIG_MAPS, "n", "a");
        put("b", "2");
        server.compact();
        server.failWatches(null);
        time.pass(Duration.ofSeconds(10));

        assertThat(server.count(Verb.LIST)).isEqualTo(2);
        assertThat(changes).endsWith("a: 1 -> null LISTED", "b: 1 -> 2 LISTED");
    }

    @Test
    void listsAgainAfterAnExpiredEventInTheStream() {
        put("a", "1");
        begin();
        time.pass(Duration.ofSeconds(30));

        server.sendGarbage("{\"type\":\"ERROR\",\"object\":{\"kind\":\"Status\",\"code\":410,\"reason\":\"Expired\"}}");
        time.settle();

        assertThat(server.count(Verb.LIST)).isEqualTo(2);
        assertThat(heard).containsExactly("synced", "expired");
        assertThat(changes).hasSize(1);
    }

    @Test
    void listsAgainAfterGarbage() {
        put("a", "1");
        begin();
        time.pass(Duration.ofSeconds(30));

        server.sendGarbage("<html>502 Bad Gateway</html>");
        time.pass(Duration.ofSeconds(1));

        assertThat(server.count(Verb.LIST)).isEqualTo(2);
        put("a", "2");
        time.settle();
        assertThat(cache.all()).containsExactly("2");
    }

    /** An invalid server may send anything; an object that cannot be decoded is skipped. */
    @Test
    void anObjectOfAListThatCannotBeDecodedIsSkipped() {
        put("a", "poison");
        put("b", "2");

        begin();
        assertThat(heard).containsExactly("synced");
        assertThat(watch.phase()).isEqualTo(ListWatch.Phase.WATCHING);
        assertThat(cache.all()).containsExactly("2");
        put("a", "1");
        time.settle();

        assertThat(cache.all()).containsExactlyInAnyOrder("1", "2");
    }

    /** As of a closed client. The listener may wait for another thread that uses the watch. */
    @Test
    void tellsWithoutItsLockOfAWatchThatFailsWhileItBegins() {
        List<ListWatch.Phase> told = new ArrayList<>();
        List<ListWatch<String>> asked = new ArrayList<>();
        KubeApi closed = new ServerHandler() {
            @Override
            public byte[] send(ApiRequest request) throws ApiFailure {
                return server.send(request);
            }

            @Override
            public Watch watch(ApiRequest request, WatchLineHandler lines) {
                time.execute(() -> lines.onFailed(ApiFailure.withoutResponse(
                        ApiFailure.ApiFailureKind.CLOSED, "the connection is being closed")));
                return () -> {};
            }
        }.api();
        asked.add(new ListWatch<>(
                configMaps(false),
                new Heard() {
                    @Override
                    public void onFailed(ApiFailure failure, int inARow) {
                        told.add(CompletableFuture.supplyAsync(asked.getFirst()::phase)
                                .orTimeout(20, TimeUnit.SECONDS)
                                .join());
                    }
                },
                surroundings()));

        asked.getFirst().resume(closed);
        time.settle();

        assertThat(told).containsExactly(ListWatch.Phase.PAUSING);
    }

    @Test
    void doesNotSpinWhenWatchesEndAtOnce() {
        begin();
        server.endWatchesAtOnce(true);
        server.breakWatches(ApiFailure.withoutResponse(ApiFailure.ApiFailureKind.NO_CONNECTION, "reset"));

        time.pass(Duration.ofMinutes(5));

        assertThat(server.count(Verb.WATCH)).isLessThan(30);
        assertThat(heard).contains("ends at once");
        server.endWatchesAtOnce(false);
        time.pass(Duration.ofMinutes(2));
        assertThat(heard).endsWith("recovered");
    }

    @Test
    void doesNotSpinWhenEveryVersionIsTooOld() {
        put("a", "1");
        begin();
        server.failWatches(SimulatedServer.status(410, "Expired", "too old"));
        server.breakWatches(SimulatedServer.status(410, "Expired", "too old"));

        time.pass(Duration.ofMinutes(5));

        assertThat(server.requests()).hasSizeLessThan(50);
    }

    @Test
    void waitsLongerEachTimeWhileTheServerIsDown() {
        begin();
        server.failEverything(ApiFailure.withoutResponse(ApiFailure.ApiFailureKind.NO_CONNECTION, "refused"));

        time.pass(Duration.ofMinutes(10));

        assertThat(server.requests()).hasSizeBetween(20, 60);
    }

    @Test
    void waitsAsLongAsTheServerAsksFor() {
        begin();
        server.forgetRequests();
        server.failWatches(new ApiFailure(
                ApiFailure.ApiFailureKind.ANSWERED, 429, "TooManyRequests", "slow down", Duration.ofSeconds(40)));
        server.breakWatches(ApiFailure.withoutResponse(ApiFailure.ApiFailureKind.NO_CONNECTION, "reset"));

        time.pass(Duration.ofSeconds(39));

        assertThat(server.count(Verb.WATCH)).isEqualTo(1);
    }

    @Test
    void asksSeldomWhileTheCredentialIsRefusedAndAtOnceWhenItIsResumed() {
        put("a", "1");
        begin();
        server.failEverything(SimulatedServer.status(401, "Unauthorized", "Unauthorized"));
        time.settle();
        server.forgetRequests();

        time.pass(Duration.ofHours(1));

        assertThat(server.requests()).hasSizeBetween(10, 30);
        assertThat(heard).endsWith("refused 401");
        server.failEverything(null);
        server.forgetRequests();
        put("a", "2");
        watch.resume(server.api());
        time.settle();
        assertThat(cache.all()).containsExactly("2");
        assertThat(server.count(Verb.LIST)).isZero();
        assertThat(heard).endsWith("recovered");
    }

    @Test
    void goesOnByItselfWhenARightComesBack() {
        put("a", "1");
        begin();
        server.failEverything(SimulatedServer.status(403, "Forbidden", "no such role"));
        time.pass(Duration.ofMinutes(1));

        server.failEverything(null);
        put("a", "2");
        time.pass(Duration.ofMinutes(1));

        assertThat(cache.all()).containsExactly("2");
        assertThat(heard).endsWith("recovered");
    }

    @Test
    void noticesAWatchThatHasFallenSilent() {
        put("a", "1");
        begin();
        time.pass(Duration.ofMinutes(3));
        server.fallSilent(true);
        time.pass(ListWatch.SILENCE);

        server.fallSilent(false);
        put("a", "2");
        time.pass(ListWatch.OPENING.plusSeconds(1));

        assertThat(cache.all()).containsExactly("2");
        assertThat(heard).contains("error");
    }

    @Test
    void goesOnWithAnotherConnectionWithoutListing() {
        put("a", "1");
        begin();
        time.pass(Duration.ofSeconds(20));

        watch.resume(server.api());
        put("a", "2");
        time.settle();

        assertThat(server.watches()).isEqualTo(1);
        assertThat(server.count(Verb.LIST)).isEqualTo(1);
        assertThat(cache.all()).containsExactly("2");
    }

    @Test
    void deliversNothingWhileItRests() {
        put("a", "1");
        begin();

        watch.suspend();
        put("a", "2");
        time.pass(Duration.ofMinutes(1));

        assertThat(cache.all()).containsExactly("1");
        assertThat(server.watches()).isZero();
        assertThat(time.alarmsSet()).isLessThanOrEqualTo(1);
    }

    @Test
    void asksSoonAgainForAKindThatIsNotServed() {
        server.withdraw(Resource.CONFIG_MAPS, true);
        begin();
        time.pass(Duration.ofMinutes(1));
        assertThat(heard).contains("failed 1").doesNotContain("synced");

        server.withdraw(Resource.CONFIG_MAPS, false);
        time.pass(Duration.ofSeconds(5));

        assertThat(heard).contains("synced");
        assertThat(server.requests()).hasSizeLessThan(30);
    }

    @Test
    void asksSeldomForAnOptionalKindThatIsNotServed() {
        server.withdraw(Resource.CONFIG_MAPS, true);
        ListWatch<String> optional = new ListWatch<>(configMaps(true), new Heard(), surroundings());

        optional.resume(server.api());
        time.pass(Duration.ofHours(1));
        assertThat(server.requests()).hasSizeLessThan(150);

        server.withdraw(Resource.CONFIG_MAPS, false);
        time.pass(Duration.ofMinutes(1));
        assertThat(heard).endsWith("synced", "recovered");
    }
}
