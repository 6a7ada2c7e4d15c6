package io.osmhub.core.workercluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.resource.ShippedDefinition;
import io.osmhub.core.resource.Trees;
import io.osmhub.core.resource.YamlText;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The examples of the contract, with the verdict that an API server gives; here without one. */
class ExamplesTest {
    /** Which field the refusal names, by example. */
    private static final Map<String, String> FIELDS = Map.ofEntries(
            Map.entry("01-no-spec", "spec"),
            Map.entry("02-no-kubeconfig-ref", "spec.kubeconfigSecretRef"),
            Map.entry("03-ref-with-management-target", "spec.kubeconfigSecretRef"),
            Map.entry("04-scoped-with-management-target", "spec.credentials.mode"),
            Map.entry("05-target-changed", "spec.target"),
            Map.entry("06-name-too-long", ""),
            Map.entry("07-secret-name", "spec.kubeconfigSecretRef.name"),
            Map.entry("08-unknown-field", "spec.provisioning.clusterDns"),
            Map.entry("09-dns-not-an-ip", "spec.provisioning.clusterDNS[0]"),
            Map.entry("10-dns-empty", "spec.provisioning.clusterDNS"),
            Map.entry("11-container-runtime", "spec.provisioning.containerRuntime.name"),
            Map.entry("12-pause-image-quote", "spec.provisioning.containerRuntime.pauseImage"),
            Map.entry("13-feature-gate-value", "spec.provisioning.kubelet.featureGates.GracefulNodeShutdown"),
            Map.entry("14-feature-gate-name", "spec.provisioning.kubelet.featureGates"),
            Map.entry("15-taint-effect", "spec.provisioning.kubelet.initialTaints[0].effect"),
            Map.entry("16-taint-twice", "spec.provisioning.kubelet.initialTaints[1]"),
            Map.entry("17-taint-injection", "spec.provisioning.kubelet.initialTaints[0].value"),
            Map.entry("18-mirror-scheme", "spec.provisioning.registries.mirrors[0].endpoints[0].url"),
            Map.entry("19-mirror-credentials", "spec.provisioning.registries.mirrors[0].endpoints[0].url"),
            Map.entry("20-mirror-override-parameter", "spec.provisioning.registries.mirrors[0].endpoints[0].url"),
            Map.entry("21-mirror-twice", "spec.provisioning.registries.mirrors[1]"),
            Map.entry("22-mirror-without-endpoint", "spec.provisioning.registries.mirrors[0].endpoints"),
            Map.entry("23-insecure-with-scheme", "spec.provisioning.registries.insecure[0]"),
            Map.entry("24-credentials-other-namespace", "spec.provisioning.registries.credentialsSecretRef.namespace"),
            Map.entry("25-proxy-password", "spec.provisioning.proxy.httpProxy"),
            Map.entry("26-proxy-twice", "spec.provisioning.proxy"),
            Map.entry("27-proxy-scheme", "spec.provisioning.proxy.httpProxy"),
            Map.entry("28-no-proxy-comma", "spec.provisioning.proxy.noProxy[0]"),
            Map.entry("29-ca-two-sources", "spec.provisioning.hostCA"),
            Map.entry("30-ca-no-source", "spec.provisioning.kubernetesCA"),
            Map.entry("31-ca-not-pem", "spec.provisioning.hostCA.inline"),
            Map.entry("32-ca-private-key", "spec.provisioning.hostCA.inline"),
            Map.entry("33-api-server-http", "spec.provisioning.bootstrap.apiServerURL"),
            Map.entry("34-api-server-query", "spec.provisioning.bootstrap.apiServerURL"),
            Map.entry("35-token-ttl-short", "spec.provisioning.bootstrap.tokenTTL"),
            Map.entry("36-token-ttl-text", "spec.provisioning.bootstrap.tokenTTL"),
            Map.entry("37-token-ttl-with-service-account", "spec.provisioning.bootstrap"),
            Map.entry("38-scoped-fields-without-mode", "spec.credentials"),
            Map.entry("39-profile-namespace", "spec.profiles.namespaces[0]"),
            Map.entry("40-profile-unknown-os", "spec.profiles.byOperatingSystem"),
            Map.entry("41-install-defaults", "spec.profiles.installDefaults"),
            Map.entry("42-ping-interval", "spec.connection.pingInterval"),
            Map.entry("43-write-budget", "spec.connection.writeBudget"),
            Map.entry("44-cleanup-timeout", "spec.cleanupTimeout"),
            Map.entry("45-status-unknown-state", "status.state"),
            Map.entry("46-status-condition-without-message", "status.conditions[0].message"));

