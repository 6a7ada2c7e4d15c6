package io.osmhub.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.e2e.cluster.ApiResource;
import io.osmhub.e2e.cluster.AuditLog.Entry;
import io.osmhub.e2e.cluster.Await;
import io.osmhub.e2e.cluster.CommandResult;
import io.osmhub.e2e.cluster.FreePort;
import io.osmhub.e2e.cluster.ManifestObjects;
import io.osmhub.e2e.cluster.RealCluster;
import io.osmhub.e2e.cluster.RealClusters;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Clusters that KubeOne or KKP installed: their definitions, their roles, their Deployment. */
final class ForeignInstallersE2E {
    private static final Path OSM_DEFINITIONS = Path.of(System.getProperty("osmhub.root", "../../.."))
            .resolve("core/src/test/resources/contracts/peer-crds.yaml");
    private static final String ADDON = RealClusters.resource("kubeone-addon.yaml");
    private static final String ACCOUNT = "operating-system-manager";
    private static final String IDENTITY = "system:serviceaccount:kube-system:" + ACCOUNT;

    @RegisterExtension
    static final RealClusters CLUSTERS = RealClusters.withWorkers(3);

    /** Each run of the installer does this, over whatever is there. */
    private static void applyDefinitions(RealCluster cluster) {
        JsonNode definitions = ManifestObjects.file(OSM_DEFINITIONS).getFirst();
        for (String kind : List.of("osp", "osc")) {
            ObjectNode definition = definitions.path(kind).deepCopy();
            definition.withObject("/metadata/labels").put("kubeone.io/addon", "operating-system-manager");
            cluster.admin().put(definition);
            RealClusters.awaitServed(cluster, ManifestObjects.name(definition));
        }
    }

    private static RealTenant kubeOne(RealCluster cluster, String namespace) {
        applyDefinitions(cluster);
        ManifestObjects.objects(ADDON).forEach(cluster.admin()::apply);
        ShippedManifests.installPrerequisites(cluster);
        RealTenant tenant = new RealTenant(namespace, cluster, cluster);
        tenant.fetchToken("fetch");
        tenant.clusterInfo(ExampleObjects.clusterInfo("https://api.example.org:6443", cluster));
        return tenant;
    }

    private static ObjectNode machineDeployment(String name) {
        ObjectNode machineDeployment = ExampleObjects.machineDeployment(name);
        machineDeployment.withObject("/metadata/annotations").put("k8c.io/operating-system-profile", "osp-ubuntu");
        return machineDeployment;
    }

    private static String annotation(JsonNode object, String name) {
        return object.path("metadata").path("annotations").path(name).asText();
    }

    private static void awaitStatus(RealTenant tenant, MachineDeploymentObjectNames names) {
        Await.until("the status of the configuration is an annotation", () -> tenant.osc(names.osc()).stream()
                .anyMatch(found -> annotation(found, "osmhub.io/status").contains("\"newNodes\":\"Current\"")));
    }

    @Test
    void theDeploymentOfKubeOnesAddonRunsTheHubWithItsArgumentsAndRoles() {
        RealCluster cluster = CLUSTERS.worker(1);
        RealTenant tenant = kubeOne(cluster, "kube-system");
        ObjectNode machineDeployment = machineDeployment("workers");
        MachineDeploymentObjectNames names = MachineDeploymentObjectNames.of(machineDeployment);
        List<String> arguments = new ArrayList<>();
        ManifestObjects.objects(ADDON).stream()
                .filter(object -> object.path("kind").asText().equals("Deployment"))
                .findFirst()
                .orElseThrow()
                .at("/spec/template/spec/containers/0/args")
                .forEach(argument -> arguments.add(argument.asText()));
        // There is no pod, so no identity in the cluster.
        arguments.add("-kubeconfig="
                + InstalledHub.write(
                        CLUSTERS.folder().resolve("addon.kubeconfig"),
                        cluster.kubeconfig(cluster.token("kube-system", ACCOUNT))));
        long before = cluster.audit().position();

        try (InstalledHub hub = InstalledHub.controller(
                        CLUSTERS.folder(), arguments, Map.of("HTTPS_PROXY", "", "NO_PROXY", ""))
                .awaitReady()) {
            JsonNode profile = Await.awaitPresent("default profiles are installed", () -> cluster.admin()
                    .find(ApiResource.OSPS.in("kube-system", "osp-ubuntu")));
            assertThat(annotation(profile, "osmhub.io/template-engine")).isEqualTo("handlebars");
            cluster.admin().create(machineDeployment);
            Await.until("published", () -> tenant.secret(names.bootstrap()).isPresent());
            awaitStatus(tenant, names);
            String provisioning =
                    ManifestObjects.value(tenant.secret(names.provisioning()).orElseThrow(), "cloud-config");
            assertThat(provisioning)
                    .contains("registry.example.org")
                    .as("of a repeated flag the last one counts")
                    .doesNotContain("first.example.org");

            applyDefinitions(cluster);
            cluster.admin()
                    .merge(
                            names.path(),
                            "{metadata: {annotations: {v1.kubelet-config.machine-controller.kubermatic.io/MaxPods: '10057'}}}");

            Await.until("the change is published", () -> tenant.secret(names.provisioning())
                    .map(secret -> ManifestObjects.value(secret, "cloud-config"))
                    .orElse("")
                    .contains("10057"));
            awaitStatus(tenant, names);
            assertThat(annotation(
                            cluster.admin().get(ApiResource.OSPS.in("kube-system", "osp-ubuntu")),
                            "osmhub.io/template-engine"))
                    .isEqualTo("handlebars");
            assertThat(secretWrites(cluster, before)).contains("update").doesNotContain("patch");

            cluster.admin().delete(names.path());
            Await.until(
                    "the MachineDeployment is deleted",
                    () -> cluster.admin().find(names.path()).isEmpty());
            assertThat(tenant.secret(names.bootstrap())).isEmpty();
            assertThat(tenant.bootstrapTokens(names)).as("left to expire").isNotEmpty();
            assertThat(hub.terminate()).isZero();
        }
    }

