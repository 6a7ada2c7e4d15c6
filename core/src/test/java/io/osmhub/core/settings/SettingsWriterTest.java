package io.osmhub.core.settings;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.core.document.FindingsCollector;
import io.osmhub.core.workercluster.WorkerCluster;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SettingsWriterTest {
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

    private static TenantSettings settings(SettingsLayer layer) {
        return new LayeredSettings(layer, SettingsLayer.EMPTY).toTenantSettings();
    }

    @Test
    void whatOsmsFlagsMeanIsReadAgainFromTheFieldsWritten() {
        SettingsLayer flags = OsmFlags.read(FLAGS, TestCertificate.PEM, TestCertificate.PEM);

        JsonNode spec = SettingsWriter.write(flags);

        FindingsCollector mistakes = new FindingsCollector("spec", "SettingsInvalid");
        SettingsLayer read = SettingsReader.read(spec, "spec", mistakes);
        assertThat(mistakes.findings()).isEmpty();
        assertThat(WorkerCluster.checkSettings(spec)).isEmpty();
        assertThat(settings(read)).isEqualTo(settings(flags));
        assertThat(Setting.ALL.stream().filter(read::isSet))
                .containsExactlyElementsOf(
                        Setting.ALL.stream().filter(flags::isSet).toList());
    }

    @Test
    void emptyTextsAreValuesThatSwitchInheritedOnesOff() {
        SettingsLayer flags =
                OsmFlags.read(Map.of("node-no-proxy", List.of(""), "initial-taints", List.of("")), null, null);

        JsonNode spec = SettingsWriter.write(flags);

        assertThat(spec.toString())
                .isEqualTo("{\"provisioning\":{\"kubelet\":{\"initialTaints\":[]},\"proxy\":{\"noProxy\":[]}}}");
    }

    @Test
    void aTaintThatIsNoneIsRejectedByTheSchema() {
        SettingsLayer flags = OsmFlags.read(Map.of("initial-taints", List.of("dedicated")), null, null);

        assertThat(WorkerCluster.checkSettings(SettingsWriter.write(flags)))
                .extracting(finding -> finding.field())
                .contains("spec.provisioning.kubelet.initialTaints[0].effect");
    }
}
