package io.osmhub.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.demo.stage.SimulatedFleet.SimulatedTenant;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A running hub stays alive however its connections to worker clusters end. */
final class ClosedConnectionsTest {
    /** /livez fails 10 s after the last heartbeat of a loop; meanwhile connections are tried again several times. */
    private static final Duration OBSERVED = Duration.ofSeconds(60);

    private static final Pattern LAG = Pattern.compile("(?m)^osm_hub_event_loop_lag_seconds (\\S+)$");

    @TempDir
    private Path folder;

    @Test
    void theHubIsReadyOnlyOnceItsApiListens() throws Exception {
        try (ObservedHub hub = new ObservedHub(folder, "")) {
            assertThat(hub.readinessBeforeApi()).startsWith("failed: ").contains("api");
            assertThat(hub.readiness()).isEqualTo("ok\n");
        }
    }

    @Test
    void theHubIsAliveAfterConnectionsWereClosedInEveryWay() throws Exception {
        try (ObservedHub hub = new ObservedHub(folder, "")) {
            SimulatedTenant removed = hub.publish("removed");
            SimulatedTenant refused = hub.publish("refused");
            SimulatedTenant replaced = hub.publish("replaced");
            SimulatedTenant tested = hub.publish("tested");
            SimulatedTenant closedByTheServer = hub.publish("closed");

            hub.stage().management().objects().delete("v1", "Secret", "removed", "worker-removed-kubeconfig");
            hub.stage()
                    .management()
                    .objects()
                    .delete("osmhub.io/v1alpha1", "WorkerCluster", "removed", "worker-removed");
            refused.cluster().faults().refuseConnections(true);
            refused.cluster().faults().closeConnections();
            replace(hub, replaced);
            assertThat(hub.callApi("POST", "/api/v1/namespaces/tested/worker-clusters/worker-tested/test", "")
                            .statusCode())
                    .isEqualTo(200);
            tested.cluster().faults().refuseConnections(true);
            assertThat(hub.callApi("POST", "/api/v1/namespaces/tested/worker-clusters/worker-tested/test", "")
                            .statusCode())
                    .isEqualTo(200);
            closedByTheServer.cluster().faults().closeConnections();
            LiveApi.awaitTrue(() -> removed.cluster().connections() == 0);

            Set<String> lags = new HashSet<>();
            Awaitility.await()
                    .pollInterval(Duration.ofMillis(500))
                    .during(OBSERVED)
                    .atMost(OBSERVED.multipliedBy(2))
                    .until(() -> {
                        assertThat(hub.isAlive()).isTrue();
                        Matcher lag = LAG.matcher(hub.scrape());
                        assertThat(lag.find()).isTrue();
                        lags.add(lag.group(1));
                        return true;
                    });
            // It is the longest delay of the last 15 s.
            assertThat(lags).hasSizeGreaterThan(1);
        }
    }

    /** The same API server with another token, as a rotation writes it. */
    private static void replace(ObservedHub hub, SimulatedTenant tenant) {
        String kubeconfig = tenant.cluster().kubeconfig("another-admin", "system:masters");
        hub.stage()
                .management()
                .objects()
                .patch(
                        "v1",
                        "Secret",
                        tenant.namespace(),
                        tenant.workerCluster() + "-kubeconfig",
                        "{\"data\":{\"kubeconfig\":\""
                                + Base64.getEncoder().encodeToString(kubeconfig.getBytes(StandardCharsets.UTF_8))
                                + "\"}}");
    }
}
