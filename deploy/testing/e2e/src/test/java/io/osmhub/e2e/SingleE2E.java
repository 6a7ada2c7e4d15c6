package io.osmhub.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.e2e.cluster.ApiResource;
import io.osmhub.e2e.cluster.Await;
import io.osmhub.e2e.cluster.ManifestObjects;
import io.osmhub.e2e.cluster.RealCluster;
import io.osmhub.e2e.cluster.RealClusters;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** {@code hub run --single}: one cluster is management and worker cluster. Also after {@code hub controller}, and before it. */
final class SingleE2E {
    @RegisterExtension
    static final RealClusters CLUSTERS = RealClusters.withWorkers(1);

    @Test
    void oneClusterServesItself() {
        RealCluster cluster = CLUSTERS.management();
        RealClusters.installMachineKinds(cluster);
        var kubeconfig = RealTenant.prepareEmptyManagement(cluster, CLUSTERS.folder());
        RealTenant tenant = RealTenant.prepare(InstalledHub.NAMESPACE, cluster, cluster);
        ShippedManifests.chart(cluster, "--set", "mode=Single", "--show-only", "templates/rbac-single.yaml")
                .forEach(cluster.admin()::apply);
        tenant.clusterInfo(ExampleObjects.clusterInfo("https://api.example.org:6443", cluster));
        ObjectNode machineDeployment = ExampleObjects.machineDeployment("workers");
        MachineDeploymentObjectNames names = MachineDeploymentObjectNames.of(machineDeployment);

        try (InstalledHub hub = InstalledHub.run(
                        CLUSTERS.folder(), kubeconfig, HubConfigurationText.FOR_TESTS, "--single")
                .awaitReady()) {
            tenant.storeProfile(ExampleObjects.profile());
            cluster.admin().create(machineDeployment);

            Await.until("published", () -> tenant.secret(names.bootstrap()).isPresent());
            // It is written last.
            Await.until("its OperatingSystemConfig is stored", () -> tenant.osc(names.osc())
                    .isPresent());
            Await.until("its WorkerCluster is synced", () -> cluster.admin()
                    .find(ApiResource.WORKER_CLUSTERS.in(InstalledHub.NAMESPACE, "local"))
                    .filter(found -> found.path("status").path("state").asText().equals("Synced"))
                    .isPresent());

            cluster.admin().delete(names.path());
            Await.until("gone", () -> cluster.admin().find(names.path()).isEmpty());
            assertThat(names.secrets())
                    .allSatisfy(secret -> assertThat(tenant.secret(secret)).isEmpty());
            assertThat(hub.terminate()).isZero();
        }
    }

