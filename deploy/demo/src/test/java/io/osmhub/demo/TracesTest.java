package io.osmhub.demo;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.demo.TraceReceiver.Span;
import io.osmhub.demo.stage.MachineDeploymentName;
import io.osmhub.demo.stage.Recipe;
import io.osmhub.demo.stage.Tenant;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** Traces that a real hub sends to a receiver on this machine. */
final class TracesTest {
    private static final String PARENT = "0af7651916cd43dd8448eb211c80319c";

    @TempDir
    private Path folder;

    private static String tracing(String endpoint, String ratio) {
        return "tracing: {enabled: true, endpoint: \"" + endpoint + "\", sampleRatio: " + ratio + "}\n";
    }

    private static List<Span> named(TraceReceiver receiver, String name) {
        return receiver.spans().stream()
                .filter(span -> span.name().equals(name))
                .toList();
    }

    private static List<Span> within(TraceReceiver receiver, Span parent) {
        return receiver.spans().stream()
                .filter(span -> span.traceId().equals(parent.traceId())
                        && span.parentId().equals(parent.spanId()))
                .toList();
    }

    @Test
    void aMachineDeploymentIsFollowedFromItsEventToEachWriteAndNoSecretIsInIt() throws Exception {
        try (TraceReceiver receiver = new TraceReceiver();
                ObservedHub hub = new ObservedHub(folder, tracing(receiver.endpoint(), "1.0"))) {
            Tenant tenant = hub.publish("cluster-a");
            tenant.objects()
                    .create(Recipe.UBUNTU_ON_AWS.machineDeployment(
                            new MachineDeploymentName("kube-system", "second"), 1));
            hub.ask("GET", "/api/v1/worker-clusters", "", "traceparent", "00-" + PARENT + "-b7ad6b7169203331-01");
            hub.review("/mutate-v1alpha1-machinedeployment", "{}");

            ObservedHub.until(() -> named(receiver, "write").size() >= 10
                    && !named(receiver, "GET /api/v1/worker-clusters").isEmpty()
                    && named(receiver, "machinedeployment.event").stream().anyMatch(TracesTest::isSecond));

            Span event = named(receiver, "machinedeployment.event").stream()
                    .filter(TracesTest::isSecond)
                    .findFirst()
                    .orElseThrow();
            assertThat(event.parentId()).isEmpty();
            assertThat(event.attributes())
                    .containsEntry("osmhub.tenant", "cluster-a")
                    .containsEntry("osmhub.worker_cluster", "worker-cluster-a")
                    .containsEntry("osmhub.trigger", "created");
            assertThat(event.resource())
                    .containsEntry("service.name", "osm-hub")
                    .containsEntry("service.instance.id", "osm-hub-observed");
            assertThat(within(receiver, event))
                    .extracting(Span::name)
                    .containsExactlyInAnyOrder("queue.wait", "reconcile");
            Span reconcile = within(receiver, event).stream()
                    .filter(span -> span.name().equals("reconcile"))
                    .findFirst()
                    .orElseThrow();
            assertThat(reconcile.attributes()).containsEntry("osmhub.result", "ok");
            assertThat(reconcile.attribute("osmhub.reconcile_id")).matches("[0-9a-f]{12}");
            List<Span> steps = within(receiver, reconcile);
            assertThat(steps).extracting(Span::name).contains("look", "decide", "render", "write");
            assertThat(steps).allMatch(step -> step.began() >= event.began() && step.ended() <= event.ended());
            List<Span> writes =
                    steps.stream().filter(span -> span.name().equals("write")).toList();
            assertThat(writes)
                    .extracting(span -> span.attribute("k8s.resource"))
                    .contains("operatingsystemconfigs", "secrets", "machinedeployments");
            assertThat(writes).extracting(span -> span.attribute("osmhub.role")).contains("osc", "secret", "token");
            assertThat(steps)
                    .filteredOn(span -> span.name().equals("render"))
                    .allMatch(span -> span.attribute("osmhub.engine").equals("go"));

            Span request = named(receiver, "GET /api/v1/worker-clusters").getFirst();
            assertThat(request.traceId()).isEqualTo(PARENT);
            assertThat(request.parentId()).isEqualTo("b7ad6b7169203331");
            assertThat(request.attributes())
                    .containsEntry("http.route", "/api/v1/worker-clusters")
                    .containsEntry("http.response.status_code", "200");

            assertThat(secrets(tenant)).isNotEmpty().noneMatch(secret -> receiver.text()
                    .contains(secret));
        }
    }

    private static boolean isSecond(Span span) {
        return span.attribute("osmhub.machine_deployment").equals("kube-system/second")
                && span.attribute("osmhub.trigger").equals("created");
    }

    /** What no trace may hold: the hub's credential, and every value of the Secrets that it wrote. */
    static List<String> secrets(Tenant tenant) {
        List<String> secrets = new ArrayList<>(List.of(tenant.cluster().adminToken()));
        for (String namespace : List.of("cloud-init-settings", "kube-system")) {
            for (ObjectNode secret : tenant.objects().list("v1", "Secret", namespace)) {
                for (Map.Entry<String, JsonNode> entry : secret.path("data").properties()) {
                    String value = new String(
                            Base64.getDecoder().decode(entry.getValue().asText()), StandardCharsets.UTF_8);
                    if (value.length() > 12
                            && !entry.getKey().equals("namespace")
                            && !value.contains("system:")
                            && !value.startsWith("20")) {
                        secrets.add(value);
                    }
                }
            }
        }
        return secrets;
    }

    @Test
    void aRunThatEndsInAnErrorIsKeptAlthoughNothingElseIs() throws Exception {
        try (TraceReceiver receiver = new TraceReceiver();
                ObservedHub hub = new ObservedHub(folder, tracing(receiver.endpoint(), "0"))) {
            Tenant tenant = hub.publish("cluster-a");
            ObjectNode mistaken =
                    Recipe.UBUNTU_ON_AWS.machineDeployment(new MachineDeploymentName("kube-system", "mistaken"), 1);
            mistaken.withObject("/metadata/annotations").put("k8c.io/operating-system-profile", "osp-not-there");
            tenant.objects().create(mistaken);

            ObservedHub.until(() -> !named(receiver, "machinedeployment.event").isEmpty());

            assertThat(named(receiver, "machinedeployment.event"))
                    .allMatch(Span::failed)
                    .allMatch(
                            span -> span.attribute("osmhub.machine_deployment").equals("kube-system/mistaken"));
        }
    }

    @Test
    void aReceiverThatIsAwayHarmsNothingAndIsToldOnce() throws Exception {
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        Logger logger = (Logger) LoggerFactory.getLogger("io.osmhub.deploy.run.ToldSpanExporter");
        lines.start();
        logger.addAppender(lines);
        logger.setLevel(Level.INFO);
        try (ObservedHub hub = new ObservedHub(folder, tracing("http://127.0.0.1:1", "1.0"))) {
            hub.publish("cluster-a");
            ObservedHub.until(() -> !lines.list.isEmpty());
            hub.publish("cluster-b");
            assertThat(hub.ask("GET", "/api/v1/worker-clusters", "").statusCode())
                    .isEqualTo(200);
        } finally {
            logger.detachAppender(lines);
        }

        assertThat(lines.list).hasSize(1);
        assertThat(lines.list.getFirst().getFormattedMessage()).startsWith("Traces are not received");
    }
}
