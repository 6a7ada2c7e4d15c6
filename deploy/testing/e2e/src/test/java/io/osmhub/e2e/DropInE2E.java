package io.osmhub.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.e2e.cluster.ApiResource;
import io.osmhub.e2e.cluster.Await;
import io.osmhub.e2e.cluster.ClusterClient;
import io.osmhub.e2e.cluster.CommandResult;
import io.osmhub.e2e.cluster.ManifestObjects;
import io.osmhub.e2e.cluster.RealCluster;
import io.osmhub.e2e.cluster.RealClusters;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** {@code hub controller} in the peer's place: its flags and environment, its roles, its Leases, its bytes. */
final class DropInE2E {
    @RegisterExtension
    static final RealClusters CLUSTERS = RealClusters.withWorkers(1);

    // A case that is published wrongly should not hold up the others for long.
    private static final Duration LIMIT = Duration.ofSeconds(20);

    private static final String ACCOUNT = "operating-system-manager";

    private static RealCluster cluster;
    private static Path kubeconfig;

    @BeforeAll
    static void prepare() {
        cluster = CLUSTERS.worker(1);
        for (RealCluster each : List.of(CLUSTERS.management(), cluster)) {
            ShippedManifests.definitions().stream()
                    // A drop-in needs the peer's kinds only.
                    .filter(object -> !ManifestObjects.name(object).contains("osmhub"))
                    .forEach(definition -> {
                        each.admin().apply(definition);
                        RealClusters.awaitServed(each, ManifestObjects.name(definition));
                    });
            ShippedManifests.installPrerequisites(each);
            each.admin().apply(RealClusters.resource("peer-roles.yaml"));
        }
        kubeconfig = kubeconfig(cluster, "cluster.kubeconfig");
    }

    private static Path kubeconfig(RealCluster of, String file) {
        return InstalledHub.write(CLUSTERS.folder().resolve(file), of.kubeconfig(of.token("kube-system", ACCOUNT)));
    }

    static List<FixtureCase> cases() {
        return FixtureCase.rendered().stream()
                // Our own are about rendering: their certificates are none, which a flag refuses.
                .filter(test -> !test.folder().startsWith(FixtureCase.OWN))
                .filter(test -> test.config().has("flags") || test.config().has("namespace"))
                .filter(test -> !test.name().startsWith("existing-"))
                .filter(test -> !test.name().startsWith("defect-"))
                // Profiles of another namespace must be granted, which no flag of the peer does.
                .filter(test -> !test.config().has("ospNamespace"))
                // Without cluster-info the endpoint is the EndpointSlice, which here is the API server's own.
                .filter(test -> test.text("clusterInfoKubeconfig").isPresent())
                .toList();
    }

    @Tag(RealClusters.ONE_VERSION)
    @ParameterizedTest(allowZeroInvocations = true) // without the peer's cases
    @MethodSource("cases")
    void secretsAreThePeersWithItsFlagsAndEnvironment(FixtureCase test) {
        RealTenant tenant = new RealTenant(test.text("namespace").orElse("kube-system"), cluster, cluster);
        cluster.admin().apply(ManifestObjects.namespace(tenant.namespace()));
        tenant.storeProfile(test.profile());
        cluster.admin().delete(ApiResource.CONFIG_MAPS.in("kube-public", "cluster-info"));
        test.prepare(tenant);

        try (InstalledHub hub = InstalledHub.controller(CLUSTERS.folder(), flags(test, tenant), Map.of())
                .awaitReady()) {
            cluster.admin().create(test.machineDeployment());

            Await.untilAsserted(LIMIT, () -> assertThat(test.readPublished(tenant))
                    .containsExactlyInAnyOrderEntriesOf(test.payloads()));
            cluster.admin().delete(test.names().path());
            Await.until(
                    "the MachineDeployment is deleted",
                    () -> cluster.admin().find(test.names().path()).isEmpty());
            assertThat(test.names().secrets())
                    .allSatisfy(secret -> assertThat(tenant.secret(secret)).isEmpty());
            assertThat(hub.terminate()).isZero();
        }
        test.config().path("objects").forEach(object -> cluster.admin().delete(object));
    }

    static List<FixtureCase> casesOfDefaultProfiles() {
        return FixtureCase.rendered().stream()
                .filter(test ->
                        List.of("ubuntu-aws-default", "flatcar-aws-default").contains(test.name()))
                .toList();
    }

