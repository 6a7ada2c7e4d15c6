package io.osmhub.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.e2e.cluster.ApiResource;
import io.osmhub.e2e.cluster.Await;
import io.osmhub.e2e.cluster.ManifestObjects;
import io.osmhub.e2e.cluster.RealCluster;
import io.osmhub.e2e.cluster.RealClusters;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** One tenant's whole life by the command line, with an administrator's kubeconfig that is never stored, on real API servers. */
final class RegistrationE2E {
    @RegisterExtension
    static final RealClusters CLUSTERS = RealClusters.withWorkers(2);

    private static final String TENANT = "cluster-amber";
    private static final String SECRET = "shop-kubeconfig";

    @TempDir
    @SuppressWarnings("NullAway.Init") // set by JUnit
    static Path folder;

    private static @Nullable InstalledHub hub;

    private final RealCluster management = CLUSTERS.management();
    private final RealCluster worker = CLUSTERS.worker(1);

    /** What a command printed, results and errors together. */
    private record Run(int exit, String text) {}

    @BeforeAll
    static void startTheHub() {
        RealCluster management = CLUSTERS.management();
        Path kubeconfig = RealTenant.prepareManagement(management, folder);
        management.admin().apply(ManifestObjects.namespace(TENANT));
        InstalledHub.write(folder.resolve("admin"), management.kubeconfig(management.adminToken()));
        RealCluster worker = CLUSTERS.worker(1);
        InstalledHub.write(folder.resolve("shop"), worker.kubeconfig(worker.adminToken()));
        hub = InstalledHub.run(folder, kubeconfig, HubConfigurationText.FOR_TESTS)
                .awaitReady();
    }

    @AfterAll
    static void stopTheHub() {
        if (hub != null) {
            hub.close();
        }
    }

