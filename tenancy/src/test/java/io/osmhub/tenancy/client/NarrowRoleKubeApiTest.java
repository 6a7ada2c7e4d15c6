package io.osmhub.tenancy.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.osmhub.core.bootstrap.ApiServerDiscovery.EndpointSlice;
import io.osmhub.tenancy.watch.NoopListWatchListener;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ApiRequest;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.apiserver.Verb;
import io.osmhub.workersync.fake.FakeApiServer;
import io.osmhub.workersync.fake.VirtualTime;
import io.osmhub.workersync.watch.ListWatch;
import io.osmhub.workersync.watch.ObjectCache;
import io.osmhub.workersync.watch.RuntimeContext;
import io.osmhub.workersync.watch.Selection;
import io.osmhub.workersync.watch.WatchEventListener;
import io.osmhub.workersync.watch.WorkerObjectDecoders;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class NarrowRoleKubeApiTest {
    private static final String STORED = """
            {"metadata":{"name":"x","resourceVersion":"7","annotations":{"old":"1","kept":"2"}},"data":{"a":"MQ=="}}""";

    private final VirtualTime time = new VirtualTime();
    private final List<ApiRequest> sent = new ArrayList<>();

    /** An API server that forbids some verbs and returns one object for the others. */
    private KubeApi api(Set<Verb> forbidden) {
        return narrow(new KubeApi() {
            @Override
            public byte[] send(ApiRequest request) throws ApiFailure {
                sent.add(request);
                if (forbidden.contains(request.verb())) {
                    throw new ApiFailure(ApiFailure.ApiFailureKind.ANSWERED, 403, "Forbidden", "no", null);
                }
                return STORED.getBytes(UTF_8);
            }

            @Override
            public Watch watch(ApiRequest request, WatchLineHandler lines) {
                throw new IllegalStateException("nothing is watched here");
            }
        });
    }

    private KubeApi narrow(KubeApi api) {
        return new NarrowRoleKubeApi(api, time);
    }

    private static ApiRequest patch(Resource resource) {
        return ApiRequest.patch(
                resource,
                "cloud-init-settings",
                "x",
                ApiRequest.MERGE_PATCH,
                "{\"metadata\":{\"annotations\":{\"old\":null,\"new\":\"3\"}},\"data\":{\"a\":\"Mg==\"}}");
    }

    @Test
    void aSecretThatMayNotBePatchedIsReadAndReplacedInTheVersionThatWasRead() throws ApiFailure {
        api(Set.of(Verb.PATCH)).send(patch(Resource.SECRETS));

        assertThat(sent).extracting(ApiRequest::verb).containsExactly(Verb.PATCH, Verb.GET, Verb.UPDATE);
        assertThat(sent.getLast().body())
                .isEqualTo(
                        "{\"metadata\":{\"name\":\"x\",\"resourceVersion\":\"7\",\"annotations\":{\"kept\":\"2\",\"new\":\"3\"}},\"data\":{\"a\":\"Mg==\"}}");
    }

    @Test
    void aForbiddenRequestIsTriedAgainLater() throws ApiFailure {
        KubeApi api = api(Set.of(Verb.PATCH));
        api.send(patch(Resource.SECRETS));
        sent.clear();

        api.send(patch(Resource.SECRETS));
        assertThat(sent).extracting(ApiRequest::verb).containsExactly(Verb.GET, Verb.UPDATE);

        time.pass(Duration.ofMinutes(11));
        sent.clear();
        api.send(patch(Resource.SECRETS));
        assertThat(sent).extracting(ApiRequest::verb).containsExactly(Verb.PATCH, Verb.GET, Verb.UPDATE);
    }

    @Test
    void whereTheReplacementIsForbiddenTooTheFirstRefusalCounts() {
        assertThatThrownBy(() -> api(Set.of(Verb.PATCH, Verb.UPDATE)).send(patch(Resource.SECRETS)))
                .isInstanceOfSatisfying(ApiFailure.class, failure -> assertThat(failure.isForbidden())
                        .isTrue());
    }

    /** Another writer changes the Secret between the read and the update. */
    @Test
    void aConcurrentChangeIsAConflictInsteadOfALoss() throws ApiFailure {
        FakeApiServer server = new FakeApiServer(time);
        server.put(Resource.SECRETS, secret("1"), "kubectl");
        server.reject(request -> {
            if (request.verb() == Verb.UPDATE) {
                server.put(Resource.SECRETS, secret("2"), "kubectl");
            }
            return request.verb() == Verb.PATCH ? FakeApiServer.status(403, "Forbidden", "no") : null;
        });

        assertThatThrownBy(() -> narrow(server).send(patch(Resource.SECRETS)))
                .isInstanceOfSatisfying(ApiFailure.class, failure -> assertThat(failure.isConflict())
                        .isTrue());
    }

    private static String secret(String value) {
        return "{\"metadata\":{\"namespace\":\"cloud-init-settings\",\"name\":\"x\"},\"data\":{\"a\":\"" + value
                + "\"}}";
    }

    /** The role of KubeOne's addon: EndpointSlices are forbidden, Endpoints may be read by name. */
    @Test
    void endpointSlicesThatMayNotBeReadAreMadeFromEndpointsEveryMinute() {
        FakeApiServer server = new FakeApiServer(time);
        server.reject(request ->
                request.resource() == Resource.ENDPOINT_SLICES ? FakeApiServer.status(403, "Forbidden", "no") : null);
        endpoints(server, "10.0.0.1");
        ObjectCache<EndpointSlice> slices = new ObjectCache<>((key, before, after, origin) -> {});
        ListWatch<EndpointSlice> watch = new ListWatch<>(
                Selection.labelled(Resource.ENDPOINT_SLICES, "default", "kubernetes.io/service-name=kubernetes"),
                WorkerObjectDecoders::endpointSlice,
                slices,
                WatchEventListener.noop(),
                NoopListWatchListener.INSTANCE,
                new RuntimeContext(time, time, new Random(1)),
                false);

        watch.resume(narrow(server));
        time.settle();
        assertThat(slices.all()).singleElement().satisfies(slice -> {
            assertThat(slice.ports()).containsExactly(new EndpointSlice.Port("https", 6443));
            assertThat(slice.endpoints().getFirst().addresses()).containsExactly("10.0.0.1");
            assertThat(slice.endpoints().getFirst().ready())
                    .as("only ready endpoints are used")
                    .isTrue();
        });

        endpoints(server, "10.0.0.2");
        time.pass(Duration.ofSeconds(70));
        assertThat(slices.all()).singleElement().satisfies(slice -> assertThat(
                        slice.endpoints().getFirst().addresses())
                .containsExactly("10.0.0.2"));
    }

    private static void endpoints(FakeApiServer server, String address) {
        server.put(Resource.ENDPOINTS, """
                {"metadata": {"namespace": "default", "name": "kubernetes"},
                 "subsets": [{"addresses": [{"ip": "%s"}], "ports": [{"name": "https", "port": 6443}]}]}
                """.formatted(address), "kube-apiserver");
    }

    /** The role of KKP's user clusters: EndpointSlices may be listed, not watched. */
    @Test
    void endpointSlicesThatMayNotBeWatchedAreListedEveryMinute() {
        FakeApiServer server = new FakeApiServer(time);
        server.reject(request -> request.resource() == Resource.ENDPOINT_SLICES && request.verb() == Verb.WATCH
                ? FakeApiServer.status(403, "Forbidden", "no")
                : null);
        ObjectCache<EndpointSlice> slices = new ObjectCache<>((key, before, after, origin) -> {});
        ListWatch<EndpointSlice> watch = new ListWatch<>(
                Selection.all(Resource.ENDPOINT_SLICES, "default"),
                WorkerObjectDecoders::endpointSlice,
                slices,
                WatchEventListener.noop(),
                NoopListWatchListener.INSTANCE,
                new RuntimeContext(time, time, new Random(1)),
                false);
        watch.resume(narrow(server));
        time.settle();

        server.put(
                Resource.ENDPOINT_SLICES,
                "{\"metadata\":{\"namespace\":\"default\",\"name\":\"kubernetes\"},\"endpoints\":[],\"ports\":[]}",
                "kube-apiserver");
        time.pass(Duration.ofMinutes(10));

        assertThat(slices.size()).isEqualTo(1);
        assertThat(server.requests())
                .filteredOn(request -> request.verb() == Verb.LIST)
                .hasSizeBetween(8, 12);
    }

    @Test
    void aTokenThatMayNotBeDeletedIsLeftToExpire() throws ApiFailure {
        api(Set.of(Verb.DELETE)).send(ApiRequest.delete(Resource.SECRETS, "kube-system", "x", "u", null));

        assertThat(sent).extracting(ApiRequest::verb).containsExactly(Verb.DELETE);
    }

    @Test
    void otherSecretsMustGo() {
        assertThatThrownBy(() -> api(Set.of(Verb.DELETE))
                        .send(ApiRequest.delete(Resource.SECRETS, "cloud-init-settings", "x", "u", null)))
                .isInstanceOf(ApiFailure.class);
    }

    @Test
    void otherKindsAreRefusedAsTheyAre() {
        assertThatThrownBy(() -> api(Set.of(Verb.PATCH)).send(patch(Resource.MACHINE_DEPLOYMENTS)))
                .isInstanceOf(ApiFailure.class);
        assertThat(sent).hasSize(1);
    }

    /** The writer of statuses then uses an annotation. */
    @Test
    void aStatusThatMayNotBeWrittenIsRefused() {
        assertThatThrownBy(() -> api(Set.of(Verb.PATCH))
                        .send(patch(Resource.OPERATING_SYSTEM_CONFIGS).withSubresource("status")))
                .isInstanceOf(ApiFailure.class);
        assertThat(sent).hasSize(1);
    }

    @Test
    void anEventIsToldInTheCoreGroupWhereTheOtherIsForbidden() throws ApiFailure {
        KubeApi api = narrow(new KubeApi() {
            @Override
            public byte[] send(ApiRequest request) throws ApiFailure {
                sent.add(request);
                if (request.resource() == Resource.EVENTS) {
                    throw new ApiFailure(ApiFailure.ApiFailureKind.ANSWERED, 403, "Forbidden", "no", null);
                }
                return STORED.getBytes(UTF_8);
            }

            @Override
            public Watch watch(ApiRequest request, WatchLineHandler lines) {
                throw new IllegalStateException("nothing is watched here");
            }
        });

        api.send(ApiRequest.create(
                Resource.EVENTS,
                "kube-system",
                "{\"apiVersion\":\"events.k8s.io/v1\",\"kind\":\"Event\",\"note\":\"n\",\"reason\":\"Published\","
                        + "\"regarding\":{\"name\":\"x\"},\"reportingController\":\"c\"}"));

        assertThat(sent.getLast().uri()).startsWith("/api/v1/namespaces/kube-system/events?");
        assertThat(sent.getLast().body())
                .isEqualTo("{\"apiVersion\":\"v1\",\"kind\":\"Event\",\"reason\":\"Published\",\"message\":\"n\","
                        + "\"involvedObject\":{\"name\":\"x\"},\"reportingComponent\":\"c\"}");
    }

    @Test
    void whatIsAllowedPassesAsItIs() throws ApiFailure {
        byte[] answer = api(Set.of()).send(patch(Resource.SECRETS));

        assertThat(answer).isEqualTo(STORED.getBytes(UTF_8));
        assertThat(sent).hasSize(1);
    }
}
