package io.osmhub.workersync;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.core.osp.NodeFetchMethod;
import io.osmhub.core.settings.LayeredSettings;
import io.osmhub.core.settings.SettingsLayer;
import io.osmhub.core.settings.TenantSettings;
import io.osmhub.core.settings.TenantSettings.Bootstrap;
import io.osmhub.core.settings.TenantSettings.Provisioning;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.fake.SyncWorld;
import io.osmhub.workersync.port.SyncObserver;
import java.time.Duration;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A restarted hub renders only what may have changed, and verifies the rest later. */
final class RestartTest {
    private static final Duration VERIFIED = Duration.ofMinutes(11);

    private final SyncWorld world = new SyncWorld();

    /** Three MachineDeployments, and no hub. */
    private void publishedAndStopped() {
        world.start();
        Stream.of("a", "b", "c").forEach(name -> world.machineDeployment("kube-system", name));
        world.pass(Duration.ofSeconds(20));
        world.kill();
        world.forgetRequests();
    }

    /** Renderings by the end of the first pass. */
    private int renderingsOfStart() {
        int before = world.renderings();
        world.start();
        world.pass(Duration.ofSeconds(20));
        return world.renderings() - before;
    }

    private long writes() {
        return world.worker.writes() + world.management.writes();
    }

    private static ObjectNode copy(@Nullable ObjectNode object) {
        return Objects.requireNonNull(object).deepCopy();
    }

    @Test
    void rendersAndWritesNothingIfNothingChanged() {
        publishedAndStopped();

        assertThat(renderingsOfStart()).isZero();
        assertThat(writes()).isZero();
        assertThat(world.hub().status().machineDeployments()).hasSize(3).allMatch(md -> md.problems()
                .isEmpty());
    }

    @Test
    void verifiesEverythingWithinMinutesAndOnlyOnce() {
        publishedAndStopped();
        int before = world.renderings();
        world.start();

        world.pass(VERIFIED);

        assertThat(world.renderings() - before).isEqualTo(3);
        world.pass(VERIFIED);
        assertThat(world.renderings() - before).isEqualTo(3);
        assertThat(writes()).isZero();
        assertThat(world.unexpectedRenderings).hasValue(0);
    }

    @Test
    void verificationCorrectsWhatTheHashMissed() {
        world.profileHash = "of no content";
        publishedAndStopped();
        String before = world.bootstrap("kube-system", "a");
        world.profile("v1.0.0", "missed");

        assertThat(renderingsOfStart()).isZero();
        assertThat(world.bootstrap("kube-system", "a")).isEqualTo(before);
        world.pass(VERIFIED);

        assertThat(world.unexpectedRenderings).hasValue(3);
        assertThat(world.bootstrap("kube-system", "a")).isNotEqualTo(before);
    }

    @Test
    void verifiesAPausedTenant() {
        world.profileHash = "of no content";
        publishedAndStopped();
        world.paused(true);
        world.profile("v1.0.0", "missed");
        world.start();

        world.pass(VERIFIED);

        assertThat(world.unexpectedRenderings).hasValue(3);
        assertThat(writes()).isZero();
    }

