package io.osmhub.workersync.watch;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.core.bootstrap.ApiServerDiscovery;
import io.osmhub.core.problem.Problem;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.MetadataScanner;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.apiserver.Verb;
import io.osmhub.workersync.fake.SimulatedServer;
import io.osmhub.workersync.fake.UnreadableContent;
import io.osmhub.workersync.fake.VirtualTime;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** One object that cannot be read affects no other, whatever makes it unreadable. */
final class UnreadableObjectsTest {
    private final VirtualTime time = new VirtualTime();
    private final SimulatedServer server = new SimulatedServer(time);
    private final List<String> changes = new ArrayList<>();
    private final List<String> failures = new ArrayList<>();
    private final List<ObjectKey> reported = new ArrayList<>();
    private final UnreadableObjects unreadable = new UnreadableObjects(reported::add);

    private final ListWatchListener listener = new ListWatchListener() {
        @Override
        public void onSynced() {}

        @Override
        public void onFailed(ApiFailure failure, int inARow) {
            failures.add(failure.text());
        }

        @Override
        public void onAccessDenied(ApiFailure failure) {
            failures.add(failure.text());
        }

        @Override
        public void onShortWatches(int inARow) {
            failures.add("short");
        }

        @Override
        public void onRecovered() {}

        @Override
        public void onRestarted(RestartReason why) {
            failures.add(why.wireName());
        }
    };

    private <T> ListWatch<T> watch(Resource resource, ObjectDecoder<T> decoder, ObjectCache<T> cache) {
        return new ListWatch<>(
                CachedSelection.unlimited(Selection.all(resource, ""), decoder, cache, false),
                listener,
                new RuntimeContext(time, time, new Random(1)).reportingTo(unreadable));
    }

    private ObjectCache<String> cache() {
        return new ObjectCache<>((key, before, after, origin) -> changes.add(key + ": " + before + " -> " + after));
    }

    private static ObservedObject<String> value(com.fasterxml.jackson.core.JsonParser parser) throws IOException {
        JsonNode object = SimulatedServer.JSON.readTree(parser);
        return new ObservedObject<>(
                new ObjectKey(
                        object.at("/metadata/namespace").asText(),
                        object.at("/metadata/name").asText()),
                object.at("/metadata/uid").asText(),
                object.at("/metadata/resourceVersion").asText(),
                // A string where a number is expected.
                Integer.toString(Integer.parseInt(object.at("/data/v").asText())));
    }

    private void put(String name, String value) {
        put(Resource.CONFIG_MAPS, name, "\"data\":{\"v\":\"" + value + "\"}");
    }

    private void put(Resource resource, String name, String content) {
        server.put(
                resource,
                "{\"metadata\":{\"namespace\":\"n\",\"name\":\"" + name + "\",\"annotations\":{\"k8c.io/"
                        + "operating-system-profile\":\"osp\"}"
                        + (resource == Resource.MACHINE_DEPLOYMENTS
                                ? ",\"finalizers\":[\"kubermatic.io/cleanup\"]"
                                : "")
                        + "},"
                        + (resource == Resource.ENDPOINT_SLICES ? "\"addressType\":\"IPv4\"," : "")
                        + content + "}",
                "test");
    }

    private List<String> texts() {
        return unreadable.find(key -> true).stream()
                .map(problem -> problem + ": " + problem.command().text())
                .toList();
    }

