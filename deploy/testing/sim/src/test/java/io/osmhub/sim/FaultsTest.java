package io.osmhub.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.osmhub.sim.contract.ApiCaller;
import io.osmhub.sim.contract.ApiCaller.Reply;
import io.osmhub.sim.faults.ClusterFaults.FaultAction;
import java.io.UncheckedIOException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the faults of a simulated cluster leave in its store and its counters; {@code FaultsContract} tries each of them. */
final class FaultsTest {
    private static final String CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";

    private static SimulatedClusters clusters;
    private SimulatedCluster cluster;
    private ApiCaller api;

    @BeforeAll
    static void start() {
        clusters = SimulatedClusters.start(0, SimulationOptions.defaults());
    }

    @AfterAll
    static void stop() {
        clusters.close();
    }

    @BeforeEach
    void addCluster() {
        cluster = clusters.add("faulty");
        api = caller();
    }

    @Test
    void aCompactedRevisionIsGone() {
        create("a");
        long old = cluster.objects().revision();
        create("b");
        cluster.objects().compact();

        try (ApiCaller.OpenWatch watch = api.watch(CONFIG_MAPS + "?watch=true&resourceVersion=" + old)) {
            assertThat(watch.next().at("/object/code").asInt()).isEqualTo(410);
        }
    }

    @Test
    void requestsAreCountedByVerbResourceUserAndCode() {
        create("a");
        api.get(CONFIG_MAPS + "/a");
        api.get(CONFIG_MAPS + "/nope");
        api.as("wrong").get(CONFIG_MAPS);

        assertThat(cluster.counters().all().toString())
                .contains("RequestSeries[verb=create, resource=configmaps, user=kubernetes-admin, code=201]=1")
                .contains("RequestSeries[verb=get, resource=configmaps, user=kubernetes-admin, code=200]=1")
                .contains("RequestSeries[verb=get, resource=configmaps, user=kubernetes-admin, code=404]=1")
                .contains("RequestSeries[verb=list, resource=configmaps, user=system:anonymous, code=401]=1");
        assertThat(cluster.counters().total("", "configmaps")).isEqualTo(4);
    }

    @Test
    void aRequestIsCountedWhetherItIsPassedOnOrNot() {
        cluster.faults()
                .script(request ->
                        request.verb().equals("create") ? new FaultAction.DropResponse() : FaultAction.fail(503));

        assertThatThrownBy(() -> create("a")).isInstanceOf(UncheckedIOException.class);
        assertThat(caller().get(CONFIG_MAPS).code()).isEqualTo(503);

        assertThat(cluster.objects().get("v1", "ConfigMap", "default", "a")).isPresent();
        assertThat(cluster.counters().total("", "configmaps")).isEqualTo(2);
    }

    private ApiCaller caller() {
        return ApiCaller.of(new ClusterTarget(cluster));
    }

    private Reply create(String name) {
        return api.create(CONFIG_MAPS, "{\"metadata\":{\"name\":\"%s\"}}".formatted(name));
    }
}