    @Test
    void theDropInAndTheHubOfASingleClusterFollowEachOtherWithoutAWrite() {
        RealCluster cluster = CLUSTERS.worker(1);
        ShippedManifests.definitions().stream()
                .filter(definition -> !ManifestObjects.name(definition).contains("osmhub"))
                .forEach(definition -> {
                    cluster.admin().apply(definition);
                    RealClusters.awaitServed(cluster, ManifestObjects.name(definition));
                });
        Path kubeconfig = RealTenant.prepareEmptyManagement(cluster, CLUSTERS.folder());
        RealTenant single = RealTenant.prepare(InstalledHub.NAMESPACE, cluster, cluster);
        RealTenant dropIn = new RealTenant("kube-system", cluster, cluster);
        ShippedManifests.chart(cluster, "--set", "mode=Single", "--show-only", "templates/rbac-single.yaml")
                .forEach(cluster.admin()::apply);
        cluster.admin().apply(RealClusters.resource("peer-roles.yaml"));
        dropIn.clusterInfo(ExampleObjects.clusterInfo("https://api.example.org:6443", cluster));
        List<MachineDeploymentObjectNames> all = Stream.of("stays-a", "stays-b", "stays-c")
                .map(name -> new MachineDeploymentObjectNames("kube-system", name))
                .toList();
        store(ExampleObjects.profile(), dropIn, single);
        all.forEach(names -> cluster.admin().create(ExampleObjects.machineDeployment(names.name())));

        try (InstalledHub hub = startDropIn(cluster)) {
            Await.until("all are published", () -> all.stream()
                    .allMatch(names -> dropIn.osc(names.osc()).isPresent()));
            assertThat(hub.terminate()).isZero();
        }
        Map<String, String> published = versions(cluster);
        assertThat(published.keySet()).containsAll(all.getFirst().secrets());

        try (InstalledHub hub = InstalledHub.run(
                        CLUSTERS.folder(), kubeconfig, HubConfigurationText.FOR_TESTS, "--single")
                .awaitReady()) {
            Await.until("all are current", () -> current(cluster) == all.size());
            assertThat(versions(cluster)).isEqualTo(published);
            assertThat(holder(cluster)).isNotEmpty();

            store(ExampleObjects.marked("by-the-hub"), dropIn, single);
            Await.until("the hub publishes a change", () -> isRendered(single, all, "by-the-hub"));
            Await.until("all are current again", () -> current(cluster) == all.size());
            assertThat(hub.terminate()).isZero();
        }
        published = versions(cluster);

        try (InstalledHub hub = startDropIn(cluster)) {
            Await.until("the drop-in has seen all", () -> isRendered(dropIn, all, "by-the-hub"));
            assertThat(versions(cluster)).isEqualTo(published);

            store(ExampleObjects.marked("by-the-drop-in"), dropIn);
            Await.until("the drop-in publishes a change", () -> isRendered(dropIn, all, "by-the-drop-in"));
            assertThat(versions(cluster)).isNotEqualTo(published);
            assertThat(hub.terminate()).isZero();
        }
    }

    private static InstalledHub startDropIn(RealCluster cluster) {
        Path kubeconfig = InstalledHub.write(
                CLUSTERS.folder().resolve("drop-in.kubeconfig"),
                cluster.kubeconfig(cluster.token("kube-system", "operating-system-manager")));
        List<String> flags = List.of(
                "-kubeconfig=" + kubeconfig, "-namespace=kube-system", "-disable-default-osps", "-log-format=console");
        return InstalledHub.controller(CLUSTERS.folder(), flags, Map.of()).awaitReady();
    }

    private static void store(ObjectNode profile, RealTenant... tenants) {
        List.of(tenants).forEach(tenant -> tenant.storeProfile(profile));
    }

    /** Whether all OperatingSystemConfigs, which are stored after the secrets, are of a profile with this text. */
    private static boolean isRendered(RealTenant tenant, List<MachineDeploymentObjectNames> all, String marker) {
        // A changed one is deleted and created again.
        return all.stream().allMatch(names -> tenant.osc(names.osc())
                .filter(osc -> osc.toString().contains(marker))
                .isPresent());
    }

    /** Versions of the secrets that machines start from, by name. */
    private static Map<String, String> versions(RealCluster cluster) {
        return cluster.admin().list(ApiResource.SECRETS.in(RealTenant.SETTINGS)).stream()
                .collect(Collectors.toMap(ManifestObjects::name, secret -> secret.at("/metadata/resourceVersion")
                        .asText()));
    }

    private static int current(RealCluster cluster) {
        return cluster.admin().find(ApiResource.WORKER_CLUSTERS.in(InstalledHub.NAMESPACE, "local")).stream()
                .filter(found -> found.at("/status/state").asText().equals("Synced"))
                .mapToInt(
                        found -> found.at("/status/machineDeployments/current").asInt())
                .sum();
    }

    /** Holder of OSM's Lease. */
    private static String holder(RealCluster cluster) {
        return cluster.admin()
                .get(ApiResource.LEASES.in("kube-system", "operating-system-manager"))
                .at("/spec/holderIdentity")
                .asText();
    }
}
