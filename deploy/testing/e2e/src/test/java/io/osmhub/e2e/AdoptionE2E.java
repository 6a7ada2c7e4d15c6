package io.osmhub.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.e2e.cluster.ApiResource;
import io.osmhub.e2e.cluster.AuditLog;
import io.osmhub.e2e.cluster.Await;
import io.osmhub.e2e.cluster.ClusterClient;
import io.osmhub.e2e.cluster.ManifestObjects;
import io.osmhub.e2e.cluster.RealCluster;
import io.osmhub.e2e.cluster.RealClusters;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What the peer left is taken over as it is: where the content is the same, nothing is written and no machine rotates. */
final class AdoptionE2E {
    @RegisterExtension
    static final RealClusters CLUSTERS = RealClusters.withWorkers(1);

    private static final String FINALIZER = "kubermatic.io/cleanup-operating-system-configs";
    private static final String NAMESPACE = "cluster-amber";

    private static RealTenant tenant;
    private static InstalledHub hub;

    @BeforeAll
    static void start() {
        var kubeconfig = RealTenant.prepareManagement(CLUSTERS.management(), CLUSTERS.folder());
        tenant = RealTenant.prepare(NAMESPACE, CLUSTERS.management(), CLUSTERS.worker(1));
        tenant.clusterInfo(ExampleObjects.clusterInfo("https://api.example.org:6443", tenant.worker()));
        tenant.storeProfile(ExampleObjects.profile());
        hub = InstalledHub.run(CLUSTERS.folder(), kubeconfig, HubConfigurationText.FOR_TESTS)
                .awaitReady();
    }

    @AfterAll
    static void stop() {
        hub.close();
    }

    @Test
    void whatThePeerLeftIsKeptWithoutAWrite() {
        MachineDeploymentObjectNames names = publishOnceAndLeaveAsThePeerDoes();
        Map<String, String> before = versions(names);
        String osc = tenant.osc(names.osc()).orElseThrow().at("/metadata/uid").asText();
        long mark = tenant.worker().audit().position();

        tenant.register().awaitSynced();

        assertThat(versions(names)).isEqualTo(before);
        // Its status is written, the object is not.
        assertThat(tenant.osc(names.osc()).orElseThrow().at("/metadata/uid").asText())
                .isEqualTo(osc);
        assertThat(tenant.worker().audit().since(mark, RealTenant.HUB_IN_WORKER))
                .filteredOn(AuditLog.Entry::writes)
                .isEmpty();
    }

    /**
     * The peer's objects are made by publishing once and rewriting them to its form: stamps and bytes are the same, the secrets are
     * immutable, and nothing carries an annotation or label of the hub.
     */
    private static MachineDeploymentObjectNames publishOnceAndLeaveAsThePeerDoes() {
        RealCluster management = CLUSTERS.management();
        ObjectNode machineDeployment = ExampleObjects.machineDeployment("workers");
        tenant.worker().admin().create(machineDeployment);
        MachineDeploymentObjectNames names = MachineDeploymentObjectNames.of(machineDeployment);
        tenant.register().awaitSynced();
        tenant.mergeSettings("{deletionPolicy: Retain}");
        List<JsonNode> tokens = tenant.bootstrapTokens(names);
        Map<String, JsonNode> secrets = new TreeMap<>();
        names.secrets().forEach(name -> secrets.put(name, tenant.secret(name).orElseThrow()));
        ObjectNode osc = withCredentials(tenant.osc(names.osc()).orElseThrow(), tokens.getFirst());
        tenant.unregister();
        Await.until("let go", () -> tenant.workerCluster().isEmpty());

        secrets.forEach((name, secret) -> {
            ObjectNode left = asThePeers(secret);
            if (!name.equals(names.kubeletBootstrap())) {
                left.put("immutable", true);
            }
            replace(left);
        });
        tokens.forEach(token -> replace(endsAsThePeers(asThePeers(token))));
        management.admin().delete(osc);
        management.admin().create(osc);
        tenant.worker().admin().merge(names.path(), "{metadata: {finalizers: [" + FINALIZER + "]}}");
        return names;
    }

    /** The peer keeps an hour, of which half is left when it was last seen to. */
    private static ObjectNode endsAsThePeers(ObjectNode token) {
        String end = Instant.now()
                .plus(Duration.ofMinutes(35))
                .truncatedTo(ChronoUnit.SECONDS)
                .toString();
        token.withObject("/data").put("expiration", Base64.getEncoder().encodeToString(end.getBytes(UTF_8)));
        return token;
    }

    /** The peer stores them as they are. */
    private static ObjectNode withCredentials(JsonNode config, JsonNode token) {
        ObjectNode copy = asThePeers(config);
        copy.put("apiVersion", config.path("apiVersion").asText()).put("kind", "OperatingSystemConfig");
        String text = copy.toString()
                .replace("<redacted:fetch-token>", "fetch-" + NAMESPACE)
                .replace(
                        "<redacted:bootstrap-token>",
                        ManifestObjects.value(token, "token-id") + "." + ManifestObjects.value(token, "token-secret"));
        assertThat(text).isNotEqualTo(copy.toString()).doesNotContain("<redacted:");
        return (ObjectNode) ManifestObjects.json(text);
    }

    private static ObjectNode asThePeers(JsonNode object) {
        ObjectNode copy = ClusterClient.asWritten(object);
        // Items of a list do not say what they are.
        copy.put("apiVersion", "v1").put("kind", "Secret");
        for (String part : List.of("annotations", "labels")) {
            if (copy.path("metadata").path(part) instanceof ObjectNode names) {
                List.copyOf(names.properties()).stream()
                        .map(Map.Entry::getKey)
                        .filter(key -> key.startsWith("osmhub.io/") || key.startsWith("app.kubernetes.io/"))
                        .forEach(names::remove);
            }
        }
        return copy;
    }

    private static void replace(ObjectNode object) {
        tenant.worker().admin().delete(object);
        tenant.worker().admin().create(object);
    }

    /** The resource version of everything in the worker cluster that the hub might have written. */
    private static Map<String, String> versions(MachineDeploymentObjectNames names) {
        Map<String, String> versions = new TreeMap<>();
        tenant.worker()
                .admin()
                .list(ApiResource.SECRETS.in(RealTenant.SETTINGS))
                .forEach(secret -> put(versions, secret));
        tenant.bootstrapTokens(names).forEach(token -> put(versions, token));
        put(versions, tenant.worker().admin().get(names.path()));
        return versions;
    }

    private static void put(Map<String, String> versions, JsonNode object) {
        versions.put(
                ManifestObjects.name(object),
                object.path("metadata").path("resourceVersion").asText());
    }
}
