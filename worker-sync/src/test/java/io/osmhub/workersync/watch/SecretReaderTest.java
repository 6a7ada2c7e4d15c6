package io.osmhub.workersync.watch;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonParser;
import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.plan.StoredSecret;
import io.osmhub.core.plan.StoredToken;
import io.osmhub.workersync.watch.SecretReader.SettingsSecret;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

final class SecretReaderTest {
    private static <T> ObservedObject<T> read(String json, ObjectDecoder<T> decoder) throws IOException {
        try (JsonParser parser = WatchEvent.JSON.createParser(json)) {
            parser.nextToken();
            ObservedObject<T> seen = decoder.decode(parser);
            assertThat(parser.nextToken()).isNull();
            return seen;
        }
    }

    private static final String SECRET = """
            {"kind":"Secret","apiVersion":"v1","metadata":{"name":"w-n-bootstrap-config","namespace":"cloud-init-settings",
            "uid":"u-1","resourceVersion":"77","creationTimestamp":"2026-03-01T10:00:00Z",
            "labels":{"app.kubernetes.io/managed-by":"osm-hub","team":"x"},
            "annotations":{"k8c.io/osp-version":"v1","osmhub.io/machine-deployment":"n/w",
            "kubectl.kubernetes.io/last-applied-configuration":"{\\"data\\":{\\"cloud-config\\":\\"aGVsbG8=\\"}}"},
            "managedFields":[{"manager":"osm-hub","operation":"Update","time":"2026-03-01T10:00:05Z","fieldsV1":{"f:x":{}}},
            {"manager":"kubectl-edit","operation":"Update","time":"2026-03-01T10:00:09Z"},
            {"manager":"somebody","time":"2026-03-01T10:00:01Z"}]},
            "immutable":true,"data":{"cloud-config":"aGVsbG8="},"type":"Opaque"}
            """;

    @Test
    void remembersDigestsAndNoContent() throws IOException {
        ObservedObject<SettingsSecret> seen = read(SECRET, SecretReader::settings);

        StoredSecret secret = Objects.requireNonNull(seen.object()).stored();
        assertThat(seen.key()).isEqualTo(new ObjectKey("cloud-init-settings", "w-n-bootstrap-config"));
        assertThat(seen.resourceVersion()).isEqualTo("77");
        assertThat(secret.digests())
                .containsExactlyEntriesOf(
                        Map.of("cloud-config", "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"));
        assertThat(secret.bytes()).isEqualTo(5);
        assertThat(secret.immutable()).isTrue();
        assertThat(secret.annotations()).containsOnlyKeys("k8c.io/osp-version", "osmhub.io/machine-deployment");
        assertThat(secret.labels()).containsOnlyKeys("app.kubernetes.io/managed-by");
        assertThat(secret.lastWriter()).isEqualTo("kubectl-edit");
        assertThat(seen.toString()).doesNotContain("aGVsbG8", "hello");
    }

    @Test
    void passesOverWhatIsNoneOfOurs() throws IOException {
        ObservedObject<SettingsSecret> seen = read(
                "{\"metadata\":{\"name\":\"sh.helm.release\",\"namespace\":\"cloud-init-settings\",\"uid\":\"u\",\"resourceVersion\":\"1\"},"
                        + "\"data\":{\"release\":\"aGVsbG8=\"}}",
                SecretReader::settings);

        assertThat(seen.object()).isNull();
        assertThat(seen.key().name()).isEqualTo("sh.helm.release");
    }

    @Test
    void keepsTheFetchTokenAndHidesIt() throws IOException {
        ObservedObject<SettingsSecret> seen = read(
                "{\"metadata\":{\"name\":\"cloud-init-getter-token\",\"namespace\":\"cloud-init-settings\"},\"data\":{\"token\":\"aGVsbG8=\","
                        + "\"ca.crt\":\"eA==\"},\"type\":\"kubernetes.io/service-account-token\"}",
                SecretReader::settings);

        assertThat(Objects.requireNonNull(Objects.requireNonNull(seen.object()).fetchToken())
                        .reveal())
                .isEqualTo("hello");
        assertThat(seen.toString()).doesNotContain("hello");
    }

