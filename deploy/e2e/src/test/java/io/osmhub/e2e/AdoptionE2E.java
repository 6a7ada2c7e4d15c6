package io.osmhub.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.e2e.cluster.AuditLog;
import io.osmhub.e2e.cluster.Await;
import io.osmhub.e2e.cluster.ClusterClient;
import io.osmhub.e2e.cluster.Clusters;
import io.osmhub.e2e.cluster.Manifest;
import io.osmhub.e2e.cluster.Resource;
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
    static final Clusters CLUSTERS = Clusters.withWorkers(1);

    private static final String FINALIZER = "kubermatic.io/cleanup-operating-system-configs";
    private static final String NAMESPACE = "cluster-amber";

    private static Tenant tenant;
    private static HubProcess hub;

    @BeforeAll
    static void start() {
        var kubeconfig = Tenant.prepareManagement(CLUSTERS.management(), CLUSTERS.folder());
        tenant = Tenant.prepare(NAMESPACE, CLUSTERS.management(), CLUSTERS.worker(1));
        tenant.clusterInfo(Examples.clusterInfo("https://api.example.org:6443", tenant.worker()));
        tenant.profile(Examples.profile());
        hub = HubProcess.run(CLUSTERS.folder(), kubeconfig, Configuration.FOR_TESTS)
                .awaitReady();
    }

    @AfterAll
    static void stop() {
        hub.close();
    }

    @Test
    void whatThePeerLeftIsKeptWithoutAWrite() {
        MachineDeploymentNames names = publishOnceAndLeaveAsThePeerDoes();
        Map<String, String> before = versions(names);
        long mark = tenant.worker().audit().mark();

        tenant.register().awaitSynced();

        assertThat(versions(names)).isEqualTo(before);
        assertThat(tenant.worker().audit().since(mark, Tenant.HUB_IN_WORKER))
                .filteredOn(AuditLog.Entry::writes)
                .isEmpty();
    }

    /**
     * The peer's objects are made by publishing once and rewriting them to its form: stamps and bytes are the same, the secrets are
     * immutable, and nothing carries an annotation or label of the hub.
     */
    private static MachineDeploymentNames publishOnceAndLeaveAsThePeerDoes() {
        ObjectNode machineDeployment = Examples.machineDeployment("workers");
        tenant.worker().admin().create(machineDeployment);
        MachineDeploymentNames names = MachineDeploymentNames.of(machineDeployment);
        tenant.register().awaitSynced();
        tenant.settings("{deletionPolicy: Retain}");
        List<JsonNode> tokens = tenant.bootstrapTokens(names);
        Map<String, JsonNode> secrets = new TreeMap<>();
        names.secrets().forEach(name -> secrets.put(name, tenant.secret(name).orElseThrow()));
        tenant.unregister();
        Await.until("let go", () -> tenant.workerCluster().isEmpty());

        secrets.forEach((name, secret) -> {
            ObjectNode left = asThePeers(secret);
            if (!name.equals(names.kubeletBootstrap())) {
                left.put("immutable", true);
            }
            replace(left);
        });
        tokens.forEach(token -> replace(asThePeers(token)));
        tenant.worker().admin().merge(names.path(), "{metadata: {finalizers: [" + FINALIZER + "]}}");
        return names;
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
        tenant.worker().admin().delete(tenant.worker().admin().path(object));
        tenant.worker().admin().create(object);
    }

    /** The resource version of everything in the worker cluster that the hub might have written. */
    private static Map<String, String> versions(MachineDeploymentNames names) {
        Map<String, String> versions = new TreeMap<>();
        tenant.worker().admin().list(Resource.SECRETS.in(Tenant.SETTINGS)).forEach(secret -> put(versions, secret));
        tenant.bootstrapTokens(names).forEach(token -> put(versions, token));
        put(versions, tenant.worker().admin().get(names.path()));
        return versions;
    }

    private static void put(Map<String, String> versions, JsonNode object) {
        versions.put(
                Manifest.name(object),
                object.path("metadata").path("resourceVersion").asText());
    }
}