    @Test
    void countsContentThatCannotBePublished() {
        world.profileHash = "of no content";
        publishedAndStopped();
        world.profile("v1.0.0", "x".repeat(2 << 20));
        world.start();

        world.pass(VERIFIED);

        assertThat(world.unexpectedRenderings).hasValue(3);
        assertThat(world.hub().status().machineDeployments()).hasSize(3).noneMatch(md -> md.problems()
                .isEmpty());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "[1]"})
    void reportsAProviderSpecThatBecameUnusable(String providerSpec) {
        publishedAndStopped();
        ObjectNode machineDeployment =
                world.machineDeploymentJson("kube-system", "a").deepCopy();
        ObjectNode machine = (ObjectNode) machineDeployment.at("/spec/template/spec");
        machine.remove("providerSpec");
        if (!providerSpec.isEmpty()) {
            machine.putObject("providerSpec").putArray("value").add(1);
        }
        world.worker.put(Resource.MACHINE_DEPLOYMENTS, machineDeployment.toString(), "kubectl");

        renderingsOfStart();

        assertThat(world.results)
                .contains(SyncObserver.Result.TENANT_MISTAKE)
                .doesNotContain(SyncObserver.Result.HUB_BUG);
    }

    @Test
    void rendersAChangedProfile() {
        publishedAndStopped();
        world.profile("v1.0.0", "new");

        assertThat(renderingsOfStart()).isEqualTo(3);
        assertThat(writes()).isPositive();
    }

    @Test
    void rendersWithChangedSettings() {
        publishedAndStopped();
        TenantSettings old = new LayeredSettings(SettingsLayer.EMPTY, SettingsLayer.EMPTY).toTenantSettings();
        Provisioning provisioning = old.provisioning();
        Bootstrap bootstrap = provisioning.bootstrap();
        world.settings(new TenantSettings(
                new Provisioning(
                        provisioning.clusterDns(),
                        provisioning.externalCloudProvider(),
                        provisioning.kubelet(),
                        provisioning.containerRuntime(),
                        provisioning.registries(),
                        provisioning.proxy(),
                        provisioning.kubernetesCa(),
                        provisioning.hostCa(),
                        new Bootstrap(
                                "https://set.example:6443",
                                bootstrap.serviceAccount(),
                                bootstrap.tokenTtl(),
                                bootstrap.nodeFetch()),
                        provisioning.cloudCredentialsSecret(),
                        provisioning.downloads(),
                        provisioning.airGapped(),
                        provisioning.userDataLimitBytes()),
                old.profiles(),
                old.connection(),
                old.admission()));

        assertThat(renderingsOfStart()).isEqualTo(3);
    }

    @Test
    void rendersForAnotherEndpoint() {
        publishedAndStopped();
        world.worker.put(Resource.CONFIG_MAPS, SyncWorld.clusterInfo("https://moved.example:6443"), "kubeadm");

        assertThat(renderingsOfStart()).isEqualTo(3);
    }

    @Test
    void rendersWithAnotherClassOfToken() {
        publishedAndStopped();
        world.nodeFetch(NodeFetchMethod.SCOPED_TOKEN, NodeFetchMethod.SHARED_TOKEN);
        world.mayGrant(true);

        assertThat(renderingsOfStart()).isEqualTo(3);

        world.kill();
        assertThat(renderingsOfStart()).as("the tokens are kept").isZero();
    }

    @ParameterizedTest
    @CsvSource({
        "a-kube-system-bootstrap-config, false",
        "a-kube-system-provisioning-config, false",
        "kube-system-a-kubelet-bootstrap-config, false",
        "a-kube-system-bootstrap-config, true",
        "a-kube-system-provisioning-config, true",
        "kube-system-a-kubelet-bootstrap-config, true"
    })
    void repairsASecretThatWasChangedMeanwhile(String name, boolean deleted) {
        publishedAndStopped();
        String content = world.value(name);
        edit(name, deleted);

        assertThat(renderingsOfStart()).isEqualTo(1);

        assertThat(world.value(name)).isEqualTo(content);
    }

    @ParameterizedTest
    @CsvSource({"a-kube-system-bootstrap-config, false", "a-kube-system-provisioning-config, true"})
    void repairsASecretThatIsChangedBeforeItIsVerified(String name, boolean deleted) {
        publishedAndStopped();
        String content = world.value(name);
        world.start();
        world.pass(Duration.ofSeconds(20));

        edit(name, deleted);
        world.pass(Duration.ofSeconds(20));

        assertThat(world.value(name)).isEqualTo(content);
    }

    private void edit(String name, boolean deleted) {
        if (deleted) {
            world.worker.remove(Resource.SECRETS, SyncWorld.SETTINGS, name);
        } else {
            ObjectNode secret = copy(world.worker.object(Resource.SECRETS, SyncWorld.SETTINGS, name));
            String key = secret.path("data").properties().iterator().next().getKey();
            secret.withObjectProperty("data").put(key, "ZWRpdGVk");
            world.worker.put(Resource.SECRETS, secret.toString(), "kubectl");
        }
    }

    @ParameterizedTest
    @CsvSource({"false", "true"})
    void repairsAnOperatingSystemConfigThatWasChangedMeanwhile(boolean deleted) {
        publishedAndStopped();
        String name = world.configs.all().iterator().next().name();
        ObjectNode config = world.management.object(Resource.OPERATING_SYSTEM_CONFIGS, SyncWorld.TENANT, name);
        if (deleted) {
            world.management.remove(Resource.OPERATING_SYSTEM_CONFIGS, SyncWorld.TENANT, name);
        } else {
            ObjectNode edited = copy(config);
            edited.put("text", "{\"osVersion\":\"edited\"}");
            world.management.put(Resource.OPERATING_SYSTEM_CONFIGS, edited.toString(), "kubectl");
        }

        assertThat(renderingsOfStart()).isEqualTo(1);

        assertThat(copy(world.management.object(Resource.OPERATING_SYSTEM_CONFIGS, SyncWorld.TENANT, name))
                        .get("text"))
                .isEqualTo(copy(config).get("text"));
    }

    /** Secrets of a backup are older than the status. */
    @Test
    void rendersAfterTheWorkerClusterWasRestored() {
        world.start();
        world.machineDeployment("kube-system", "a");
        world.pass(Duration.ofSeconds(20));
        ObjectNode backup =
                copy(world.worker.object(Resource.SECRETS, SyncWorld.SETTINGS, "a-kube-system-bootstrap-config"));
        world.profile("v1.0.0", "newer");
        world.pass(Duration.ofSeconds(20));
        String newer = world.bootstrap("kube-system", "a");
        world.kill();
        world.worker.put(Resource.SECRETS, backup.toString(), "velero");

        assertThat(renderingsOfStart()).isEqualTo(1);

        assertThat(world.bootstrap("kube-system", "a")).isEqualTo(newer);
    }

    @Test
    void anotherReplicaTakesOverWithoutRendering() {
        publishedAndStopped();

        assertThat(renderingsOfStart()).isZero();
        world.kill();
        assertThat(renderingsOfStart()).isZero();
        world.pass(VERIFIED);

        assertThat(world.unexpectedRenderings).hasValue(0);
        assertThat(writes()).isZero();
    }
}
