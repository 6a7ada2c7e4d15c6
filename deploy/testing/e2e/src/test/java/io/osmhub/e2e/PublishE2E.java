package io.osmhub.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.e2e.cluster.ApiResource;
import io.osmhub.e2e.cluster.Await;
import io.osmhub.e2e.cluster.ManifestObjects;
import io.osmhub.e2e.cluster.RealClusters;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Profiles in two tenants at once: each worker cluster gets the payloads that the peer makes, byte for byte, and keeps nothing of
 * them when the MachineDeployment goes. What a case sets (endpoint, tokens, CA) changes between the cases while the hub runs.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
final class PublishE2E {
    @RegisterExtension
    static final RealClusters CLUSTERS = RealClusters.withWorkers(2);

    // Left to others: what the peer does wrong (core's PeerDefectsTest says what is right), what it finds already there
    // (AdoptionE2E), and what depends on its flags or environment (DropInE2E).
    private static final Set<String> APART = Set.of("defect", "existing", "err");
    private static final List<String> OF_THE_PROCESS = List.of("flags", "env", "namespace", "ospNamespace");

    /** The peer publishes a kubelet configuration that is no YAML. */
    private static final String UNREADABLE = "ubuntu-aws-kubelet-config-odd";

    // A case that is published wrongly should not hold up the others for long.
    private static final Duration LIMIT = Duration.ofSeconds(15);

    private static InstalledHub hub;
    private static List<RealTenant> tenants;
    private static final List<ContinuousReader> MACHINES = new ArrayList<>();

    @BeforeAll
    static void start() {
        assumeFalse(cases().isEmpty(), "no ../shared/fixtures: OSM's cases are missing");
        var kubeconfig = RealTenant.prepareManagement(CLUSTERS.management(), CLUSTERS.folder());
        tenants = List.of(
                RealTenant.prepare("cluster-amber", CLUSTERS.management(), CLUSTERS.worker(1)),
                RealTenant.prepare("cluster-birch", CLUSTERS.management(), CLUSTERS.worker(2)));
        hub = InstalledHub.run(CLUSTERS.folder(), kubeconfig, HubConfigurationText.FOR_TESTS)
                .awaitReady();
        tenants.forEach(tenant -> tenant.register().awaitSynced());
        // One MachineDeployment stays while everything that the cases set changes around it.
        tenants.forEach(tenant -> {
            tenant.clusterInfo(ExampleObjects.clusterInfo("https://api.example.org:6443", tenant.worker()));
            tenant.storeProfile(ExampleObjects.profile());
            ObjectNode standing = ExampleObjects.machineDeployment("standing");
            tenant.worker().admin().create(standing);
            MachineDeploymentObjectNames names = MachineDeploymentObjectNames.of(standing);
            Await.until("the one that stays", () -> names.secrets().stream()
                    .allMatch(secret -> tenant.secret(secret).isPresent()));
            MACHINES.add(ContinuousReader.start(tenant, names));
        });
    }

    @AfterAll
    static void stop() {
        try {
            MACHINES.forEach(ContinuousReader::assertAlwaysReadable);
        } finally {
            if (hub != null) {
                hub.close();
            }
        }
    }

    static List<FixtureCase> cases() {
        return FixtureCase.rendered().stream()
                .filter(test -> !APART.contains(test.name().split("-")[0]))
                .filter(test -> !test.name().equals(UNREADABLE))
                .filter(test -> OF_THE_PROCESS.stream().noneMatch(test.config()::has))
                // Without cluster-info the endpoint is the EndpointSlice, which here is the API server's own.
                .filter(test -> test.text("clusterInfoKubeconfig").isPresent())
                .toList();
    }

    @ParameterizedTest
    @MethodSource("cases")
    void secretsOfBothTenantsAreThePeersAndGoWithTheMachineDeployment(FixtureCase test) {
        for (RealTenant tenant : tenants) {
            test.prepare(tenant);
            tenant.mergeSettings(settings(test));
            tenant.storeProfile(test.profile());
            tenant.worker().admin().create(test.machineDeployment());
        }

        for (RealTenant tenant : tenants) {
            Await.untilAsserted(LIMIT, () -> assertThat(test.readPublished(tenant))
                    .as(tenant.namespace())
                    .containsExactlyInAnyOrderEntriesOf(test.payloads()));
            Await.until(
                    "its configuration", () -> tenant.osc(test.names().osc()).isPresent());
        }

        for (RealTenant tenant : tenants) {
            tenant.worker().admin().delete(test.names().path());
            Await.until(
                    "the MachineDeployment is deleted",
                    () -> tenant.worker().admin().find(test.names().path()).isEmpty());
            assertThat(test.names().secrets())
                    .allSatisfy(secret -> assertThat(tenant.secret(secret)).isEmpty());
            assertThat(tenant.bootstrapTokens(test.names())).isEmpty();
            assertThat(tenant.osc(test.names().osc())).isEmpty();
            tenant.management()
                    .admin()
                    .delete(ApiResource.OSPS.in(tenant.namespace(), ManifestObjects.name(test.profile())));
        }
    }

    /** The first, because the hub writes at most ten Events a minute for a tenant. */
    @Test
    @Order(1)
    void contentThatNoMachineCanReadIsReportedAndNotPublished() {
        FixtureCase test = FixtureCase.rendered().stream()
                .filter(each -> each.name().equals(UNREADABLE))
                .findFirst()
                .orElseThrow();
        RealTenant tenant = tenants.getFirst();
        test.prepare(tenant);
        tenant.mergeSettings(settings(test));
        tenant.storeProfile(test.profile());
        tenant.worker().admin().create(test.machineDeployment());

        Await.until(
                "reported", () -> tenant
                        .worker()
                        .admin()
                        .list(ApiResource.EVENTS.in(test.names().namespace()))
                        .stream()
                        .filter(event -> event.path("reason").asText().equals("UserDataUnreadable"))
                        .anyMatch(event -> event.at("/regarding/name")
                                .asText()
                                .equals(test.names().name())));

        assertThat(test.readPublished(tenant)).isEmpty();
        tenant.worker().admin().delete(test.names().path());
        tenant.management()
                .admin()
                .delete(ApiResource.OSPS.in(tenant.namespace(), ManifestObjects.name(test.profile())));
    }

    /** What the peer reads from files, as settings of the tenant. */
    private static String settings(FixtureCase test) {
        ObjectNode provisioning = new ObjectMapper().createObjectNode();
        String kubernetesCa = test.text("kubernetesCABundle")
                .or(() -> test.text("kubernetesCACert"))
                .orElse("");
        provisioning.putObject("kubernetesCA").put("inline", kubernetesCa);
        provisioning.putObject("hostCA").put("inline", test.text("hostCABundle").orElse(""));
        return "{provisioning: " + provisioning + "}";
    }
}
