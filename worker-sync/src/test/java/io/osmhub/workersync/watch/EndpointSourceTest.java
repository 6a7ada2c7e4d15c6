package io.osmhub.workersync.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.osmhub.core.bootstrap.ApiServerDiscovery.EndpointSlice;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ApiRequest;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.apiserver.Verb;
import io.osmhub.workersync.fake.SimulatedServer;
import io.osmhub.workersync.fake.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

final class EndpointSourceTest {
    private final VirtualTime time = new VirtualTime();
    private final SimulatedServer server = new SimulatedServer(time);
    private final List<String> notifications = new ArrayList<>();
    private final ObjectCache<EndpointSlice> slices = new ObjectCache<>((key, before, after, origin) -> {});
    private final ListWatch<EndpointSlice> watch = new ListWatch<>(
            CachedSelection.unlimited(EndpointSource.SELECTION, WorkerObjectDecoders::endpointSlice, slices, true),
            new Notifications(),
            new RuntimeContext(time, time, new Random(1)));

    private class Notifications implements ListWatchListener {
        @Override
        public void onSynced() {
            notifications.add("synced");
        }

        @Override
        public void onFailed(ApiFailure failure, int inARow) {
            notifications.add("failed " + failure.code());
        }

        @Override
        public void onAccessDenied(ApiFailure failure) {
            notifications.add("denied " + failure.code());
        }

        @Override
        public void onShortWatches(int inARow) {
            notifications.add("short watches");
        }

        @Override
        public void onRecovered() {
            notifications.add("recovered");
        }

        @Override
        public void onRestarted(RestartReason why) {}
    }

    private void begin() {
        watch.resume(new EndpointSource(server.api(), time));
        time.settle();
    }

    private void forbid(Predicate<ApiRequest> request) {
        server.reject(each -> request.test(each) ? SimulatedServer.status(403, "Forbidden", "no") : null);
    }

    private static boolean isForSlices(ApiRequest request) {
        return request.resource() == Resource.ENDPOINT_SLICES;
    }

    private void putEndpoints(String address) {
        server.put(Resource.ENDPOINTS, """
                {"metadata": {"namespace": "default", "name": "kubernetes"},
                 "subsets": [{"addresses": [{"ip": "%s"}], "notReadyAddresses": [{"ip": "10.0.0.9"}],
                              "ports": [{"name": "https", "port": 6443}]}]}
                """.formatted(address), "kube-apiserver");
    }

    private void putSlice(String address) {
        server.put(Resource.ENDPOINT_SLICES, """
                {"metadata": {"namespace": "default", "name": "kubernetes",
                              "labels": {"kubernetes.io/service-name": "kubernetes"}},
                 "addressType": "IPv4", "ports": [{"name": "https", "port": 6443}],
                 "endpoints": [{"addresses": ["%s"], "conditions": {"ready": true}}]}
                """.formatted(address), "kube-apiserver");
    }

    private static EndpointSlice slice(String address) {
        return new EndpointSlice(6443, List.of(address));
    }

    private long requests(Verb verb, Resource resource) {
        return server.requests().stream()
                .filter(request -> request.verb() == verb && request.resource() == resource)
                .count();
    }

    /** The role of KubeOne's addon: EndpointSlices are forbidden, Endpoints may be read by name. */
    @Test
    void slicesThatMayNotBeReadAreMadeFromEndpointsEveryMinute() {
        forbid(EndpointSourceTest::isForSlices);
        putEndpoints("10.0.0.1");

        begin();
        assertThat(slices.all()).as("only ready endpoints are used").containsExactly(slice("10.0.0.1"));

        putEndpoints("10.0.0.2");
        time.pass(Duration.ofSeconds(70));
        assertThat(slices.all()).containsExactly(slice("10.0.0.2"));
        assertThat(notifications).as("nothing to report").containsExactly("synced");
    }

    /** The role of KKP's user clusters: EndpointSlices may be listed, not watched. */
    @Test
    void slicesThatMayNotBeWatchedAreListedEveryMinute() {
        forbid(request -> isForSlices(request) && request.verb() == Verb.WATCH);
        begin();

        putSlice("10.0.0.1");
        time.pass(Duration.ofMinutes(9));

        assertThat(slices.all()).containsExactly(slice("10.0.0.1"));
        assertThat(requests(Verb.LIST, Resource.ENDPOINT_SLICES)).isBetween(8L, 11L);
        assertThat(requests(Verb.WATCH, Resource.ENDPOINT_SLICES)).isEqualTo(1);
        assertThat(requests(Verb.GET, Resource.ENDPOINTS)).isZero();
        assertThat(notifications).containsExactly("synced");
    }

    @Test
    void aPermissionThatIsGrantedLaterIsUsedAfterTenMinutes() {
        forbid(EndpointSourceTest::isForSlices);
        putEndpoints("10.0.0.1");
        begin();
        time.pass(Duration.ofMinutes(8));
        assertThat(requests(Verb.LIST, Resource.ENDPOINT_SLICES)).isEqualTo(1);

        forbid(request -> false);
        putSlice("10.0.0.2");
        time.pass(Duration.ofMinutes(4));
        assertThat(slices.all()).containsExactly(slice("10.0.0.2"));

        putSlice("10.0.0.3");
        time.settle();
        assertThat(slices.all()).as("watched").containsExactly(slice("10.0.0.3"));
        assertThat(notifications).containsExactly("synced");
    }

    @Test
    void aWatchIsStoppedWhereItIsPolled() {
        forbid(EndpointSourceTest::isForSlices);
        putEndpoints("10.0.0.1");
        begin();
        int before = server.requests().size();

        watch.suspend();
        time.pass(Duration.ofMinutes(20));

        assertThat(server.requests()).hasSize(before);
    }

    @Test
    void withoutAnyPermissionTheRefusalOfSlicesIsReported() {
        forbid(request -> true);

        begin();

        assertThat(notifications).containsExactly("denied 403");
        assertThatThrownBy(() -> EndpointSource.read(server.api())).isInstanceOf(ApiFailure.class);
    }

    @Test
    void aSingleReadNeedsNoMorePermissions() throws Exception {
        putSlice("10.0.0.1");
        assertThat(EndpointSource.read(server.api())).containsExactly(slice("10.0.0.1"));

        forbid(EndpointSourceTest::isForSlices);
        putEndpoints("10.0.0.2");
        assertThat(EndpointSource.read(server.api())).containsExactly(slice("10.0.0.2"));
    }
}
