package io.osmhub.core.render;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.machine.ProviderConfig;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.version.VersionConstraint;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class KubeletVersionTest {
    private static MachineDeployment machineDeployment(String kubelet, String provider, String more) {
        String spec = "{\"cloudProvider\":\"" + provider + "\",\"operatingSystem\":\"ubuntu\"" + more + "}";
        return MachineDeployment.of("kube-system", "workers", Map.of(), kubelet, spec);
    }

    @ParameterizedTest
    @ValueSource(strings = {"1.28.15", "v1.28", "1.28.0-rc.1", "1.9.0", "0.40.0"})
    void refusesKubeletsThatNeedAnInTreeCloudConfig(String version) {
        List<Problem> findings = new ArrayList<>();

        assertThat(KubeletVersion.read(machineDeployment(version, "hetzner", ""), findings))
                .isNull();
        assertThat(findings)
                .extracting(Problem::toString)
                .containsExactly("MachineDeployment kube-system/workers, spec.template.spec.versions.kubelet: kubelet "
                        + version + " is not supported, only 1.29 and newer; write for example 1.34.2");
        assertThat(findings).extracting(Problem::reason).containsExactly(Reason.KubeletVersionInvalid);
    }

    @ParameterizedTest
    @ValueSource(strings = {"1.29.0", "v1.29", "1.34.2-rc.1", "1.100.0", "2.0.0"})
    void readsOthers(String version) {
        List<Problem> findings = new ArrayList<>();

        assertThat(KubeletVersion.read(machineDeployment(version, "hetzner", ""), findings))
                .isNotNull();
        assertThat(findings).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "1.34.2-rc.1, aws, false, '', true",
        "1.34.2-rc.1, unknown, false, '', true",
        "1.34.2-rc.1, aws, true, '', false",
        "1.34.2-rc.1, hetzner, false, '', false",
        "1.34.2-rc.1, openstack, false, ',\"overwriteCloudConfig\":\"\"', false",
        "1.34.2+k3s1, aws, false, '', false",
    })
    void refusesAPreReleaseOnlyWhereOsmWritesACloudConfig(
            String version, String provider, boolean external, String more, boolean refused) {
        MachineDeployment machineDeployment = machineDeployment(version, provider, more);
        KubeletVersion kubelet = Objects.requireNonNull(KubeletVersion.read(machineDeployment, new ArrayList<>()));

        Optional<Problem> finding = kubelet.findMissingCloudConfig(
                machineDeployment, ProviderConfig.decode(machineDeployment).strict(), external);

        assertThat(finding.isPresent()).isEqualTo(refused);
    }

    @Test
    void aPreReleaseCountsAsItsReleaseForAProfile() throws Exception {
        KubeletVersion kubelet = Objects.requireNonNull(
                KubeletVersion.read(machineDeployment("1.34.2-rc.1", "hetzner", ""), new ArrayList<>()));

        assertThat(kubelet.satisfies(VersionConstraint.parse(">= 1.34"))).isTrue();
    }
}
