package io.osmhub.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.e2e.cluster.AuditLog;
import io.osmhub.e2e.cluster.Await;
import io.osmhub.e2e.cluster.ManifestObjects;
import io.osmhub.e2e.cluster.RealClusters;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The etcd of one cluster is lost and restored from an older backup, at a higher revision: objects that were created since
 * are absent, and deleted ones are back with older versions than those that the hub has seen. The other cluster is not affected.
 */
@Tag(RealClusters.ONE_VERSION)
final class RestoreE2E {
    @RegisterExtension
    static final RealClusters CLUSTERS = RealClusters.withSeparateStores(1);

    /** The API server's watches need their time to end, and the hub to connect again. */
    private static final Duration LIMIT = Duration.ofMinutes(2);

    private static Path kubeconfig;
    private static RealTenant tenant;

    @BeforeAll
    static void prepare() {
        kubeconfig = RealTenant.prepareManagement(CLUSTERS.management(), CLUSTERS.folder());
        tenant = RealTenant.prepare("cluster-amber", CLUSTERS.management(), CLUSTERS.worker(1));
        tenant.clusterInfo(ExampleObjects.clusterInfo("https://api.example.org:6443", tenant.worker()));
        tenant.storeProfile(ExampleObjects.profile());
        tenant.register();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aRestoredManagementClusterIsCompletedWithoutTouchingSecrets(boolean hubRuns) throws Exception {
        Path backup = CLUSTERS.folder().resolve("backup-" + hubRuns);
        MachineDeploymentObjectNames before = named("before-" + hubRuns);
        MachineDeploymentObjectNames deleted = named("deleted-" + hubRuns);
        MachineDeploymentObjectNames after = named("after-" + hubRuns);
        InstalledHub hub = start();
        try {
            create(before);
            create(deleted);
            Files.createDirectories(backup.getParent());
            CLUSTERS.backUp(tenant.management(), backup);
            create(after);
            tenant.worker().admin().delete(deleted.path());
            Await.until("the deleted one is cleaned up", LIMIT, () -> tenant.osc(deleted.osc())
                    .isEmpty());
            if (!hubRuns) {
                hub.close();
            }
            long mark = tenant.worker().audit().position();

            CLUSTERS.restore(tenant.management(), backup);
            assertThat(tenant.osc(after.osc())).isEmpty();
            assertThat(tenant.osc(deleted.osc())).isPresent();
            if (!hubRuns) {
                hub = start();
            }

            Await.until("the lost one is stored again", LIMIT, () -> tenant.osc(after.osc())
                    .isPresent());
            Await.until("the deleted one is cleaned up again", LIMIT, () -> tenant.osc(deleted.osc())
                    .isEmpty());
            tenant.awaitSynced();
            assertThat(tenant.secret(before.bootstrap())).isPresent();
            assertThat(tenant.secret(after.bootstrap())).isPresent();
            assertThat(secretWrites(mark)).isEmpty();
        } finally {
            hub.close();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aRestoredWorkerClusterGetsWhatWasPublishedSinceTheBackup(boolean hubRuns) throws Exception {
        Path backup = CLUSTERS.folder().resolve("worker-backup-" + hubRuns);
        MachineDeploymentObjectNames kept = named("kept-" + hubRuns);
        MachineDeploymentObjectNames deleted = named("gone-" + hubRuns);
        MachineDeploymentObjectNames lost = named("lost-" + hubRuns);
        String marker = "changed-since-" + hubRuns;
        InstalledHub hub = start();
        try {
            create(kept);
            create(deleted);
            CLUSTERS.backUp(tenant.worker(), backup);
            tenant.awaitSynced();
            create(lost);
            tenant.worker().admin().delete(deleted.path());
            tenant.storeProfile(ExampleObjects.marked(marker));
            Await.until("the deleted one is cleaned up", LIMIT, () -> tenant.osc(deleted.osc())
                    .isEmpty());
            Await.until(
                    "the change is published", LIMIT, () -> provisioning(kept).contains(marker));
            if (!hubRuns) {
                hub.close();
            }

            CLUSTERS.restore(tenant.worker(), backup);
            assertThat(provisioning(kept)).doesNotContain(marker);
            if (!hubRuns) {
                hub = start();
            }

            Await.until("the change is published again", LIMIT, () -> provisioning(kept)
                    .contains(marker));
            Await.until(
                    "the restored one too",
                    LIMIT,
                    () -> provisioning(deleted).contains(marker)
                            && tenant.osc(deleted.osc()).isPresent());
            Await.until("the lost one is cleaned up", LIMIT, () -> tenant.osc(lost.osc())
                    .isEmpty());
            tenant.awaitSynced();
        } finally {
            hub.close();
        }
    }

    private static String provisioning(MachineDeploymentObjectNames names) {
        return tenant.secret(names.provisioning())
                .map(secret -> ManifestObjects.value(secret, "cloud-config"))
                .orElse("");
    }

    private static InstalledHub start() {
        return InstalledHub.run(CLUSTERS.folder(), kubeconfig, HubConfigurationText.WITHOUT_LEASE)
                .awaitReady();
    }

    private static MachineDeploymentObjectNames named(String name) {
        return new MachineDeploymentObjectNames("kube-system", name);
    }

    private static void create(MachineDeploymentObjectNames names) {
        tenant.worker().admin().create(ExampleObjects.machineDeployment(names.name()));
        Await.until(
                "published",
                LIMIT,
                () -> tenant.secret(names.bootstrap()).isPresent()
                        && tenant.osc(names.osc()).isPresent());
    }

    /** What the hub wrote to the secrets that machines start from. */
    private static List<String> secretWrites(long mark) {
        return tenant.worker().audit().since(mark, RealTenant.HUB_IN_WORKER).stream()
                .filter(entry -> entry.writes()
                        && entry.resource().equals("secrets")
                        && entry.namespace().equals(RealTenant.SETTINGS))
                .map(AuditLog.Entry::toString)
                .toList();
    }
}
