package io.osmhub.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.e2e.cluster.ApiResource;
import io.osmhub.e2e.cluster.AuditLog;
import io.osmhub.e2e.cluster.Await;
import io.osmhub.e2e.cluster.ClusterClient;
import io.osmhub.e2e.cluster.CommandResult;
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
    static final RealClusters CLUSTERS = RealClusters.withWorkers(2);

    private static final String FINALIZER = "kubermatic.io/cleanup-operating-system-configs";
    private static final String NAMESPACE = "cluster-amber";

    private static RealTenant tenant;
    private static InstalledHub hub;

    @BeforeAll
    static void start() {
        var kubeconfig = RealTenant.prepareManagement(CLUSTERS.management(), CLUSTERS.folder());
        tenant = prepare(NAMESPACE, CLUSTERS.worker(1));
        hub = InstalledHub.run(CLUSTERS.folder(), kubeconfig, HubConfigurationText.FOR_TESTS)
                .awaitReady();
    }

    private static RealTenant prepare(String namespace, RealCluster worker) {
        RealTenant prepared = RealTenant.prepare(namespace, CLUSTERS.management(), worker);
        prepared.clusterInfo(ExampleObjects.clusterInfo("https://api.example.org:6443", worker));
        prepared.storeProfile(ExampleObjects.profile());
        return prepared;
    }

    @AfterAll
    static void stop() {
        hub.close();
    }

    @Test
    void whatThePeerLeftIsKeptWithoutAWrite() {
        MachineDeploymentObjectNames names = publishOnceAndLeaveAsThePeerDoes(tenant);
        Map<String, String> before = versions(tenant, names);
        String osc = tenant.osc(names.osc()).orElseThrow().at("/metadata/uid").asText();
        long mark = tenant.worker().audit().position();

        tenant.register().awaitSynced();

        assertThat(versions(tenant, names)).isEqualTo(before);
        // Its status is written, the object is not.
        assertThat(tenant.osc(names.osc()).orElseThrow().at("/metadata/uid").asText())
                .isEqualTo(osc);
        assertThat(tenant.worker().audit().since(mark, RealTenant.HUB_IN_WORKER))
                .filteredOn(AuditLog.Entry::writes)
                .isEmpty();
    }

    /** Another profile of the same name would replace what machines start from. */
    @Test
    void otherContentOfThePeerIsKeptUntilTheOperatorAdoptsIt() {
        RealTenant other = prepare("cluster-basalt", CLUSTERS.worker(2));
        MachineDeploymentObjectNames names = publishOnceAndLeaveAsThePeerDoes(other);
        // The peer's own is in the worker cluster.
        CLUSTERS.management().admin().delete(ApiResource.OSCS.in(other.namespace(), names.osc()));
        ObjectNode profile =
                (ObjectNode) ManifestObjects.json(ExampleObjects.profile().toString());
        profile.withObject("/spec").put("version", "v9.9.9");
        ObjectNode file = profile.withObject("/spec/provisioningConfig")
                .withArray("/files")
                .addObject();
        file.put("path", "/etc/of-the-hub").put("permissions", 644);
        file.putObject("content").putObject("inline").put("encoding", "").put("data", "1");
        other.storeProfile(profile);
        Map<String, String> before = versions(other, names);

        other.register();

        Await.until("held", () -> other.reason("Synced").equals("OSMContentKept"));
        assertThat(versions(other, names)).isEqualTo(before);
        assertThat(other.workerCluster().orElseThrow().path("status").toString())
                .contains("1 of 1 MachineDeployment would get other content")
                .contains("hub migrate plan");

        RealCluster management = CLUSTERS.management();
        CommandResult.of(List.of(
                        Distribution.program().toString(),
                        "cluster",
                        "adopt",
                        RealTenant.NAME,
                        "-n",
                        other.namespace(),
                        "--kubeconfig",
                        InstalledHub.write(
                                        CLUSTERS.folder().resolve("adopt.kubeconfig"),
                                        management.kubeconfig(management.adminToken()))
                                .toString()))
                .requireSuccess("hub cluster adopt");
        other.awaitSynced();

        assertThat(versions(other, names)).isNotEqualTo(before);
        assertThat(other.osc(names.osc())).isPresent();
    }

    /**
     * The peer's objects are made by publishing once and rewriting them to its form: stamps and bytes are the same, the secrets are
     * immutable, and nothing carries an annotation or label of the hub.
     */
    private static MachineDeploymentObjectNames publishOnceAndLeaveAsThePeerDoes(RealTenant tenant) {
        RealCluster management = CLUSTERS.management();
        ObjectNode machineDeployment = ExampleObjects.machineDeployment("workers");
        tenant.worker().admin().create(machineDeployment);
        MachineDeploymentObjectNames names = MachineDeploymentObjectNames.of(machineDeployment);
        tenant.register().awaitSynced();
        tenant.mergeSettings("{deletionPolicy: Retain}");
        List<JsonNode> tokens = tenant.bootstrapTokens(names);
        Map<String, JsonNode> secrets = new TreeMap<>();
        names.secrets().forEach(name -> secrets.put(name, tenant.secret(name).orElseThrow()));
        ObjectNode osc = withCredentials(tenant, tenant.osc(names.osc()).orElseThrow(), tokens.getFirst());
        tenant.unregister();
        Await.until("let go", () -> tenant.workerCluster().isEmpty());

        secrets.forEach((name, secret) -> {
            ObjectNode left = asThePeers(secret);
            if (!name.equals(names.kubeletBootstrap())) {
                left.put("immutable", true);
            }
            replace(tenant, left);
        });
        tokens.forEach(token -> replace(tenant, endsAsThePeers(asThePeers(token))));
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
    private static ObjectNode withCredentials(RealTenant tenant, JsonNode config, JsonNode token) {
        ObjectNode copy = asThePeers(config);
        copy.put("apiVersion", config.path("apiVersion").asText()).put("kind", "OperatingSystemConfig");
        String text = copy.toString()
                .replace("<redacted:fetch-token>", "fetch-" + tenant.namespace())
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

    private static void replace(RealTenant tenant, ObjectNode object) {
        tenant.worker().admin().delete(object);
        tenant.worker().admin().create(object);
    }

    /** The resource version of everything in the worker cluster that the hub might have written. */
    private static Map<String, String> versions(RealTenant tenant, MachineDeploymentObjectNames names) {
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