    /** OSM replaces the spec of a default profile whose version differs from its own, and keeps the metadata. */
    @Tag(RealClusters.ONE_VERSION)
    @ParameterizedTest(allowZeroInvocations = true) // without the peer's cases
    @MethodSource("casesOfDefaultProfiles")
    void servesADefaultProfileWhoseSpecThePeerReplacedAsThePeers(FixtureCase test) {
        String profile = ManifestObjects.name(test.profile());
        RealTenant tenant = new RealTenant("return-to-" + profile, cluster, cluster);
        cluster.admin().apply(ManifestObjects.namespace(tenant.namespace()));
        test.prepare(tenant);
        List<String> flags = flags(test, tenant);
        flags.remove("-disable-default-osps");
        cluster.admin().create(test.machineDeployment());
        try (InstalledHub hub =
                InstalledHub.controller(CLUSTERS.folder(), flags, Map.of()).awaitReady()) {
            Await.until(
                    "published with the own profile",
                    () -> tenant.osc(test.names().osc()).isPresent());
            assertThat(hub.terminate()).isZero();
        }
        Map<String, String> own = test.readPublished(tenant);
        ObjectNode stored = cluster.admin()
                .get(ApiResource.OSPS.in(tenant.namespace(), profile))
                .deepCopy();
        assertThat(stored.at("/metadata/annotations/osmhub.io~1template-engine").asText())
                .isEqualTo("handlebars");
        stored.set("spec", test.profile().path("spec"));
        cluster.admin().replace(stored);

        try (InstalledHub hub =
                InstalledHub.controller(CLUSTERS.folder(), flags, Map.of()).awaitReady()) {
            Await.untilAsserted(LIMIT, () -> assertThat(test.readPublished(tenant))
                    .containsExactlyInAnyOrderEntriesOf(test.payloads()));
            assertThat(own.keySet()).isEqualTo(test.payloads().keySet());
            assertThat(own).isNotEqualTo(test.payloads());

            cluster.admin().delete(test.names().path());
            Await.until(
                    "the MachineDeployment is deleted",
                    () -> cluster.admin().find(test.names().path()).isEmpty());
            assertThat(hub.terminate()).isZero();
        }
    }

    private static List<String> flags(FixtureCase test, RealTenant tenant) {
        List<String> flags = new ArrayList<>(
                List.of("-kubeconfig", kubeconfig.toString(), "-namespace", tenant.namespace(), "-leader-elect=false"));
        flags.add("-disable-default-osps");
        flags.add("-log-format=console");
        test.text("kubernetesCABundle")
                .or(() -> test.text("kubernetesCACert"))
                .ifPresent(pem -> flags.add("-kubernetes-ca-bundle=" + file("kubernetes-ca.pem", pem)));
        test.text("hostCABundle").ifPresent(pem -> flags.add("-host-ca-bundle=" + file("host-ca.pem", pem)));
        flags.addAll(test.flags());
        return flags;
    }

    private static Path file(String name, String text) {
        return InstalledHub.write(CLUSTERS.folder().resolve(name), text);
    }

    @Test
    void servesAManagementAndAWorkerClusterAndHoldsThePeersLeases() {
        RealCluster management = CLUSTERS.management();
        RealTenant tenant = new RealTenant("kube-system", management, cluster);
        tenant.storeProfile(ExampleObjects.profile());
        tenant.clusterInfo(ExampleObjects.clusterInfo("https://api.example.org:6443", cluster));
        tenant.fetchToken("fetch");
        ObjectNode machineDeployment = ExampleObjects.machineDeployment("pair");
        MachineDeploymentObjectNames names = MachineDeploymentObjectNames.of(machineDeployment);
        List<String> flags = List.of(
                "--kubeconfig",
                kubeconfig(management, "management.kubeconfig").toString(),
                "--worker-cluster-kubeconfig",
                kubeconfig.toString(),
                "--namespace",
                "kube-system",
                "--log-format",
                "console");

        try (InstalledHub hub =
                InstalledHub.controller(CLUSTERS.folder(), flags, Map.of()).awaitReady()) {
            cluster.admin().create(machineDeployment);
            Await.until("published", () -> tenant.secret(names.bootstrap()).isPresent());
            // It is written after the secrets that machines wait for.
            Await.until("stored", () -> tenant.osc(names.osc()).isPresent());
            assertThat(holder(management, "operating-system-manager")).isNotEmpty();
            assertThat(holder(cluster, "operating-system-manager-worker-manager"))
                    .isNotEmpty();

            hub.terminate();

            // Released, so that the next one need not wait for them to expire.
            assertThat(holder(management, "operating-system-manager")).isEmpty();
            assertThat(holder(cluster, "operating-system-manager-worker-manager"))
                    .isEmpty();
        }
    }

    @Test
    void waitsForAValidLeaseOfThePeerAndNamesItsHolder() {
        RealTenant tenant = new RealTenant("kube-system", cluster, cluster);
        tenant.storeProfile(ExampleObjects.profile());
        tenant.clusterInfo(ExampleObjects.clusterInfo("https://api.example.org:6443", cluster));
        tenant.fetchToken("fetch");
        ObjectNode machineDeployment = ExampleObjects.machineDeployment("waits");
        MachineDeploymentObjectNames names = MachineDeploymentObjectNames.of(machineDeployment);
        cluster.admin().create(machineDeployment);
        cluster.admin().delete(ApiResource.LEASES.in("kube-system", "operating-system-manager"));
        cluster.admin().create(ManifestObjects.object("""
                apiVersion: coordination.k8s.io/v1
                kind: Lease
                metadata: {namespace: kube-system, name: operating-system-manager}
                spec: {holderIdentity: osm-7d9f_1, leaseDurationSeconds: 8, renewTime: "2026-01-01T00:00:00.000000Z"}
                """));
        List<String> flags = List.of(
                "-kubeconfig",
                kubeconfig.toString(),
                "-namespace",
                "kube-system",
                "-disable-default-osps",
                "-log-format=console");

        try (InstalledHub hub =
                InstalledHub.controller(CLUSTERS.folder(), flags, Map.of()).awaitReady()) {
            Await.until("published", () -> tenant.secret(names.bootstrap()).isPresent());

            assertThat(hub.process().output().lines())
                    .noneMatch(line -> line.contains("WARN"))
                    .filteredOn(line -> line.contains("osm-7d9f_1"))
                    .singleElement()
                    .asString()
                    .contains("Waiting for Lease operating-system-manager");
        }
        cluster.admin().delete(names.path());
    }