    /** How the refusals of structure read here, where the API server's words are its own. */
    private static final Map<String, String> WORDS = Map.ofEntries(
            Map.entry("spec: Required value", "spec: missing; it is required"),
            Map.entry("message: Required value", "message: missing; it is required"),
            Map.entry("should have at least 1 items", "has 0 items; at least 1 are required"),
            Map.entry("Duplicate value", "duplicate of item 0 in "),
            Map.entry("unknown field \"spec.provisioning.clusterDns\"", "unknown field; did you mean \"clusterDNS\"?"),
            Map.entry(
                    "unknown field \"spec.provisioning.registries.credentialsSecretRef.namespace\"",
                    "unknown field; known fields: name"),
            Map.entry("Unsupported value: \"docker\"", "\"docker\" is not supported; it must be one of containerd"),
            Map.entry("Unsupported value: \"NoRun\"", "\"NoRun\" is not supported; it must be one of NoSchedule"),
            Map.entry("Unsupported value: \"Everywhere\"", "\"Everywhere\" is not supported; it must be one of Shared"),
            Map.entry("Unsupported value: \"Flaky\"", "\"Flaky\" is not supported; it must be one of Connecting"));

    record Example(String name, String text) {
        List<JsonNode> steps() {
            return YamlText.parse(text);
        }

        /** What the API server says, or "" where the example leaves it open. */
        String error() {
            return text.lines()
                    .filter(line -> line.startsWith("# error: "))
                    .findFirst()
                    .map(line -> line.substring("# error: ".length()))
                    .orElse("");
        }

        List<Problem> findings() {
            List<JsonNode> steps = steps();
            return ShippedDefinition.WORKER_CLUSTERS.check(
                    steps.getLast(), steps.size() == 1 ? null : steps.getFirst(), Reason.SettingsInvalid);
        }

        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Example> accepted() {
        return examples("accept");
    }

    static Stream<Example> refused() {
        return examples("reject");
    }

    @ParameterizedTest
    @MethodSource("accepted")
    void acceptsWhatTheApiServerAccepts(Example example) {
        assertThat(example.findings()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("refused")
    void refusesWhatTheApiServerRefusesWithTheRightField(Example example) {
        List<Problem> findings = example.findings();

        assertThat(findings).extracting(Problem::field).containsExactly(FIELDS.get(example.name()));
        String expected = WORDS.getOrDefault(example.error(), example.error());
        assertThat(findings.getFirst().toString()).contains(expected);
    }

    @ParameterizedTest
    @MethodSource("accepted")
    void wireTypeLosesNothingOfAnExample(Example example) throws IOException {
        ObjectMapper json = new ObjectMapper();
        for (JsonNode step : example.steps()) {
            ObjectNode written = json.createObjectNode();
            written.set("spec", json.valueToTree(json.treeToValue(step.path("spec"), WorkerClusterSpec.class)));
            if (step.has("status")) {
                written.set(
                        "status", json.valueToTree(json.treeToValue(step.path("status"), WorkerClusterStatus.class)));
            }

            ObjectNode expected = step.deepCopy();
            assertThat(Trees.missing(expected.retain("spec", "status"), written))
                    .isEmpty();
        }
    }

    @Test
    void exampleTablesNameNoFileThatIsGone() {
        assertThat(refused().map(Example::name)).containsExactlyInAnyOrderElementsOf(FIELDS.keySet());
    }

    private static Stream<Example> examples(String folder) {
        try {
            Path path = Path.of(Objects.requireNonNull(ExamplesTest.class.getResource("/contracts/examples/" + folder))
                    .toURI());
            List<Path> files;
            try (Stream<Path> list = Files.list(path)) {
                files = list.sorted().toList();
            }
            return files.stream().map(file -> {
                String name = file.getFileName().toString();
                return new Example(
                        name.replace(".yaml", ""), YamlText.text("/contracts/examples/" + folder + "/" + name));
            });
        } catch (IOException | URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }
}