    @ParameterizedTest
    @EnumSource(UnreadableContent.class)
    void anObjectThatCannotBeListedIsSkippedAndNamed(UnreadableContent content) {
        put("a", "1");
        put("bad", UnreadableContent.PLACE);
        put("z", "2");
        ObjectCache<String> cache = cache();

        ListWatch<String> watch = watch(Resource.CONFIG_MAPS, UnreadableObjectsTest::value, cache);
        watch.resume(content.in(server));
        time.settle();

        assertThat(watch.isSynced()).isTrue();
        assertThat(failures).isEmpty();
        assertThat(cache.all()).containsExactlyInAnyOrder("1", "2");
        assertThat(texts())
                .singleElement()
                .asString()
                .contains("ConfigMap n/bad", content.cause(), "kubectl -n n edit");
        put("a", "3");
        put("bad", "4");
        time.settle();
        assertThat(cache.all()).containsExactlyInAnyOrder("3", "2", "4");
        assertThat(texts()).as("ends when it can be read").isEmpty();
        assertThat(server.count(Verb.LIST)).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource(UnreadableContent.class)
    void anObjectThatBecomesUnreadableKeepsItsLastContent(UnreadableContent content) {
        put("a", "1");
        put("bad", "5");
        ObjectCache<String> cache = cache();
        watch(Resource.CONFIG_MAPS, UnreadableObjectsTest::value, cache).resume(content.in(server));
        time.settle();

        put("bad", UnreadableContent.PLACE);
        put("z", "2");
        time.settle();

        assertThat(failures).isEmpty();
        assertThat(cache.all()).containsExactlyInAnyOrder("1", "5", "2");
        assertThat(changes).noneMatch(change -> change.endsWith("-> null"));
        assertThat(texts()).singleElement().asString().contains("ConfigMap n/bad", content.cause());
        server.remove(Resource.CONFIG_MAPS, "n", "bad");
        time.settle();
        assertThat(cache.all()).containsExactlyInAnyOrder("1", "2");
        assertThat(texts()).as("ends when it is deleted").isEmpty();
        assertThat(failures).isEmpty();
    }

    @Test
    void aValueOfTheWrongTypeIsNamedAndIsNoFaultOfTheConnection() {
        put("a", "1");
        ObjectCache<String> cache = cache();
        watch(Resource.CONFIG_MAPS, UnreadableObjectsTest::value, cache).resume(server.api());
        time.settle();

        put("bad", "text");
        put("z", "2");
        time.settle();

        assertThat(cache.all()).containsExactlyInAnyOrder("1", "2");
        assertThat(failures).isEmpty();
        assertThat(texts())
                .singleElement()
                .asString()
                .contains("n/bad", "wrong type")
                .doesNotContain("text\"");
    }

    @Test
    void anotherObjectOfTheSameNameDoesNotGetTheContentOfTheOld() {
        put("bad", "5");
        ObjectCache<String> cache = cache();
        watch(Resource.CONFIG_MAPS, UnreadableObjectsTest::value, cache).resume(UnreadableContent.DEPTH.in(server));
        time.settle();

        server.remove(Resource.CONFIG_MAPS, "n", "bad");
        put("bad", UnreadableContent.PLACE);
        time.settle();

        assertThat(cache.all()).isEmpty();
        assertThat(cache.keys()).containsExactly(new ObjectKey("n", "bad"));
        assertThat(cache.unreadable(new ObjectKey("n", "bad"))).isNotNull();
    }

    @Test
    void anUnreadableObjectStaysKnownWhenTheKindIsListedAgain() {
        put("bad", "5");
        put("a", "1");
        ObjectCache<String> cache = cache();
        ListWatch<String> watch = watch(Resource.CONFIG_MAPS, UnreadableObjectsTest::value, cache);
        watch.resume(UnreadableContent.VALUES.in(server));
        time.settle();
        put("bad", UnreadableContent.PLACE);
        time.settle();

        server.sendGarbage("{\"type\":\"ERROR\",\"object\":{\"kind\":\"Status\",\"code\":410,\"reason\":\"Expired\"}}");
        time.pass(Duration.ofSeconds(5));

        assertThat(cache.all()).containsExactlyInAnyOrder("1", "5");
        assertThat(texts()).hasSize(1);
        watch.end();
        assertThat(texts()).as("of an ended watch").isEmpty();
    }

    private static Stream<Arguments> incomplete() {
        String object = "{\"metadata\":{\"name\":\"a\",\"namespace\":\"n\",\"uid\":\"u\",\"resourceVersion\":\"500\"}";
        return Stream.of(
                        "{\"type\":\"ADDED\",\"object\":" + object,
                        "{\"type\":\"ADDED\",\"object\":" + object + ",\"data\":\"",
                        "{\"type\":\"ADDED\",\"object\":\"text\"}",
                        "{\"type\":\"OTHER\",\"object\":" + object + "}}",
                        "{\"type\":\"ERROR\",\"object\":{\"code\":99999999999999999999}}",
                        "]",
                        "text")
                .map(Arguments::of);
    }

    @ParameterizedTest
    @MethodSource("incomplete")
    void aLineThatIsNoCompleteEventIsAFaultOfTheConnection(String line) {
        put("a", "1");
        ObjectCache<String> cache = cache();
        watch(Resource.CONFIG_MAPS, UnreadableObjectsTest::value, cache).resume(server.api());
        time.settle();
        time.pass(Duration.ofSeconds(30));

        server.sendGarbage(line);
        time.pass(Duration.ofSeconds(5));

        assertThat(failures).isNotEmpty();
        assertThat(texts()).isEmpty();
        assertThat(server.count(Verb.LIST)).isEqualTo(2);
        assertThat(cache.all()).containsExactly("1");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"type\":\"%s\",\"object\":%s}",
                "{\"object\":%2$s,\"type\":\"%1$s\"}",
                " { \"type\" : \"%s\" , \"other\":{\"object\":{\"metadata\":{\"name\":\"no\"}}}, \"object\" : %s , \"x\":[1] } "
            })
    void theFieldsOfAnEventMayHaveAnyOrder(String event) {
        put("bad", "5");
        ObjectCache<String> cache = cache();
        watch(Resource.CONFIG_MAPS, UnreadableObjectsTest::value, cache).resume(server.api());
        time.settle();
        String object =
                "{\"metadata\":{\"annotations\":{\"name\":\"no\"},\"name\":\"%s\",\"namespace\":\"n\",\"uid\":\"u\","
                        + "\"resourceVersion\":\"%d\"},\"data\":{\"v\":\"text\"}}";

        server.sendGarbage(event.formatted("ADDED", object.formatted("new", 500)));
        server.sendGarbage(event.formatted("MODIFIED", object.formatted("other", 501)));
        server.sendGarbage(event.formatted("DELETED", object.formatted("new", 502)));
        time.settle();

        assertThat(failures).isEmpty();
        assertThat(texts()).singleElement().asString().startsWith("ConfigMap n/other: ");
    }

