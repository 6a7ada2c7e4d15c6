package io.osmhub.core.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.osmhub.core.document.FindingsCollector;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.ProblemObject;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.TenantMistake;
import io.osmhub.core.settings.TenantSettings.Endpoint;
import io.osmhub.core.settings.TenantSettings.Mirror;
import io.osmhub.core.settings.TenantSettings.Provisioning;
import io.osmhub.core.settings.TenantSettings.SecretName;
import io.osmhub.core.settings.TenantSettings.ServiceAccountName;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OsmFlagsTest {
    private static final Map<String, List<String>> FLAGS = Map.ofEntries(
            Map.entry("cluster-dns", List.of("169.254.20.10,fd00::a")),
            Map.entry("external-cloud-provider", List.of("true")),
            Map.entry("pause-image", List.of("registry.example.org/pause:3.10")),
            Map.entry("initial-taints", List.of("dedicated=db:NoSchedule,gpu:NoExecute,a=:PreferNoSchedule")),
            Map.entry("node-kubelet-feature-gates", List.of("DynamicResourceAllocation=true,B=false")),
            Map.entry("node-http-proxy", List.of("http://proxy.example.org:3128")),
            Map.entry("node-no-proxy", List.of(".svc,10.0.0.0/8")),
            Map.entry("node-insecure-registries", List.of("a.example.org,b.example.org:5000")),
            Map.entry("node-registry-mirrors", List.of("https://mirror.example.org")),
            Map.entry(
                    "node-containerd-registry-mirrors",
                    List.of("quay.io=https://q.example.org/v2?kubermatic=override_path%3Dtrue")),
            Map.entry("device-ownership-from-security-context", List.of("true")),
            Map.entry("override-bootstrap-kubelet-apiserver", List.of("https://api.example.org:6443")),
            Map.entry("bootstrap-token-service-account-name", List.of("kube-system/join")));

    private static Provisioning read(Map<String, List<String>> flags) {
        return new LayeredSettings(SettingsLayer.EMPTY, OsmFlags.read(flags, null, null))
                .toTenantSettings()
                .provisioning();
    }

    private static Provisioning flag(String name, String... values) {
        return read(Map.of(name, List.of(values)));
    }

    @Test
    void withoutFlagsThePeersDefaultsHold() {
        Provisioning defaults = read(Map.of());

        assertThat(defaults.clusterDns()).containsExactly("10.10.10.10");
        assertThat(defaults.containerRuntime().name()).isEqualTo("containerd");
        assertThat(defaults.proxy().noProxy()).isEqualTo(".svc,.cluster.local,localhost,127.0.0.1");
        assertThat(defaults.kubelet().featureGates())
                .containsExactly(Map.entry("RotateKubeletServerCertificate", true));
        assertThat(defaults.externalCloudProvider()).isFalse();
    }

    @Test
    void aFlagThatMayNotBeRepeatedCountsItsLastValue() {
        assertThat(flag("pause-image", "a", "b").containerRuntime().pauseImage())
                .isEqualTo("b");
        assertThat(flag("external-cloud-provider", "T").externalCloudProvider()).isTrue();
        assertThat(flag("node-no-proxy", "").proxy().noProxy()).isEmpty();
    }

    @Test
    void addressesAreTrimmedAndPrintedAsGoDoes() {
        assertThat(flag("cluster-dns", "10.0.0.10, FD00:0::A ,::ffff:1.2.3.4").clusterDns())
                .containsExactly("10.0.0.10", "fd00::a", "1.2.3.4");
    }

    @Test
    void gatesOfTheFlagReplaceTheDefaultButForTheRotation() {
        assertThat(flag("node-kubelet-feature-gates", "B=f,A=1,A=False")
                        .kubelet()
                        .featureGates())
                .containsExactly(
                        Map.entry("A", false),
                        Map.entry("B", false),
                        Map.entry("RotateKubeletServerCertificate", true));
        assertThat(flag("node-kubelet-feature-gates", "RotateKubeletServerCertificate=false")
                        .kubelet()
                        .featureGates())
                .containsEntry("RotateKubeletServerCertificate", false);
    }

    @Test
    void mirrorsOfBothFlagsComeInOrderThoseOfTheRepeatedOneFirst() {
        Provisioning read = read(Map.of(
                "node-registry-mirrors",
                List.of("one.example.org , ,quay.io=http://two, *=x"),
                "node-containerd-registry-mirrors",
                List.of("quay.io=three", "docker.io=https://four?z=1&kubermatic=override_path%3Dtrue&a=2", "a=b=c")));

        assertThat(read.registries().mirrors())
                .containsExactlyInAnyOrder(
                        new Mirror("quay.io", List.of(new Endpoint("three", false), new Endpoint("http://two", false))),
                        new Mirror(
                                "docker.io",
                                List.of(
                                        new Endpoint("https://four?a=2&z=1", true),
                                        new Endpoint("https://one.example.org", false),
                                        new Endpoint("https://*=x", false))),
                        new Mirror("a", List.of(new Endpoint("b=c", false))));
    }

    @Test
    void namesHaveANamespace() {
        assertThat(flag("node-registry-credentials-secret", "ns/s").registries().credentialsSecret())
                .isEqualTo(new SecretName("ns", "s"));
        assertThat(flag("bootstrap-token-service-account-name", "ns/sa")
                        .bootstrap()
                        .serviceAccount())
                .isEqualTo(new ServiceAccountName("ns", "sa"));
        assertThat(flag("bootstrap-token-service-account-name", "").bootstrap().serviceAccount())
                .isNull();
        assertThat(flag("node-insecure-registries", "a, b ,,").registries().insecure())
                .containsExactly("a", "b");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "cluster-dns | 10.0.0.300 | invalid cluster dns specified: unable to parse ip 10.0.0.300",
                "cluster-dns | '' | 'invalid cluster dns specified: unable to parse ip '",
                "container-runtime | docker | docker not supported; containerd is the only supported container runtimes",
                "external-cloud-provider | maybe | invalid boolean value \"maybe\" for -external-cloud-provider: parse error",
                "node-kubelet-feature-gates | '' | invalid kubelet feature gates specified: invalid kubelet feature gate: \"\"",
                "node-kubelet-feature-gates | A=b=c | invalid kubelet feature gates specified: invalid kubelet feature gate: \"A=b=c\"",
                "node-kubelet-feature-gates | A=b | invalid kubelet feature gates specified: failed to parse kubelet feature gate: \"A=b\"",
                "node-containerd-registry-mirrors | x | invalid value \"x\" for flag -node-containerd-registry-mirrors: should have exactly 1 =",
                "node-registry-credentials-secret | a/b/c | failed to generate container runtime config: -node-registry-credentials-secret is in incorrect format \"a/b/c\", should be in 'namespace/secretname'",
                "bootstrap-token-service-account-name | a | -bootstrap-token-service-account-name is in incorrect format \"a\", should be in 'namespace/name'",
                "node-registry-mirrors | http://[x | failed to generate container runtime config: incorrect mirror provided: not a valid URL",
                "node-registry-mirrors | http://u:p@[x | failed to generate container runtime config: incorrect mirror provided: not a valid URL"
            })
    void refusesWhatThePeerDoesNotStartWith(String flag, String value, String message) {
        assertThatThrownBy(() -> flag(flag, value))
                .isInstanceOfSatisfying(TenantMistake.class, mistake -> assertThat(mistake.findings())
                        .extracting(Problem::field, Problem::cause)
                        .containsExactly(tuple("-" + flag, message)));
    }

    @Test
    void tellsAllMistakesAtOnce() {
        assertThatThrownBy(() -> OsmFlags.read(
                        Map.of("cluster-dns", List.of("a,b"), "container-runtime", List.of("x")), "no PEM", "no PEM"))
                .isInstanceOfSatisfying(TenantMistake.class, mistake -> assertThat(mistake.findings())
                        .hasSize(5));
    }

    @Test
    void theLayerIsWhatTheReaderReads() {
        SettingsLayer flags = OsmFlags.read(FLAGS, TestCertificate.PEM, TestCertificate.PEM);

        FindingsCollector mistakes = new FindingsCollector(ProblemObject.input("spec"), Reason.SettingsInvalid);
        SettingsLayer read = SettingsReader.read(flags.spec(), "spec", mistakes);
        assertThat(mistakes.findings()).isEmpty();
        assertThat(read).isEqualTo(flags);
    }

    @Test
    void emptyTextsAreValuesThatSwitchInheritedOnesOff() {
        SettingsLayer flags =
                OsmFlags.read(Map.of("node-no-proxy", List.of(""), "initial-taints", List.of("")), null, null);

        assertThat(flags.spec())
                .hasToString("{\"provisioning\":{\"kubelet\":{\"initialTaints\":[]},\"proxy\":{\"noProxy\":[]}}}");
    }

    @Test
    void textsReachTemplatesVerbatim() {
        String taints = "dedicated,a=b=c:NoSchedule,x:y:NoExecute,:,gpu=:NoExecute,";

        assertThat(flag("initial-taints", taints).kubelet().initialTaints()).isEqualTo(taints);
        assertThat(flag("node-no-proxy", "a, b,,c,").proxy().noProxy()).isEqualTo("a, b,,c,");
    }

    @Test
    void aTaintThatIsNoneIsRejectedByTheSchema() {
        SettingsLayer flags = OsmFlags.read(Map.of("initial-taints", List.of("dedicated")), null, null);

        assertThat(SettingsReader.check(flags.spec()))
                .extracting(Problem::field)
                .contains("spec.provisioning.kubelet.initialTaints[0].effect");
    }
}
