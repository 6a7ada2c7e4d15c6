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
import io.osmhub.demo.stage.MachineFlavor;
import io.osmhub.demo.stage.SimulatedFleet.SimulatedTenant;
import io.osmhub.sim.faults.ClusterFaults.FaultAction;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
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
            SimulatedTenant tenant = hub.publish("cluster-a");
            AtomicLong secretWrites = new AtomicLong();
            tenant.cluster().faults().script(line -> {
                if (line.resource().equals("secrets")
                        && List.of("create", "patch").contains(line.verb())) {
                    secretWrites.incrementAndGet();
                }
                return FaultAction.PASS;
            });
            tenant.objects()
                    .create(MachineFlavor.UBUNTU_ON_AWS.machineDeployment(
                            new MachineDeploymentName("kube-system", "second"), 1));
            hub.callApi("GET", "/api/v1/worker-clusters", "", "traceparent", "00-" + PARENT + "-b7ad6b7169203331-01");
            hub.review("/mutate-v1alpha1-machinedeployment", "{}");

            LiveApi.awaitTrue(() -> named(receiver, "create secrets").size() >= 6
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
            assertThat(steps)
                    .extracting(Span::name)
                    .contains(
                            "look",
                            "decide",
                            "render",
                            "patch machinedeployments",
                            "create operatingsystemconfigs",
                            "create secrets");
            assertThat(steps).allMatch(step -> step.began() >= event.began() && step.ended() <= event.ended());
            List<Span> requests = steps.stream().filter(Span::isClient).toList();
            assertThat(requests)
                    .hasSizeGreaterThan(4)
                    .extracting(span -> span.name() + " " + span.attribute("http.request.method") + " "
                            + span.attribute("http.response.status_code") + " "
                            + span.attribute("k8s.namespace.name"))
                    .contains(
                            "patch machinedeployments PATCH 200 kube-system",
                            "create operatingsystemconfigs POST 201 cluster-a",
                            "create secrets POST 201 cloud-init-settings",
                            "create secrets POST 201 kube-system");
            assertThat(requests).noneMatch(Span::failed);
            assertThat(steps).filteredOn(step -> !step.isClient()).noneMatch(step -> step.name()
                    .contains(" "));
            LiveApi.awaitTrue(() -> secretRequests(receiver) == secretWrites.get());
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

    /** Spans of requests about Secrets in the traces of the MachineDeployment that came second. */
    private static long secretRequests(TraceReceiver receiver) {
        Set<String> traces = named(receiver, "machinedeployment.event").stream()
                .filter(span -> span.attribute("osmhub.machine_deployment").equals("kube-system/second"))
                .map(Span::traceId)
                .collect(Collectors.toSet());
        return receiver.spans().stream()
                .filter(span -> span.isClient()
                        && span.attribute("k8s.resource").equals("secrets")
                        && traces.contains(span.traceId()))
                .count();
    }

    /** What no trace may hold: the hub's credential, and every value of the Secrets that it wrote. */
    static List<String> secrets(SimulatedTenant tenant) {
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
            SimulatedTenant tenant = hub.publish("cluster-a");
            ObjectNode mistaken = MachineFlavor.UBUNTU_ON_AWS.machineDeployment(
                    new MachineDeploymentName("kube-system", "mistaken"), 1);
            mistaken.withObject("/metadata/annotations").put("k8c.io/operating-system-profile", "osp-not-there");
            tenant.objects().create(mistaken);

            LiveApi.awaitTrue(() -> !named(receiver, "machinedeployment.event").isEmpty());

            assertThat(named(receiver, "machinedeployment.event"))
                    .allMatch(Span::failed)
                    .allMatch(
                            span -> span.attribute("osmhub.machine_deployment").equals("kube-system/mistaken"));
        }
    }

    @Test
    void whatTheConfigurationLeavesOpenIsSetAsForEveryProgramWithOpenTelemetry() throws Exception {
        // Set by the environment variable OTEL_RESOURCE_ATTRIBUTES too, which a test cannot change.
        System.setProperty("otel.resource.attributes", "deployment.environment.name=lab");
        try (TraceReceiver receiver = new TraceReceiver();
                ObservedHub hub = new ObservedHub(folder, tracing(receiver.endpoint(), "1.0"))) {
            hub.callApi("GET", "/api/v1/worker-clusters", "");

            LiveApi.awaitTrue(
                    () -> !named(receiver, "GET /api/v1/worker-clusters").isEmpty());

            assertThat(receiver.spans().getFirst().resource())
                    .containsEntry("deployment.environment.name", "lab")
                    .containsEntry("service.name", "osm-hub");
        } finally {
            System.clearProperty("otel.resource.attributes");
        }
    }

    @Test
    void aRequestThatIsRefusedHasItsStatusAndOneThatIsNotAnsweredSaysWhy() throws Exception {
        try (TraceReceiver receiver = new TraceReceiver();
                ObservedHub hub = new ObservedHub(folder, tracing(receiver.endpoint(), "1.0"))) {
            SimulatedTenant tenant = hub.publish("cluster-a");
            AtomicLong tries = new AtomicLong();
            tenant.cluster()
                    .faults()
                    .script(line ->
                            line.verb().equals("create") && line.resource().equals("secrets")
                                    ? tries.incrementAndGet() < 4 ? FaultAction.fail(500) : new FaultAction.Drop()
                                    : FaultAction.PASS);
            tenant.objects()
                    .create(MachineFlavor.UBUNTU_ON_AWS.machineDeployment(
                            new MachineDeploymentName("kube-system", "refused"), 1));

            LiveApi.awaitTrue(() -> named(receiver, "create secrets").stream()
                    .anyMatch(span -> span.attribute("error.type").equals("no_connection")));

            assertThat(named(receiver, "create secrets"))
                    .filteredOn(Span::failed)
                    .anyMatch(
                            span -> span.attribute("http.response.status_code").equals("500")
                                    && span.attribute("error.type").equals("500"))
                    .filteredOn(span -> span.attribute("error.type").equals("no_connection"))
                    .noneMatch(span -> span.attributes().containsKey("http.response.status_code"));
        }
    }

    @Test
    void aLineAboutARequestNamesItsTraceAndSpanAndNeitherWhileTracesAreOff() throws Exception {
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        Logger logger = (Logger) LoggerFactory.getLogger("audit");
        lines.start();
        logger.addAppender(lines);
        logger.setLevel(Level.INFO);
        String nothing = "/api/v1/namespaces/nowhere/worker-clusters/nothing";
        try (TraceReceiver receiver = new TraceReceiver()) {
            try (ObservedHub hub = new ObservedHub(folder, tracing(receiver.endpoint(), "1.0"))) {
                hub.callApi("DELETE", nothing, "", "traceparent", "00-" + PARENT + "-b7ad6b7169203331-01");
                hub.callApi("DELETE", nothing, "");
                LiveApi.awaitTrue(() -> deletions(receiver).size() >= 2 && lines.list.size() >= 2);
            }
            try (ObservedHub hub = new ObservedHub(Files.createDirectory(folder.resolve("off")), "")) {
                hub.callApi("DELETE", nothing, "");
                LiveApi.awaitTrue(() -> lines.list.size() >= 3);
            }

            for (int i = 0; i < 2; i++) {
                Map<String, String> keys = keys(lines.list.get(i));
                assertThat(deletions(receiver))
                        .anyMatch(span -> span.traceId().equals(keys.get("traceId"))
                                && span.spanId().equals(keys.get("spanId")));
            }
        } finally {
            logger.detachAppender(lines);
        }

        assertThat(keys(lines.list.get(0))).containsEntry("traceId", PARENT);
        assertThat(keys(lines.list.get(1)).get("traceId")).isNotEqualTo(PARENT);
        assertThat(keys(lines.list.get(2))).doesNotContainKeys("traceId", "spanId");
    }

    private static List<Span> deletions(TraceReceiver receiver) {
        return named(receiver, "DELETE /api/v1/namespaces/{namespace}/worker-clusters/{name}");
    }

    private static Map<String, String> keys(ILoggingEvent line) {
        return line.getKeyValuePairs().stream()
                .collect(Collectors.toMap(pair -> pair.key, pair -> String.valueOf(pair.value)));
    }

    @Test
    void aReceiverThatIsAwayHarmsNothingAndIsToldOnce() throws Exception {
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        Logger logger = (Logger) LoggerFactory.getLogger("io.osmhub.deploy.run.OutageLoggingSpanExporter");
        lines.start();
        logger.addAppender(lines);
        logger.setLevel(Level.INFO);
        try (ObservedHub hub = new ObservedHub(folder, tracing("http://127.0.0.1:1", "1.0"))) {
            hub.publish("cluster-a");
            LiveApi.awaitTrue(() -> !lines.list.isEmpty());
            hub.publish("cluster-b");
            assertThat(hub.callApi("GET", "/api/v1/worker-clusters", "").statusCode())
                    .isEqualTo(200);
        } finally {
            logger.detachAppender(lines);
        }

        assertThat(lines.list).hasSize(1);
        assertThat(lines.list.getFirst().getFormattedMessage()).startsWith("Trace export failed");
    }
}
