package io.osmhub.deploy.dropin;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.core.settings.LayeredSettings;
import io.osmhub.core.settings.Setting;
import io.osmhub.core.settings.SettingsLayer;
import io.osmhub.core.settings.TenantSettings;
import io.osmhub.core.settings.TenantSettings.InstallDefaults;
import io.osmhub.deploy.config.ConfigurationReport;
import io.osmhub.deploy.config.HubConfiguration;
import io.osmhub.deploy.config.HubConfiguration.ReplicaMode;
import io.osmhub.deploy.config.InputError;
import io.osmhub.deploy.config.ListenAddress;
import io.osmhub.deploy.log.ServiceLog;
import io.osmhub.tenancy.crds.DefinitionInstaller.InstallPolicy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ControllerFlagsTest {
    private static final String CERTIFICATE = """
            -----BEGIN CERTIFICATE-----
            CERTIFICATE
            -----END CERTIFICATE-----
            """;

    private static ControllerFlags read(String... arguments) {
        return switch (ControllerFlags.read(List.of(arguments))) {
            case GoFlags.Result.Read<ControllerFlags>(ControllerFlags flags) -> flags;
            case GoFlags.Result.Refused<ControllerFlags>(var mistakes) ->
                throw new AssertionError(InputError.formatLines(mistakes));
            case GoFlags.Result.Help<ControllerFlags>() -> throw new AssertionError("help");
        };
    }

    private static List<String> mistakes(String... arguments) {
        return switch (ControllerFlags.read(List.of(arguments))) {
            case GoFlags.Result.Refused<ControllerFlags>(var mistakes) ->
                ConfigurationReport.lines("hub controller", "in the flags", "nothing was started", mistakes).stream()
                        .map(line -> line.replaceAll("(?<=\\S) {2,}", "  "))
                        .toList();
            case GoFlags.Result.Read<ControllerFlags> _, GoFlags.Result.Help<ControllerFlags> _ -> List.of();
        };
    }

    @Test
    void hasThePeersDefaults() {
        ControllerFlags flags = read("-namespace", "kube-system");

        assertThat(flags.kubeconfig()).isEmpty();
        assertThat(flags.health()).contains(new ListenAddress("127.0.0.1", 8085));
        assertThat(flags.metrics()).contains(new ListenAddress("127.0.0.1", 8080));
        assertThat(flags.workerHealth()).isEmpty();
        assertThat(flags.leaderElect()).isTrue();
        assertThat(flags.debug()).isFalse();
        assertThat(flags.logFormat()).isEqualTo(ServiceLog.Format.JSON);
        assertThat(flags.warnings()).isEmpty();
        TenantSettings settings = new LayeredSettings(SettingsLayer.EMPTY, flags.settings()).toTenantSettings();
        assertThat(settings)
                .isEqualTo(new LayeredSettings(SettingsLayer.EMPTY, SettingsLayer.EMPTY).toTenantSettings());
    }

    @Test
    void readsWhatKkpPassesToThePeer() {
        ControllerFlags flags = read(
                "-kubeconfig",
                "/etc/kubernetes/kubeconfig/kubeconfig",
                "-health-probe-address",
                "0.0.0.0:8085",
                "-metrics-address",
                "0.0.0.0:8080",
                "-namespace",
                "kube-system",
                "-cluster-dns",
                "169.254.20.10",
                "-container-runtime",
                "containerd",
                "-external-cloud-provider",
                "-device-ownership-from-security-context",
                "-node-containerd-registry-mirrors=docker.io=https://m.example.org",
                "-node-containerd-registry-mirrors=quay.io=https://q.example.org",
                "-node-kubelet-feature-gates",
                "DynamicResourceAllocation=true",
                "-disable-default-osps",
                "-worker-count=5",
                "-log-debug=false",
                "-log-format=json");

        TenantSettings settings = new LayeredSettings(SettingsLayer.EMPTY, flags.settings()).toTenantSettings();
        assertThat(flags.kubeconfig()).isEqualTo("/etc/kubernetes/kubeconfig/kubeconfig");
        assertThat(settings.provisioning().clusterDns()).containsExactly("169.254.20.10");
        assertThat(settings.provisioning().externalCloudProvider()).isTrue();
        assertThat(settings.provisioning().registries().mirrors()).hasSize(2);
        assertThat(settings.connection().maxConcurrentReconciles()).isEqualTo(5);
        assertThat(settings.profiles().installDefaults()).isEqualTo(InstallDefaults.NONE);
    }

    @Test
    void becomesAConfigurationOfTheHub() {
        HubConfiguration configuration = read(
                        "--namespace=osm",
                        "--kubeconfig=/k",
                        "--leader-elect=false",
                        "--log-debug",
                        "--log-format=CONSOLE",
                        "--metrics-address=:9")
                .configuration();

        assertThat(configuration.management().namespace()).isEqualTo("osm");
        assertThat(configuration.management().kubeconfig()).isEqualTo("/k");
        assertThat(configuration.tenancy().sharedProfileNamespace()).isEqualTo("osm");
        assertThat(configuration.tenancy().installCRDs()).isEqualTo(InstallPolicy.NEVER);
        assertThat(configuration.replicas().mode()).isEqualTo(ReplicaMode.SINGLE);
        assertThat(configuration.api().address()).isEqualTo(Optional.empty());
        assertThat(configuration.webhooks().address()).isEqualTo(Optional.empty());
        assertThat(configuration.metrics().address()).hasToString(":9");
        assertThat(configuration.log())
                .isEqualTo(new HubConfiguration.Log(ServiceLog.Format.CONSOLE, "debug", Map.of()));
    }

    @Test
    void servesASecondTimeForAWorkerClusterOnly() {
        ControllerFlags flags =
                read("-namespace=a", "-worker-cluster-kubeconfig", "/w", "-worker-metrics-address", "0");

        assertThat(flags.workerClusterKubeconfig()).isEqualTo("/w");
        assertThat(flags.workerHealth()).contains(new ListenAddress("127.0.0.1", 8086));
        assertThat(flags.workerMetrics()).isEmpty();
    }

    @Test
    void followsTheSyntaxOfGo() {
        assertThat(read("-namespace=a", "-kubeconfig", "-x").kubeconfig()).isEqualTo("-x");
        assertThat(read("-namespace=a", "--namespace", "b").namespace()).isEqualTo("b");
        assertThat(read("-namespace=a=b").namespace()).isEqualTo("a=b");
        assertThat(read("-namespace=a", "-log-debug", "-log-debug=0").debug()).isFalse();
        assertThat(read("-namespace=a", "-disable-default-osps", "--", "-unknown")
                        .warnings())
                .hasSize(1);
        assertThat(read("-namespace=a", "-disable-default-osps", "word", "-unknown")
                        .warnings())
                .containsExactly(
                        "arguments from \"word\" on are ignored: flags end at the first argument without a dash");
        assertThat(read("-namespace=a", "-log-debug", "true").debug()).isTrue();
        assertThat(read("-namespace=a", "-worker-count", "0x10")
                        .settings()
                        .get(Setting.MAX_CONCURRENT_RECONCILES)
                        .asInt())
                .isEqualTo(16);
        assertThat(read("-namespace=a", "-worker-count", "0")
                        .settings()
                        .get(Setting.MAX_CONCURRENT_RECONCILES)
                        .asInt())
                .isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"-h", "--h", "-help", "--help"})
    void tellsWhenSomebodyAsksForTheFlags(String help) {
        assertThat(ControllerFlags.read(List.of(help))).isEqualTo(new GoFlags.Result.Help<>());
        assertThat(WebhookFlags.read(List.of(help))).isEqualTo(new GoFlags.Result.Help<>());
    }

    @Test
    void tellsAllMistakesAtOnceInThePeersWords() {
        assertThat(mistakes("-cluster-dns", "10.0.0.300", "-node-kubelet-feature-gates", "A=true,B=maybe"))
                .containsExactly(
                        "hub controller: 3 errors in the flags, nothing was started",
                        "  -namespace  -namespace is required",
                        "  -cluster-dns  invalid cluster dns specified: unable to parse ip 10.0.0.300; write addresses separated by commas",
                        "  -node-kubelet-feature-gates  invalid kubelet feature gates specified: failed to parse kubelet feature gate: \"B=maybe\"; write B=true");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "-worker-cout=3 | -worker-cout  flag provided but not defined: -worker-cout; did you mean -worker-count?",
                "-zzz | -zzz  flag provided but not defined: -zzz",
                "-worker-count=x | -worker-count  invalid value \"x\" for flag -worker-count: parse error; write a whole number",
                "-worker-count=99999999999999999999 | -worker-count  invalid value \"99999999999999999999\" for flag -worker-count: value out of range; write a whole number",
                "-leader-elect=maybe | -leader-elect  invalid boolean value \"maybe\" for -leader-elect: parse error; write -leader-elect=true or =false",
                "-log-format=xml | -log-format  invalid value \"xml\" for flag -log-format: invalid format \"xml\"; write json or console",
                "-container-runtime=docker | -container-runtime  docker not supported; containerd is the only supported container runtimes",
                "-kubernetes-ca-bundle=/nowhere/ca.crt | -kubernetes-ca-bundle  -kubernetes-ca-bundle is invalid: open /nowhere/ca.crt: no such file or directory",
                "-health-probe-address=nowhere | -health-probe-address  \"nowhere\" is not an address; write :8080, 127.0.0.1:8080, or 0 to disable",
                "-bootstrap-token-service-account-name=a | -bootstrap-token-service-account-name  -bootstrap-token-service-account-name is in incorrect format \"a\", should be in 'namespace/name'",
                "-kubeconfig | -kubeconfig  flag needs an argument: -kubeconfig",
                "---x | ---x  bad flag syntax: ---x; write -name value or -name=value",
                "-=x | -=x  bad flag syntax: -=x; write -name value or -name=value",
            })
    void refusesAsThePeerDoes(String flag, String mistake) {
        assertThat(mistakes("-namespace=a", flag).subList(1, 2)).containsExactly("  " + mistake);
    }

    @Test
    void goesOnAfterAnUnknownFlagAndItsValue() {
        assertThat(mistakes("-unknwn", "value", "-worker-count", "x")).hasSize(4);
    }

    @Test
    void readsTheCaFilesAndNamesThem(@TempDir Path folder) throws IOException {
        Path none = Files.writeString(folder.resolve("none.crt"), CERTIFICATE);

        assertThat(mistakes("-namespace=a", "-host-ca-bundle=" + none))
                .contains(
                        "  -host-ca-bundle  -host-ca-bundle is invalid: file does not contain valid PEM-encoded certificates");
        assertThat(mistakes("-namespace=a", "-host-ca-bundle=" + folder)).hasSize(2);
    }

    @Test
    void takesTheContentOfACaFile(@TempDir Path folder) throws IOException {
        String pem = PlatformAuthorities.pem(0);
        Path file = Files.writeString(folder.resolve("ca.crt"), pem);

        ControllerFlags flags = read("-namespace=a", "-kubernetes-ca-bundle", file.toString(), "-ca-bundle=x");

        assertThat(flags.settings().get(Setting.KUBERNETES_CA).path("inline").asText())
                .isEqualTo(pem);
        assertThat(flags.caFiles()).containsExactly(file);
        assertThat(flags.warnings()).contains("-ca-bundle has no effect; use -kubernetes-ca-bundle");
    }

    @Test
    void knowsEveryFlagOfThePeer() {
        List<String> expected = new ArrayList<>(List.of(
                "kubeconfig",
                "worker-cluster-kubeconfig",
                "worker-count",
                "namespace",
                "container-runtime",
                "external-cloud-provider",
                "cluster-dns",
                "pause-image",
                "initial-taints",
                "disable-default-osps",
                "node-kubelet-feature-gates",
                "node-http-proxy",
                "node-no-proxy",
                "node-insecure-registries",
                "node-registry-mirrors",
                "node-containerd-registry-mirrors",
                "node-registry-credentials-secret",
                "device-ownership-from-security-context",
                "health-probe-address",
                "metrics-address",
                "worker-health-probe-address",
                "worker-metrics-address",
                "leader-elect",
                "override-bootstrap-kubelet-apiserver",
                "bootstrap-token-service-account-name",
                "kubernetes-ca-bundle",
                "host-ca-bundle",
                "ca-bundle",
                "log-debug",
                "log-format"));
        expected.sort(null);

        assertThat(ControllerFlags.names()).isEqualTo(expected);
    }

    @Test
    void readsTheFlagsOfTheWebhook() {
        WebhookFlags flags = ((GoFlags.Result.Read<WebhookFlags>) WebhookFlags.read(List.of(
                        "-namespace", "kube-system", "-cert-dir=/certs", "-leader-elect", "-metrics-bind-address=0")))
                .flags();

        assertThat(flags.certDir()).isEqualTo("/certs");
        assertThat(flags.leaderElect()).isTrue();
        assertThat(flags.metrics()).isEmpty();
        assertThat(flags.health()).contains(new ListenAddress("", 8081));
        GoFlags.Result<WebhookFlags> refused = WebhookFlags.read(List.of("-worker-count=1"));
        assertThat(refused).isInstanceOf(GoFlags.Result.Refused.class);
        assertThat(((GoFlags.Result.Refused<WebhookFlags>) refused).mistakes())
                .extracting(InputError::source)
                .containsExactlyInAnyOrder("-worker-count", "-namespace");
        assertThat(WebhookFlags.names()).hasSize(8);
    }
}