    /** Verbs of the writes of Secrets that succeeded. */
    private static List<String> secretWrites(RealCluster cluster, long since) {
        return cluster.audit().since(since, IDENTITY).stream()
                .filter(entry -> entry.resource().equals("secrets") && entry.writes() && entry.code() < 300)
                .map(Entry::verb)
                .toList();
    }

    /** {@code operatingSystemManager.deploy: false}: the definitions and the settings namespace stay, the Deployment goes. */
    @Test
    void theHubServesAClusterOfKubeOneWhoseAddonIsNotDeployed() {
        RealCluster cluster = CLUSTERS.worker(2);
        RealTenant tenant = kubeOne(cluster, InstalledHub.NAMESPACE);
        ManifestObjects.objects(ADDON).stream()
                .filter(object -> List.of("Deployment", "PodDisruptionBudget")
                        .contains(object.path("kind").asText()))
                .forEach(cluster.admin()::delete);
        Path kubeconfig = RealTenant.prepareEmptyManagement(cluster, CLUSTERS.folder());
        for (String file : List.of("rbac-worker.yaml", "rbac-single.yaml")) {
            ManifestObjects.file(ShippedManifests.FOLDER.resolve(file)).forEach(cluster.admin()::apply);
        }
        ObjectNode machineDeployment = machineDeployment("workers");
        MachineDeploymentObjectNames names = MachineDeploymentObjectNames.of(machineDeployment);
        int port = FreePort.find();

        try (InstalledHub hub = InstalledHub.run(
                        CLUSTERS.folder(), kubeconfig, HubConfigurationText.withApi(port), "--single")
                .awaitReady()) {
            Await.awaitPresent("default profiles are installed", () -> cluster.admin()
                    .find(ApiResource.OSPS.in("osm-profiles", "osp-ubuntu")));
            cluster.admin().create(machineDeployment);
            Await.until("published", () -> tenant.secret(names.bootstrap()).isPresent());
            awaitStatus(tenant, names);
            CommandResult published = InstalledHub.why(cluster, port, InstalledHub.NAMESPACE, "kube-system/workers");
            assertThat(published.code()).as(published.output()).isZero();

            applyDefinitions(cluster);

            CommandResult again = InstalledHub.why(cluster, port, InstalledHub.NAMESPACE, "kube-system/workers");
            assertThat(again.code()).as(again.output()).isZero();
            awaitStatus(tenant, names);

            cluster.admin()
                    .merge(names.path(), "{metadata: {annotations: {k8c.io/operating-system-profile: osp-typo}}}");
            Await.until("the reason is shown", () -> {
                CommandResult broken = InstalledHub.why(cluster, port, InstalledHub.NAMESPACE, "kube-system/workers");
                return broken.code() != 0 && broken.output().contains("osp-typo");
            });
            assertThat(hub.terminate()).isZero();
        }
    }

    @Test
    void aTenantIsServedWithTheIdentityThatKkpGivesToOsm() {
        RealCluster management = CLUSTERS.management();
        RealCluster worker = CLUSTERS.worker(3);
        Path kubeconfig = RealTenant.prepareManagement(management, CLUSTERS.folder());
        ShippedManifests.installPrerequisites(worker);
        worker.admin().apply(RealClusters.resource("kkp-roles.yaml"));
        RealTenant tenant = new RealTenant("tenant-kkp", management, worker);
        management.admin().apply(ManifestObjects.namespace(tenant.namespace()));
        RealTenant.bind(management, tenant.namespace());
        tenant.fetchToken("fetch");
        tenant.clusterInfo(ExampleObjects.clusterInfo("https://api.example.org:6443", worker));
        ObjectNode machineDeployment = ExampleObjects.machineDeployment("workers");
        MachineDeploymentObjectNames names = MachineDeploymentObjectNames.of(machineDeployment);
        long before = worker.audit().position();

        try (InstalledHub hub = InstalledHub.run(CLUSTERS.folder(), kubeconfig, HubConfigurationText.FOR_TESTS)
                .awaitReady()) {
            tenant.storeProfile(ExampleObjects.profile());
            worker.admin().create(machineDeployment);
            tenant.register(worker.kubeconfig(worker.token("kube-system", ACCOUNT)))
                    .awaitSynced();
            assertThat(tenant.secret(names.bootstrap())).isPresent();
            assertThat(tenant.reason("CredentialsValid")).isEqualTo("CredentialsAccepted");
            assertThat(tenant.workerCluster().orElseThrow().path("status").toString())
                    .contains("bootstrap tokens are not deleted, they expire");

            ObjectNode changed = ExampleObjects.profile();
            changed.withObject("/spec").put("version", "v1.0.1");
            ((ObjectNode) changed.at("/spec/provisioningConfig/files/0/content/inline"))
                    .put("data", "#!/bin/bash\n# changed by the test\n");
            tenant.storeProfile(changed);

            Await.until("the change is published", () -> tenant.secret(names.provisioning())
                    .map(secret -> ManifestObjects.value(secret, "cloud-config"))
                    .orElse("")
                    .contains("# changed by the test"));
            assertThat(secretWrites(worker, before)).contains("update").doesNotContain("patch");

            worker.admin().delete(names.path());
            Await.until(
                    "the MachineDeployment is deleted",
                    () -> worker.admin().find(names.path()).isEmpty());
            assertThat(hub.terminate()).isZero();
        }
    }
}