    private static Run hub(String... arguments) {
        List<String> command = new ArrayList<>(List.of(Distribution.program().toString()));
        command.addAll(List.of(arguments));
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            String text = new String(process.getInputStream().readAllBytes(), UTF_8);
            return new Run(process.waitFor(), text);
        } catch (IOException e) {
            throw new AssertionError(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    private static String file(String name) {
        return folder.resolve(name).toString();
    }

    private Optional<String> stored() {
        return management
                .admin()
                .find(ApiResource.SECRETS.in(TENANT, SECRET))
                .map(secret -> new String(
                        Base64.getDecoder().decode(secret.at("/data/kubeconfig").asText()), UTF_8));
    }

    private JsonNode status() {
        return management
                .admin()
                .get(ApiResource.WORKER_CLUSTERS.in(TENANT, "shop"))
                .path("status");
    }

    @Test
    void aTenantIsRegisteredTestedRenewedRotatedAndRemoved() {
        Run prepared = hub("cluster", "prepare", "shop", "--kubeconfig", file("shop"));
        assertThat(prepared.exit()).as(prepared.text()).isZero();

        Run dry = hub(
                "cluster",
                "add",
                "shop",
                "-n",
                TENANT,
                "--scoped",
                "--dry-run",
                "--kubeconfig",
                file("shop"),
                "--management-kubeconfig",
                file("admin"));
        assertThat(dry.exit()).as(dry.text()).isZero();
        assertThat(dry.text()).contains("kind: RoleBinding").contains("dry run: nothing was stored");
        assertThat(stored()).isEmpty();
        assertThat(management.admin().find(ApiResource.ROLE_BINDINGS.in(TENANT, "osm-hub-tenant")))
                .isEmpty();

        Run added = hub(
                "cluster",
                "add",
                "shop",
                "-n",
                TENANT,
                "--scoped",
                "--set",
                "credentials.tokenTTL=1h",
                "--timeout",
                "2m",
                "--kubeconfig",
                file("shop"),
                "--management-kubeconfig",
                file("admin"));
        assertThat(added.exit()).as(added.text()).isZero();
        assertThat(added.text())
                .contains("  created   ServiceAccount kube-system/osm-hub")
                .contains("  bound     RoleBinding " + TENANT + "/osm-hub-tenant for the hub in osm-hub")
                .contains("  synced    0 MachineDeployments, 0 problems")
                .endsWith("; the given kubeconfig was not stored\n")
                .doesNotContain(worker.adminToken());
        assertThat(stored().orElseThrow()).doesNotContain(worker.adminToken());
        assertThat(status().path("credentialsKind").asText()).isEqualTo("ScopedToken");
        assertThat(worker.audit().since(0, RealTenant.HUB_IN_WORKER)).isNotEmpty();

        Run tested = hub("cluster", "test", "shop", "-n", TENANT, "--management-kubeconfig", file("admin"));
        assertThat(tested.exit()).as(tested.text()).isZero();
        assertThat(tested.text()).contains("  ok      credential     " + RealTenant.HUB_IN_WORKER + ", expires ");

        String first = stored().orElseThrow();
        assertThat(hub("cluster", "renew", "shop", "-n", TENANT, "--kubeconfig", file("admin"))
                        .exit())
                .isZero();
        Await.until("the token is another", () -> !stored().orElseThrow().equals(first));
        assertThat(Objects.requireNonNull(hub, "the hub").metric("osm_hub_credential_renewals_total"))
                .isPositive();
        Await.until("the tenant goes on", () -> status().path("state").asText().equals("Synced"));

        Run rotated = hub(
                "cluster",
                "rotate",
                "shop",
                "-n",
                TENANT,
                "--kubeconfig",
                file("shop"),
                "--management-kubeconfig",
                file("admin"));
        assertThat(rotated.exit()).as(rotated.text()).isZero();
        assertThat(stored().orElseThrow()).doesNotContain(worker.adminToken());

        Run removed = hub(
                "cluster", "remove", "shop", "-n", TENANT, "--yes", "--timeout", "2m", "--kubeconfig", file("admin"));
        assertThat(removed.exit()).as(removed.text()).isZero();
        Await.until("its Secret is deleted", () -> stored().isEmpty());

        Run cleaned = hub("cluster", "clean", "--yes", "--kubeconfig", file("shop"));
        assertThat(cleaned.exit()).as(cleaned.text()).isZero();
        assertThat(cleaned.text()).contains("serviceaccounts kube-system/osm-hub");
    }

    /** Under exactly the shipped permissions; no request of the hub is forbidden, which RolesE2E checks. */
    @Test
    void aTenantNamespaceWithoutItsRoleBindingIsRejectedUntilItExists() {
        RealCluster second = CLUSTERS.worker(2);
        String namespace = "cluster-blue";
        RealTenant tenant = RealTenant.prepareUnbound(namespace, management, second);
        management.admin().create(ManifestObjects.object("""
                        apiVersion: osmhub.io/v1alpha1
                        kind: WorkerCluster
                        metadata: {name: worker, namespace: cluster-blue}
                        spec: {kubeconfigSecretRef: {name: worker-kubeconfig}}
                        """));
        tenant.register();

        Await.until("the missing permission is reported", () -> tenant.reason("CredentialsValid")
                .equals("TenantPermissionsMissing"));
        assertThat(tenant.state()).isEqualTo("Unauthorized");
        assertThat(tenant.workerCluster().orElseThrow().path("status").toString())
                .contains("cluster-blue: management cluster: system:serviceaccount:osm-hub:osm-hub may not list secrets"
                        + " in namespace cluster-blue (and 7 more): RoleBinding osm-hub-tenant is missing; grant it:"
                        + " kubectl create rolebinding osm-hub-tenant -n cluster-blue --clusterrole=osm-hub-tenant"
                        + " --serviceaccount=osm-hub:osm-hub");

        RealTenant.bind(management, namespace);
        tenant.awaitSynced();

        management.admin().delete(ApiResource.ROLE_BINDINGS.in(namespace, "osm-hub-tenant"));
        Await.until("the deleted RoleBinding is reported", () -> tenant.reason("CredentialsValid")
                .equals("TenantPermissionsMissing"));
        assertThat(tenant.state()).isEqualTo("Degraded");

        RealTenant.bind(management, namespace);
        tenant.awaitSynced();
    }
}
