package io.osmhub.demo;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.LoggerContext;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.demo.stage.MachineDeploymentName;
import io.osmhub.demo.stage.MachineFlavor;
import io.osmhub.demo.stage.SimulatedFleet.SimulatedTenant;
import io.osmhub.deploy.log.ServiceLog;
import io.osmhub.sim.faults.ClusterFaults.FaultAction;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** The log of a real hub over simulated clusters, line by line, against the keys that docs/reference/logs-and-traces.md names. */
final class LogLinesTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Pattern KEYS = Pattern.compile("\\| (text|number|yes or no) \\| (`.*`) \\|.*");
    private static final Pattern KEY = Pattern.compile("`(\\w+)`");

    @TempDir
    private Path folder;

    private final PrintStream usual = System.err;
    private final ByteArrayOutputStream written = new ByteArrayOutputStream();

    @BeforeEach
    void listen() {
        System.setErr(new PrintStream(written, true, StandardCharsets.UTF_8));
        ServiceLog.start(ServiceLog.Format.JSON, "info", Map.of());
    }

    @AfterEach
    void beQuiet() {
        System.setErr(usual);
        ((LoggerContext) LoggerFactory.getILoggerFactory()).reset();
    }

    private String text() {
        return written.toString(StandardCharsets.UTF_8);
    }

    private List<JsonNode> lines() throws Exception {
        List<JsonNode> lines = new ArrayList<>();
        for (String line : text().split("\n", -1)) {
            // The Java runtime itself warns of what a library does.
            if (!line.isEmpty() && !line.startsWith("WARNING: ")) {
                lines.add(JSON.readTree(line));
            }
        }
        return lines;
    }

    private List<JsonNode> with(String key, String value) throws Exception {
        return lines().stream()
                .filter(line -> line.path(key).asText().equals(value))
                .toList();
    }

    private static Map<String, String> kinds() throws Exception {
        Map<String, String> kinds = new HashMap<>();
        Files.readString(MetricsTest.root().resolve("docs/reference/logs-and-traces.md"))
                .lines()
                .map(KEYS::matcher)
                .filter(Matcher::matches)
                .forEach(row -> {
                    Matcher key = KEY.matcher(row.group(2));
                    while (key.find()) {
                        kinds.put(key.group(1), row.group(1));
                    }
                });
        return kinds;
    }

    private static String kind(JsonNode value) {
        return value.isTextual() ? "text" : value.isNumber() ? "number" : value.isBoolean() ? "yes or no" : "other";
    }

    @Test
    void everyLineIsOneObjectWithKnownKeysOfTheirKinds() throws Exception {
        List<String> secrets;
        try (ObservedHub hub = new ObservedHub(folder, "")) {
            SimulatedTenant tenant = hub.publish("cluster-a");
            secrets = TracesTest.secrets(tenant);
            ObjectNode mistaken = MachineFlavor.UBUNTU_ON_AWS.machineDeployment(
                    new MachineDeploymentName("kube-system", "mistaken"), 1);
            mistaken.withObject("/metadata/annotations").put("k8c.io/operating-system-profile", "osp-not-there");
            tenant.objects().create(mistaken);
            hub.callApi("DELETE", "/api/v1/namespaces/nowhere/worker-clusters/nothing", "");
            LiveApi.awaitTrue(() -> !with("reason", "ProfileNotFound").isEmpty());
            LiveApi.awaitTrue(() -> !with("logger", "audit").isEmpty());
            tenant.cluster().faults().refuseConnections(true);
            LiveApi.awaitTrue(() -> !with("reason", "WorkerClusterUnreachable").isEmpty());
        }

        Map<String, String> kinds = kinds();
        TreeSet<String> wrong = new TreeSet<>();
        for (JsonNode line : lines()) {
            line.properties().forEach(entry -> {
                if (!kind(entry.getValue()).equals(kinds.get(entry.getKey()))) {
                    wrong.add(entry.getKey() + ": " + entry.getValue() + " in " + line);
                }
            });
            assertThat(line.path("ts").asText()).matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z");
        }
        assertThat(kinds).hasSizeGreaterThan(20);
        assertThat(wrong).isEmpty();

        JsonNode change = with("machineDeployment", "kube-system/workers").getFirst();
        assertThat(change.path("tenant").asText()).isEqualTo("cluster-a");
        assertThat(change.path("workerCluster").asText()).isEqualTo("worker-cluster-a");
        assertThat(change.path("reconcileId").asText()).matches("[0-9a-f]{12}");
        assertThat(change.path("because").asText()).isNotEmpty();
        JsonNode problem = with("reason", "ProfileNotFound").getFirst();
        assertThat(problem.path("actor").asText()).isEqualTo("tenant");
        assertThat(problem.path("machineDeployment").asText()).isEqualTo("kube-system/mistaken");
        JsonNode audit = with("logger", "audit").getFirst();
        assertThat(audit.path("requestId").asText()).isNotEmpty();
        assertThat(audit.path("user").asText()).isEqualTo("admin");
        assertThat(audit.path("action").asText()).isEqualTo("worker-cluster.delete");
        assertThat(audit.path("outcome").asText()).isEqualTo("denied");
        assertThat(secrets).hasSizeGreaterThan(3).noneMatch(secret -> text().contains(secret));
    }

    @Test
    void aFailureThatGoesOnIsToldMoreAndMoreRarely() throws Exception {
        try (ObservedHub hub = new ObservedHub(folder, "")) {
            SimulatedTenant tenant = hub.publish("cluster-a");
            tenant.cluster()
                    .faults()
                    .script(line ->
                            line.verb().equals("create") && line.resource().equals("secrets")
                                    ? FaultAction.fail(500)
                                    : FaultAction.PASS);
            tenant.objects()
                    .create(MachineFlavor.UBUNTU_ON_AWS.machineDeployment(
                            new MachineDeploymentName("kube-system", "unlucky"), 1));

            LiveApi.awaitTrue(() -> with("machineDeployment", "kube-system/unlucky").stream()
                    .anyMatch(line -> line.path("repeats").asInt() >= 4));
        }

        List<Integer> repeats = with("machineDeployment", "kube-system/unlucky").stream()
                .filter(line -> line.has("repeats"))
                .map(line -> line.path("repeats").asInt())
                .toList();
        assertThat(repeats).startsWith(1, 2, 4).isSorted();
        assertThat(repeats).allMatch(number -> Integer.bitCount(number) == 1);
    }
}