    @Test
    void readsABootstrapToken() throws IOException {
        ObservedObject<StoredToken> seen = read("""
                {"metadata":{"name":"bootstrap-token-abcdef","namespace":"kube-system","uid":"u","resourceVersion":"3",
                "creationTimestamp":"2026-03-01T10:00:00Z","labels":{"machinedeployment.k8s.io/name":"n-w"}},
                "data":{"token-id":"YWJjZGVm","token-secret":"MDEyMzQ1Njc4OWFiY2RlZg==","expiration":"MjAyNi0wMy0wMVQxMjowMDowMCswMTowMA==",
                "usage-bootstrap-authentication":"dHJ1ZQ=="},"type":"bootstrap.kubernetes.io/token"}
                """, SecretReader::bootstrapToken);

        StoredToken token = Objects.requireNonNull(seen.object());
        assertThat(token.id()).isEqualTo("abcdef");
        assertThat(token.expiration()).isEqualTo(Instant.parse("2026-03-01T11:00:00Z"));
        assertThat(token.label()).isEqualTo("n-w");
        assertThat(token.toString()).doesNotContain("0123456789abcdef");
    }

    @Test
    void readsAMachineDeployment() throws IOException {
        ObservedObject<WatchedMachineDeployment> seen = read("""
                {"metadata":{"name":"w","namespace":"n","uid":"u","resourceVersion":"3","creationTimestamp":"2026-03-01T10:00:00Z",
                "annotations":{"a":"b"},"finalizers":["f"],"managedFields":[{"manager":"x"}]},
                "spec":{"template":{"spec":{"versions":{"kubelet":"1.34.1"},"providerSpec":{"value":{"b":1.50,"a":[true,null]}}}}},
                "status":{"replicas":3}}
                """, WatchedMachineDeployment::decode);

        WatchedMachineDeployment watched = Objects.requireNonNull(seen.object());
        MachineDeployment machineDeployment = watched.machineDeployment();
        assertThat(watched.mistakes()).isEmpty();
        assertThat(machineDeployment.kubeletVersion()).isEqualTo("1.34.1");
        assertThat(machineDeployment.providerSpec()).isEqualTo("{\"b\":1.5,\"a\":[true,null]}");
        assertThat(machineDeployment.finalizers()).isEqualTo(List.of("f"));
    }

    @Test
    void keepsAMachineDeploymentThatCannotBeRead() throws IOException {
        ObservedObject<WatchedMachineDeployment> seen = read(
                "{\"metadata\":{\"name\":\"w\",\"namespace\":\"n\",\"finalizers\":[\"f\"]},"
                        + "\"spec\":{\"template\":{\"spec\":{\"versions\":{\"kubelet\":{\"no\":\"version\"}}}}}}",
                WatchedMachineDeployment::decode);

        WatchedMachineDeployment watched = Objects.requireNonNull(seen.object());
        assertThat(watched.mistakes()).isNotEmpty();
        assertThat(watched.machineDeployment().finalizers()).isEqualTo(List.of("f"));
    }

    @Test
    void looksAtNothingThatTheHubDoesNotRead() throws IOException {
        String one =
                "{\"metadata\":{\"name\":\"w\",\"namespace\":\"n\",\"uid\":\"u\"},\"spec\":{\"replicas\":1},\"status\":{\"x\":1}}";
        WatchedMachineDeployment before = Objects.requireNonNull(
                read(one, WatchedMachineDeployment::decode).object());
        WatchedMachineDeployment after = Objects.requireNonNull(read(
                        one.replace("\"replicas\":1", "\"replicas\":3").replace("\"x\":1", "\"x\":2"),
                        WatchedMachineDeployment::decode)
                .object());

        assertThat(before.hasSameContentAs(after)).isTrue();
    }
}
