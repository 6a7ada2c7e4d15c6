package io.osmhub.core.lint;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.core.lint.ContentChecks.ContentError;
import io.osmhub.core.lint.LintFinding.LintRule;
import io.osmhub.core.lint.MatrixFilter.KubernetesVersions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Options that later versions do not know, in each form in which people write them. */
final class RemovedOptionsTest {
    /** The name and line of each option. */
    private static List<String> names(String path, String text) {
        return RemovedOptions.find(path, text).stream()
                .map(error -> error.message().replaceFirst(".*(?: no| only|gate) (\\S+) (?:since|before).*", "$1") + ":"
                        + error.line())
                .toList();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "/etc/systemd/system/kubelet.service | ExecStart=/opt/bin/kubelet --container-runtime=remote",
                "/etc/systemd/system/kubelet.service.d/10-x.conf | Environment=\"EXTRA=--container-runtime=remote\"",
                "/etc/systemd/system/node.service | ExecStart=/usr/bin/env kubelet --v=2 --container-runtime remote",
                "/etc/systemd/system/node.service | Environment=KUBELET_EXTRA_ARGS=--container-runtime=remote",
                "/etc/default/kubelet | ARGS='--container_runtime=remote'",
                "/opt/setup | exec $BIN/kubelet \"--container-runtime=remote\"",
                "'' | nohup kubelet --container-runtime=remote &",
            })
    void findsAFlagOfTheKubelet(String path, String text) {
        assertThat(names(path, text)).containsExactly("--container-runtime:1");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "/etc/systemd/system/kubelet.service | ExecStart=/opt/bin/kubelet --container-runtime-endpoint=unix:///x",
                "/etc/systemd/system/kubelet.service | # kubelet --container-runtime=remote",
                "/opt/setup | sed -i s/--container-runtime=remote// /etc/default/kubelet",
                "/opt/setup | systemctl restart kubelet; other --container-runtime=remote",
                "/opt/setup | podman --log-file=x run",
                "/etc/systemd/system/kubelet.service | ExecStart=kubelet --cloud-provider=external",
                "/etc/systemd/system/kubelet.service | ExecStart=kubelet --cloud-provider=$PROVIDER",
                "/etc/systemd/system/kubelet.service | ExecStart=kubelet --cloud-provider=",
            })
    void acceptsWhatTheKubeletKnowsAndWhatOthersGet(String path, String text) {
        assertThat(names(path, text)).isEmpty();
    }

    @Test
    void readsContinuedLinesAndNamesTheLineOfEachOption() {
        assertThat(names("/etc/systemd/system/node.service", """
                        [Service]
                        ExecStart=/opt/bin/kubelet \\
                          --config=/a \\
                          # a comment
                          --pod-infra-container-image=x \\
                          --cloud-provider \\
                          aws --feature-gates=DynamicKubeletConfig=true,GracefulNodeShutdown=true
                        """))
                .containsExactly(
                        "--pod-infra-container-image:5", "--cloud-provider=external:7", "DynamicKubeletConfig:7");
    }

    @Test
    void findsFeatureGatesInTheKubeletsConfiguration() {
        assertThat(names("/etc/kubernetes/kubelet.conf", """
                        apiVersion: kubelet.config.k8s.io/v1beta1
                        kind: KubeletConfiguration
                        featureGates:
                          InTreePluginvSphereUnregister: true
                          RotateKubeletServerCertificate: true
                        """)).containsExactly("InTreePluginvSphereUnregister:4");
    }

    @Test
    void dependsOnTheKubernetesVersion() {
        ContentError pause =
                RemovedOptions.find("", "kubelet --pod-infra-container-image=x").getFirst();

        assertThat(List.of("1.34", "v1.34.9", "1.35", "v1.35.0", "1.35.0-rc.1", "2.0", "latest"))
                .filteredOn(pause::appliesTo)
                .containsExactly("1.35", "v1.35.0", "1.35.0-rc.1", "2.0");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "cloud-init --file /x.cfg init",
                "/usr/bin/cloud-init --debug --file=/x.cfg init",
                "cloud-init -f /x.cfg modules --mode config",
            })
    void findsOptionsBeforeTheSubcommandOfCloudInit(String command) {
        assertThat(RemovedOptions.find("/opt/bin/bootstrap", command))
                .singleElement()
                .satisfies(error -> assertThat(error.message()).contains("cloud-init", "24.1"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "cloud-init init --file /x.cfg",
                "cloud-init \"$@\" --file x || cloud-init --file x \"$@\"",
                "if new; then cloud-init init --file x; else cloud-init --file x init; fi",
                "cloud-init status --wait; tail --file x -f y",
            })
    void acceptsTheNewOrderAndScriptsThatKnowBoth(String command) {
        assertThat(RemovedOptions.find("/opt/bin/bootstrap", command)).isEmpty();
    }

    @Test
    void everyRowOfTheTableIsCompleteAndAboutATestedVersion() {
        assertThat(RemovedOptions.TABLE.values()).hasSizeGreaterThan(100).allSatisfy(row -> {
            assertThat(row.rule()).isEqualTo(LintRule.REMOVED_OPTION);
            assertThat(row.violation().cure()).isNotBlank();
            assertThat(row.since()).matches("(\\d+\\.\\d+)?");
            assertThat(row.appliesTo("1.23")).isEqualTo(row.since().isEmpty());
            assertThat(row.appliesTo(KubernetesVersions.MINORS.getLast())).isTrue();
        });
    }
}
