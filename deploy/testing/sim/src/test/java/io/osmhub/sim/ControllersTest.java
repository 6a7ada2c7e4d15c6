package io.osmhub.sim;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.sim.contract.ApiCaller;
import io.osmhub.sim.contract.ContractAwait;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a controller manager does beside a real API server happens here too. */
final class ControllersTest {
    private static SimulatedClusters clusters;
    private SimulatedCluster cluster;
    private SimulatedObjects objects;

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
        cluster = clusters.add("controlled");
        objects = cluster.objects();
    }

    @Test
    void aDeletedNamespaceGoesWithItsContent() {
        objects.create("{\"apiVersion\":\"v1\",\"kind\":\"Namespace\",\"metadata\":{\"name\":\"n\"}}");
        configMap("n", "a", "");
        configMap("n", "held", ",\"finalizers\":[\"example.com/hold\"]");

        objects.delete("v1", "Namespace", "", "n");

        ContractAwait.until("the free object is gone", () -> objects.get("v1", "ConfigMap", "n", "a")
                .isEmpty());
        assertThat(objects.get("v1", "Namespace", "", "n")).isPresent();
        objects.patch("v1", "ConfigMap", "n", "held", "{\"metadata\":{\"finalizers\":null}}");
        ContractAwait.until("the namespace is gone", () -> objects.get("v1", "Namespace", "", "n")
                .isEmpty());
        assertThat(objects.get("v1", "ConfigMap", "n", "held")).isEmpty();
    }

    @Test
    void dependentsGoWithTheLastOfTheirOwners() {
        String first = uid(configMap("default", "first", ""));
        String second = uid(configMap("default", "second", ""));
        configMap(
                "default",
                "child",
                ",\"ownerReferences\":[%s,%s]".formatted(owner("first", first), owner("second", second)));

        objects.delete("v1", "ConfigMap", "default", "first");
        configMap(
                "default",
                "later",
                ",\"ownerReferences\":[%s]".formatted(owner("gone", "11111111-1111-1111-1111-111111111111")));
        ContractAwait.until("an orphan is gone", () -> objects.get("v1", "ConfigMap", "default", "later")
                .isEmpty());

        assertThat(objects.get("v1", "ConfigMap", "default", "child")).isPresent();
        objects.delete("v1", "ConfigMap", "default", "second");
        ContractAwait.until("the dependent is gone", () -> objects.get("v1", "ConfigMap", "default", "child")
                .isEmpty());
    }

    @Test
    void aTokenSecretIsFilledWheneverItsAccountComes() {
        objects.create("""
                {"apiVersion":"v1","kind":"Secret","type":"kubernetes.io/service-account-token","metadata":{"name":"t",
                 "namespace":"default","annotations":{"kubernetes.io/service-account.name":"robot"}}}""");
        objects.create(
                "{\"apiVersion\":\"v1\",\"kind\":\"ServiceAccount\",\"metadata\":{\"name\":\"robot\",\"namespace\":\"default\"}}");

        ContractAwait.until("the token is there", () -> objects.get("v1", "Secret", "default", "t")
                .orElseThrow()
                .path("data")
                .has("token"));

        ObjectNode secret = objects.get("v1", "Secret", "default", "t").orElseThrow();
        String token = decoded(secret.at("/data/token").asText());
        ApiCaller robot = ApiCaller.of(new ClusterTarget(cluster)).as(token);
        assertThat(robot.create("/apis/authentication.k8s.io/v1/selfsubjectreviews", "{}")
                        .text("/status/userInfo/username"))
                .isEqualTo("system:serviceaccount:default:robot");
        assertThat(decoded(secret.path("data").path("ca.crt").asText())).isEqualTo(cluster.caPem());
        objects.delete("v1", "Secret", "default", "t");
        assertThat(robot.get("/api/v1/namespaces").code()).isEqualTo(401);
    }

    private ObjectNode configMap(String namespace, String name, String metadata) {
        return objects.create(
                "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"%s\",\"namespace\":\"%s\"%s}}"
                        .formatted(name, namespace, metadata));
    }

    private static String owner(String name, String uid) {
        return "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"name\":\"%s\",\"uid\":\"%s\"}".formatted(name, uid);
    }

    private static String uid(ObjectNode object) {
        return object.at("/metadata/uid").asText();
    }

    private static String decoded(String base64) {
        return new String(Base64.getDecoder().decode(base64), StandardCharsets.UTF_8);
    }
}