    /** The peer publishes from the stored OperatingSystemConfig, also placeholders and what was of a deleted MachineDeployment. */
    @Test
    void isReturnedToThePeerWithoutConfigsThatItWouldPublish() {
        RealTenant tenant = new RealTenant("kube-system", cluster, cluster);
        tenant.storeProfile(ExampleObjects.profile());
        tenant.clusterInfo(ExampleObjects.clusterInfo("https://api.example.org:6443", cluster));
        tenant.fetchToken("fetch");
        cluster.admin().apply("""
                apiVersion: apps/v1
                kind: Deployment
                metadata: {namespace: kube-system, name: operating-system-manager}
                spec:
                  replicas: 1
                  selector: {matchLabels: {app: osm}}
                  template:
                    metadata: {labels: {app: osm}}
                    spec:
                      containers:
                      - {name: osm, image: osm-hub, args: [controller, -namespace, kube-system, -disable-default-osps]}
                """);
        ObjectNode machineDeployment = ExampleObjects.machineDeployment("returns");
        MachineDeploymentObjectNames names = MachineDeploymentObjectNames.of(machineDeployment);
        List<String> flags =
                List.of("-kubeconfig", kubeconfig.toString(), "-namespace", "kube-system", "-disable-default-osps");
        try (InstalledHub hub =
                InstalledHub.controller(CLUSTERS.folder(), flags, Map.of()).awaitReady()) {
            cluster.admin().create(machineDeployment);
            Await.until("stored", () -> tenant.osc(names.osc()).isPresent());
            hub.terminate();
        }
        JsonNode stored = tenant.osc(names.osc()).orElseThrow();
        assertThat(stored.toString()).contains("<redacted:");
        ObjectNode orphan = ClusterClient.asWritten(stored);
        ObjectNode metadata = orphan.withObject("/metadata").put("name", "gone-kube-system-config");
        List.copyOf(metadata.withObject("/annotations").properties()).stream()
                .map(Map.Entry::getKey)
                .filter(key -> key.startsWith("osmhub.io/"))
                .forEach(metadata.withObject("/annotations")::remove);
        orphan.put("apiVersion", "operatingsystemmanager.k8c.io/v1alpha1").put("kind", "OperatingSystemConfig");
        cluster.admin().create(orphan);
        Map<String, JsonNode> before = new TreeMap<>();
        names.secrets().forEach(name -> before.put(name, tenant.secret(name).orElseThrow()));

        CommandResult returned = CommandResult.of(List.of(
                Distribution.program().toString(),
                "migrate",
                "back",
                "--in-place",
                "--yes",
                "-n",
                "kube-system",
                "--kubeconfig",
                InstalledHub.write(
                                CLUSTERS.folder().resolve("returns.kubeconfig"),
                                cluster.kubeconfig(cluster.adminToken()))
                        .toString()));

        returned.requireSuccess("hub migrate back --in-place");
        assertThat(tenant.osc(names.osc())).isEmpty();
        assertThat(tenant.osc("gone-kube-system-config")).isEmpty();
        assertThat(before)
                .allSatisfy((name, secret) -> assertThat(tenant.secret(name)).contains(secret));
        cluster.admin().delete(new ApiResource("apps", "v1", "deployments").in("kube-system", ACCOUNT));
        cluster.admin().merge(names.path(), "{metadata: {finalizers: null}}");
        cluster.admin().delete(names.path());
    }

    private static String holder(RealCluster of, String lease) {
        return of.admin().find(ApiResource.LEASES.in("kube-system", lease)).stream()
                .map(found -> found.path("spec").path("holderIdentity"))
                .map(JsonNode::asText)
                .findFirst()
                .orElse("");
    }

    @Test
    void saysAllMistakesInTheFlagsAtOnce() {
        try (InstalledHub hub = InstalledHub.controller(
                CLUSTERS.folder(),
                List.of("-cluster-dns=10.0.0.300", "-node-kubelet-feature-gates=B=maybe"),
                Map.of())) {
            assertThat(hub.process().awaitExit(60)).isEqualTo(2);
            assertThat(hub.process().output())
                    .contains("3 errors in the flags, nothing was started")
                    .contains("-namespace is required")
                    .contains("unable to parse ip 10.0.0.300")
                    .contains("failed to parse kubelet feature gate: \"B=maybe\"");
        }
    }
}
