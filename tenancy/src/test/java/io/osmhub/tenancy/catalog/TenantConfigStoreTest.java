package io.osmhub.tenancy.catalog;

import static io.osmhub.workersync.apiserver.Resource.OPERATING_SYSTEM_CONFIGS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.core.osc.OperatingSystemConfig;
import io.osmhub.core.osc.OperatingSystemConfigStatus;
import io.osmhub.core.osc.OperatingSystemConfigWriter;
import io.osmhub.core.osc.SpecHash;
import io.osmhub.core.plan.StoredConfig;
import io.osmhub.tenancy.management.ManagementStore.StoreListeners;
import io.osmhub.tenancy.management.NoopListWatchListener;
import io.osmhub.tenancy.management.StatusWriter;
import io.osmhub.tenancy.management.StatusWriter.StatusPace;
import io.osmhub.tenancy.management.WireJson;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ApiRequest;
import io.osmhub.workersync.apiserver.Verb;
import io.osmhub.workersync.fake.SimulatedServer;
import io.osmhub.workersync.fake.VirtualTime;
import io.osmhub.workersync.watch.ObjectKey;
import io.osmhub.workersync.watch.RuntimeContext;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TenantConfigStoreTest {
    private static final String HOME =
            "/apis/operatingsystemmanager.k8c.io/v1alpha1/namespaces/t1/operatingsystemconfigs/";

    private final VirtualTime time = new VirtualTime();
    private final SimulatedServer management = new SimulatedServer(time);
    private final RuntimeContext around = new RuntimeContext(time, time, new Random(1));
    private final List<ObjectKey> changes = new ArrayList<>();
    private final ConfigCache stored = new ConfigCache(
            "",
            () -> true,
            StoreListeners.of((key, before, after, origin) -> changes.add(key), NoopListWatchListener.INSTANCE),
            around);
    private final StatusWriter lane = new StatusWriter(
            management.api(), new StatusPace(20, () -> false), () -> true, namespace -> true, wait -> {}, around);
    private final TenantConfigStore configs = new TenantConfigStore("t1", stored, lane, management.api());

    @BeforeEach
    void begin() {
        stored.start(management.api());
        time.settle();
        management.forgetRequests();
    }

    @Test
    void whatWasWrittenIsFoundBeforeTheWatchBringsIt() throws ApiFailure {
        StoredConfig created = configs.create(config("a", "text"), Map.of("osmhub.io/machine-deployment", "ns/md"));

        assertThat(configs.find("a")).isEqualTo(created);
        assertThat(created.annotations()).containsEntry("osmhub.io/machine-deployment", "ns/md");
        assertThat(created.contentHash())
                .isEqualTo(SpecHash.of(
                        OperatingSystemConfigWriter.spec(config("a", "text").spec())));
        time.settle();
        assertThat(configs.find("a")).isEqualTo(created);
        assertThat(configs.all()).containsExactly(created);
    }

    @Test
    void replacingMakesItAnew() throws Exception {
        StoredConfig created = configs.create(config("a", "text"), Map.of());

        StoredConfig replaced = configs.replace(created, config("a", "more"), Map.of("own", "z"));

        assertThat(replaced.uid()).isNotEqualTo(created.uid());
        assertThat(replaced.annotations()).containsEntry("own", "z");
        time.settle();
        assertThat(configs.all()).containsExactly(replaced);
        JsonNode object = WireJson.read(management.send(ApiRequest.get(OPERATING_SYSTEM_CONFIGS, "t1", "a")));
        assertThat(object.at("/spec/bootstrapConfig/files/0/content/inline/data")
                        .asText())
                .isEqualTo("more");
    }

    @Test
    void replacingWhatSomebodyElseChangedIsAConflict() throws ApiFailure {
        StoredConfig created = configs.create(config("a", "text"), Map.of());
        management.send(ApiRequest.patch(
                OPERATING_SYSTEM_CONFIGS,
                "t1",
                "a",
                ApiRequest.MERGE_PATCH,
                "{\"metadata\": {\"annotations\": {\"x\": \"y\"}}}"));

        assertThatThrownBy(() -> configs.replace(created, config("a", "more"), Map.of()))
                .isInstanceOfSatisfying(ApiFailure.class, failure -> assertThat(failure.isConflict())
                        .isTrue());
    }

    @Test
    void deletingWhatIsGoneIsASuccess() throws ApiFailure {
        StoredConfig created = configs.create(config("a", "text"), Map.of());
        configs.delete(created);

        configs.delete(created);

        assertThat(configs.find("a")).isNull();
        time.settle();
        assertThat(configs.find("a")).isNull();
    }

    @Test
    void anObjectOfTheSameNameThatIsYoungerIsNotDeleted() throws ApiFailure {
        StoredConfig old = configs.create(config("a", "text"), Map.of());
        management.send(ApiRequest.delete(OPERATING_SYSTEM_CONFIGS, "t1", "a", old.uid(), null));
        StoredConfig young = configs.create(config("a", "text"), Map.of());

        configs.delete(old);

        assertThat(configs.find("a")).isEqualTo(young);
    }

    @Test
    void statusesGoByTheLane() throws Exception {
        configs.create(config("a", "text"), Map.of());

        configs.enqueueStatus("a", status(OperatingSystemConfigStatus.NewNodes.BLOCKED));
        configs.enqueueStatus("none", status(OperatingSystemConfigStatus.NewNodes.BLOCKED));
        time.pass(Duration.ofSeconds(1));

        assertThat(management.count(Verb.PATCH)).isEqualTo(1);
        assertThat(Objects.requireNonNull(configs.find("a")).status())
                .isEqualTo(status(OperatingSystemConfigStatus.NewNodes.BLOCKED));
    }

    @Test
    void theNextStatusContinuesTheOneThatIsNotWrittenYet() throws Exception {
        configs.create(config("a", "text"), Map.of());

        configs.enqueueStatus("a", status(OperatingSystemConfigStatus.NewNodes.BLOCKED));

        assertThat(Objects.requireNonNull(configs.find("a")).status())
                .isEqualTo(status(OperatingSystemConfigStatus.NewNodes.BLOCKED));
        assertThat(management.count(Verb.PATCH)).isZero();
    }

    @Test
    void aTenantSeesAndListsItsOwnOnly() throws ApiFailure {
        new TenantConfigStore("t2", stored, lane, management.api()).create(config("a", "theirs"), Map.of());

        assertThat(configs.find("a")).isNull();
        assertThat(configs.all()).isEmpty();
    }

    @Test
    void aTenantsConfigIsWrittenToItsNamespaceWhateverTheConfigSays() throws ApiFailure {
        OperatingSystemConfig claimsAnother =
                new OperatingSystemConfig("t2", "a", Map.of(), config("a", "x").spec());

        configs.create(claimsAnother, Map.of());

        assertThat(configs.find("a")).isNotNull();
        assertThat(management.requests())
                .allSatisfy(request -> assertThat(request.namespace()).isEqualTo("t1"));
    }

    @Test
    void anothersConfigIsNeitherReplacedNorDeleted() throws ApiFailure {
        StoredConfig theirs =
                new TenantConfigStore("t2", stored, lane, management.api()).create(config("a", "theirs"), Map.of());
        management.forgetRequests();

        assertThatThrownBy(() -> configs.replace(theirs, config("a", "x"), Map.of()))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> configs.delete(theirs)).isInstanceOf(IllegalArgumentException.class);
        assertThat(management.requests()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "../../t2/operatingsystemconfigs/a",
                "..",
                ".",
                "a/../../../t2/operatingsystemconfigs/a",
                "a?fieldManager=x",
                "a#",
                "t2/a",
                "%2e%2e%2ft2%2fa",
                "a%2f..%2f..",
                "a\n",
                "a;b"
            })
    void noNameLeadsARequestOutOfTheTenantsNamespace(String name) throws ApiFailure {
        new TenantConfigStore("t2", stored, lane, management.api()).create(config("a", "theirs"), Map.of());
        management.forgetRequests();
        StoredConfig hostile = new StoredConfig("t1", name, "u", "1", 1, new java.util.TreeMap<>(), "h", null, null);

        try {
            configs.delete(hostile);
            configs.replace(hostile, config("a", "x"), Map.of());
        } catch (ApiFailure | IllegalArgumentException e) {
            // Rejected here or by the server; only the requests matter.
        }

        assertThat(management.requests()).allSatisfy(request -> {
            assertThat(request.namespace()).isEqualTo("t1");
            assertThat(java.net.URI.create(uri(request)).normalize().getRawPath())
                    .startsWith(HOME);
        });
        assertThat(stored.findConfig("t2", "a")).isNotNull();
    }

    /** An invalid name is never sent. */
    private static String uri(ApiRequest request) {
        try {
            return request.uri();
        } catch (IllegalArgumentException e) {
            assertThat(e).hasMessageStartingWith("not a valid object name");
            return HOME;
        }
    }

    private static OperatingSystemConfigStatus status(OperatingSystemConfigStatus.NewNodes newNodes) {
        return new OperatingSystemConfigStatus(1L, null, newNodes, null, null, null, null, null, null);
    }

    private static OperatingSystemConfig config(String name, String text) {
        OperatingSystemConfig.Config part = new OperatingSystemConfig.Config(
                List.of(), List.of(new OperatingSystemConfig.File("/etc/x", 644, text, "")), List.of(), null);
        return new OperatingSystemConfig(
                "t1",
                name,
                Map.of(),
                new OperatingSystemConfig.Spec("ubuntu", "24.04", "aws", null, "cloud-init", part, part));
    }
}
