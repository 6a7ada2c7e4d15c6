package io.osmhub.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.e2e.cluster.ApiResource;
import io.osmhub.e2e.cluster.Await;
import io.osmhub.e2e.cluster.ManifestObjects;
import io.osmhub.e2e.cluster.RealClusters;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The hub is killed (SIGKILL) as soon as an API server has logged the k-th write of a task, and started again: the task is
 * completed, and concurrent readers of the bootstrap secret always find an old or a new one.
 */
final class CrashE2E {
    @RegisterExtension
    static final RealClusters CLUSTERS = RealClusters.withWorkers(1);

    private static final Duration TASK_LIMIT = Duration.ofSeconds(20);

    private static Path kubeconfig;
    private static RealTenant tenant;
    private static int count;

    private static InstalledHub hub;

    private MachineDeploymentObjectNames names;

    @BeforeAll
    static void prepare() {
        kubeconfig = RealTenant.prepareManagement(CLUSTERS.management(), CLUSTERS.folder());
        tenant = RealTenant.prepare("cluster-amber", CLUSTERS.management(), CLUSTERS.worker(1));
        tenant.clusterInfo(ExampleObjects.clusterInfo("https://api.example.org:6443", tenant.worker()));
        tenant.register();
        hub = startHub();
    }

    /** The hub is the one that was started after the last kill. */
    @BeforeEach
    void name() {
        tenant.storeProfile(ExampleObjects.profile());
        tenant.awaitSynced();
        names = new MachineDeploymentObjectNames("kube-system", "workers-" + ++count);
    }

    private static InstalledHub startHub() {
        return InstalledHub.run(CLUSTERS.folder(), kubeconfig, HubConfigurationText.WITHOUT_LEASE)
                .awaitReady();
    }

    @AfterAll
    static void stop() {
        hub.close();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6})
    void creationIsCompletedAfterTheRestart(int writes) {
        killedAfter(
                writes,
                () -> tenant.worker().admin().create(ExampleObjects.machineDeployment(names.name())),
                this::published);

        Await.until("published after the restart", this::published);
        assertThat(tenant.bootstrapTokens(names)).hasSize(1);
        assertThat(secretsOf(names)).isEqualTo(Set.copyOf(names.secrets()));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4})
    void rotationIsCompletedAfterTheRestartAndNeverLeavesAGap(int writes) {
        tenant.worker().admin().create(ExampleObjects.machineDeployment(names.name()));
        Await.until("published", this::published);
        String marker = "marked-" + names.name();
        try (ContinuousReader machines = ContinuousReader.start(tenant, names)) {
            killedAfter(writes, () -> tenant.storeProfile(ExampleObjects.marked(marker)), () -> provisioning()
                    .contains(marker));

            Await.until("rotated after the restart", () -> provisioning().contains(marker));
            machines.assertAlwaysReadable();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4})
    void aChangedExtensionIsPublishedAfterTheRestartAndItsFileIsNeverMissing(int writes) {
        storeExtension("before");
        tenant.worker().admin().create(ExampleObjects.machineDeployment(names.name()));
        Await.until("published", () -> published() && provisioning().contains("/etc/corp-" + count));
        String marker = "marked-" + names.name();
        try (ContinuousReader machines = ContinuousReader.start(tenant, names).requireText("/etc/corp-" + count)) {
            killedAfter(writes, () -> storeExtension(marker), () -> provisioningText()
                    .contains(marker));

            Await.until("published after the restart", () -> provisioningText().contains(marker));
            machines.assertAlwaysReadable();
        } finally {
            tenant.management().admin().delete(ApiResource.EXTENSIONS.in(tenant.namespace(), "corp"));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5})
    void deletionIsCompletedAfterTheRestart(int writes) {
        tenant.worker().admin().create(ExampleObjects.machineDeployment(names.name()));
        Await.until("published", this::published);

        killedAfter(writes, () -> tenant.worker().admin().delete(names.path()), this::gone);

        Await.until("gone after the restart", this::gone);
        assertThat(secretsOf(names)).isEmpty();
        assertThat(tenant.bootstrapTokens(names)).isEmpty();
        assertThat(tenant.osc(names.osc())).isEmpty();
    }

    /** Kills the hub once its writes since the beginning of a task are that many, or the task is over; and starts it again. */
    private void killedAfter(int writes, Runnable task, BooleanSupplier over) {
        long inWorker = tenant.worker().audit().position();
        long inManagement = tenant.management().audit().position();
        task.run();
        Await.until(
                "so many writes",
                TASK_LIMIT,
                () -> tenant.worker().audit().writesSince(inWorker, RealTenant.HUB_IN_WORKER)
                                        + tenant.management()
                                                .audit()
                                                .writesSince(inManagement, RealTenant.HUB_IN_MANAGEMENT)
                                >= writes
                        || over.getAsBoolean());
        hub.kill();
        hub = startHub();
    }

    private boolean published() {
        return tenant.secret(names.bootstrap()).isPresent();
    }

    private boolean gone() {
        return tenant.worker().admin().find(names.path()).isEmpty();
    }

    private String provisioning() {
        return tenant.secret(names.provisioning())
                .map(secret -> ManifestObjects.value(secret, "cloud-config"))
                .orElse("");
    }

    private static void storeExtension(String content) {
        tenant.storeExtension("corp", "/etc/corp-" + count, content);
    }

    /** With the content of encoded files. */
    private String provisioningText() {
        return ChangesE2E.readable(provisioning());
    }

    private static Set<String> secretsOf(MachineDeploymentObjectNames names) {
        Set<String> found = new HashSet<>();
        tenant.worker()
                .admin()
                .list(ApiResource.SECRETS.in(RealTenant.SETTINGS))
                .forEach(secret -> found.add(ManifestObjects.name(secret)));
        found.retainAll(Set.copyOf(names.secrets()));
        return found;
    }
}