    @Test
    void noTextMakesTheScannerFail() {
        Random random = new Random(7);
        String parts = "{}[]\",:\\ 1ametadataobject";
        for (int i = 0; i < 20_000; i++) {
            StringBuilder text = new StringBuilder(random.nextBoolean() ? "{\"object\":{\"metadata\":{" : "");
            for (int j = random.nextInt(40); j > 0; j--) {
                text.append(parts.charAt(random.nextInt(parts.length())));
            }

            MetadataScanner scanner = MetadataScanner.scan(text.toString().getBytes(UTF_8), random.nextBoolean());

            assertThat(scanner.metadata()).isNotEmpty();
            assertThat(scanner.exceededLimit()).isEmpty();
        }
    }

    private record Kind<T>(Resource resource, ObjectDecoder<T> decoder) {
        @Override
        public String toString() {
            return resource.plural();
        }
    }

    private static Stream<Arguments> kinds() {
        List<Kind<?>> kinds = List.of(
                new Kind<>(Resource.MACHINE_DEPLOYMENTS, WatchedMachineDeployment.DECODER),
                new Kind<SecretReader.SettingsSecret>(Resource.SECRETS, SecretReader::settings),
                new Kind<String>(Resource.CONFIG_MAPS, WorkerObjectDecoders::clusterInfo),
                new Kind<ApiServerDiscovery.EndpointSlice>(
                        Resource.ENDPOINT_SLICES, WorkerObjectDecoders::endpointSlice),
                new Kind<List<String>>(Resource.SERVICE_ACCOUNTS, WorkerObjectDecoders::serviceAccount));
        return kinds.stream()
                .flatMap(kind -> Stream.of(UnreadableContent.values()).map(content -> Arguments.of(kind, content)));
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void noObjectOfAnyKindOfAWorkerClusterPreventsReading(Kind<?> kind, UnreadableContent content) {
        put(kind.resource(), "good-bootstrap-config", "\"data\":{}");
        put(kind.resource(), "listed", "\"spec\":\"" + UnreadableContent.PLACE + "\"");
        ListWatch<?> watch = watchOf(kind.resource(), kind.decoder());
        watch.resume(content.in(server));
        time.settle();
        put(kind.resource(), "watched", "\"spec\":\"" + UnreadableContent.PLACE + "\"");
        time.settle();

        assertThat(watch.phase()).isEqualTo(ListWatch.Phase.WATCHING);
        assertThat(failures).isEmpty();
        assertThat(server.count(Verb.LIST)).isEqualTo(1);
        // A number that the decoder skips is not read.
        if (content != UnreadableContent.DIGITS) {
            assertThat(texts()).hasSize(2);
            assertThat(texts().get(0)).startsWith(kind.resource().kind() + " n/listed: ");
            assertThat(texts().get(1)).startsWith(kind.resource().kind() + " n/watched: ");
        }
    }

    private <T> ListWatch<T> watchOf(Resource resource, ObjectDecoder<T> decoder) {
        return watch(resource, decoder, new ObjectCache<>((key, before, after, origin) -> {}));
    }

    @Test
    void aMachineDeploymentKeepsTheMetadataThatItsCleanUpNeeds() {
        put(Resource.MACHINE_DEPLOYMENTS, "md", "\"spec\":\"" + UnreadableContent.PLACE + "\"");
        ObjectCache<WatchedMachineDeployment> cache = new ObjectCache<>((key, before, after, origin) -> {});

        watch(Resource.MACHINE_DEPLOYMENTS, WatchedMachineDeployment.DECODER, cache)
                .resume(UnreadableContent.VALUES.in(server));
        time.settle();

        assertThat(cache.all()).singleElement().satisfies(watched -> {
            assertThat(watched.machineDeployment().profileName()).isEqualTo("osp");
            assertThat(watched.machineDeployment().finalizers()).containsExactly("kubermatic.io/cleanup");
            assertThat(watched.mistakes()).singleElement().satisfies(mistake -> assertThat(mistake.cause())
                    .contains("more than 100000 JSON values"));
        });
    }

    @Test
    void theMetadataOfAnObjectOfAnySizeTakesLittleMemory() {
        MetadataScanner scanner = new MetadataScanner(false);
        byte[] start = "{\"spec\":{\"metadata\":{\"name\":\"wrong\"}},\"metadata\":{\"labels\":{\"name\":\"other\"},"
                .getBytes(UTF_8);
        scanner.add(start, 0, start.length);
        byte[] field = ("\"annotations\":{\"a\":\"" + "x".repeat(1_000_000) + "\"},\"x\":[{\"name\":\"no\"}],")
                .getBytes(UTF_8);
        for (int i = 0; i < 200; i++) {
            scanner.add(field, 0, field.length);
        }
        byte[] end = "\"name\" : \"one\",\"resourceVersion\":\"7\"}}".getBytes(UTF_8);
        scanner.add(end, 0, end.length);

        assertThat(scanner.isComplete()).isTrue();
        assertThat(new String(scanner.metadata(), UTF_8))
                .hasSizeLessThan(1_000)
                .contains("\"other\"", "\"one\"", "\"7\"");
        assertThat(scanner.name()).isEqualTo("one");
    }

    @Test
    void oneProblemOfATenantNamesAllItsObjects() {
        List<Problem> findings = Stream.of("a", "b")
                .map(name -> UnreadableObjects.finding(Resource.SECRETS, new ObjectKey("n", name), "it is too large"))
                .toList();

        assertThat(UnreadableObjects.problem("t", "", findings))
                .map(Problem::message)
                .hasValueSatisfying(message -> assertThat(message).contains("Secret n/a", "Secret n/b", "kubectl"));
        assertThat(UnreadableObjects.problem("t", "", List.of())).isEmpty();
    }
}
